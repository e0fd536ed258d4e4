import { z } from 'zod';
import { type DocumentLines, readDocument } from '../page/document-text.ts';
import type { CompletionRequest } from '../protocol/chat-request.ts';
import type { Outcome } from './outcome.ts';

/** A past tool call with its outcome. */
export interface PastCall {
  name: string;
  arguments: Record<string, unknown>;
  outcome: Outcome;
}

interface WorkingState {
  schemaRevid: string | null;
  promptRevid: string | null;
  extraction: unknown;
}

/** The input of the rules: the request, its document, and the calls since. */
export interface RuleInput {
  /** The user's last message. */
  request: string;
  /** The prompts that an automatic message lists as fitting the document. */
  kinds: ListedPrompt[];
  /** The user's message before the last one. */
  previousRequest: string;
  /** The answer before the user's last message. */
  lastAnswer: string;
  /** The whole system prompt. */
  system: string;
  /** Calls since the user's last message, in order. */
  steps: PastCall[];
  /** Calls before it. */
  earlierSteps: PastCall[];
  document: DocumentLines | undefined;
  documentId: string | null;
  workingState: WorkingState;
  /** The person's language as a BCP 47 tag. */
  language: string;
  mentions: Mention[];
  /** Names of the offered tools, including the tools that another tool's description lists. */
  tools: ReadonlySet<string>;
  allowsParallel: boolean;
}

/** Requests that the rules match are short. The rest of a long message is ignored, which bounds the time. */
const maxRequestLength = 4000;

export function readConversation(request: CompletionRequest): RuleInput {
  const { messages } = request;
  const system = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ content }) => content)
    .join('\n');
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const earlier = messages.slice(0, Math.max(0, lastUser));
  const steps = readSteps(messages.slice(lastUser + 1));
  const earlierSteps = readSteps(earlier);
  const { text, kinds } = splitKinds(messages[lastUser]?.content ?? '');
  return {
    request: text.slice(0, maxRequestLength),
    kinds,
    previousRequest: lastContentOf(earlier, 'user'),
    lastAnswer: lastContentOf(earlier, 'assistant'),
    system,
    steps,
    earlierSteps,
    document: readDocument(system, 'first'),
    documentId: /^Document: .*\(id ([\da-f]{24})\)/mu.exec(system)?.[1] ?? null,
    workingState: withValues(readWorkingState(system), [...earlierSteps, ...steps]),
    language: readLanguage(system),
    mentions: readMentions(system),
    tools: new Set(request.tool_choice === 'none' ? [] : (request.tools ?? []).flatMap(toolNames)),
    allowsParallel: request.parallel_tool_calls !== false,
  };
}

/** The product offers rarely used tools as lines in the description of this one. */
export const furtherTools = 'use_tool';

function toolNames({ function: { name, description } }: NonNullable<CompletionRequest['tools']>[number]): string[] {
  if (name !== furtherTools) return [name];
  return [...(description ?? '').matchAll(/^- (\w+)\(/gmu)].map(([, listed = '']) => listed);
}

function lastContentOf(messages: CompletionRequest['messages'], wanted: 'user' | 'assistant'): string {
  const message = messages.findLast(({ role, content }) => role === wanted && content !== '');
  return (message?.content ?? '').slice(0, maxRequestLength);
}

const listedPrompt = z.object({ prompt_revid: z.string(), name: z.string() });
type ListedPrompt = z.infer<typeof listedPrompt>;

const openingMark = '<kinds>\n';
const closingMark = '\n</kinds>';

/** Splits a message into its text and the prompts that it lists, one a line as JSON. */
function splitKinds(message: string): { text: string; kinds: ListedPrompt[] } {
  const start = message.indexOf(openingMark);
  if (start === -1) return { text: message, kinds: [] };
  const end = message.indexOf(closingMark, start);
  const block = message.slice(start + openingMark.length, end === -1 ? undefined : end);
  const kinds = block.split('\n').flatMap((line) => listedPrompt.safeParse(parseObject(line)).data ?? []);
  return { text: message.slice(0, start), kinds };
}

function readSteps(messages: CompletionRequest['messages']): PastCall[] {
  const steps: PastCall[] = [];
  for (const [index, message] of messages.entries()) {
    for (const call of message.tool_calls ?? []) {
      const result = messages.slice(index + 1).find((other) => other.role === 'tool' && other.tool_call_id === call.id);
      if (!result) continue;
      const { name } = call.function;
      steps.push({ name, arguments: parseObject(call.function.arguments) ?? {}, outcome: readOutcome(result.content) });
    }
  }
  return steps;
}

function readOutcome(content: string): Outcome {
  const rejected = /^User rejected this action\.(?:\s*Reason:\s*([\s\S]*))?/u.exec(content);
  if (rejected) return { kind: 'rejected', reason: rejected[1]?.trim() ?? '' };
  const value = parseObject(content);
  if (value === undefined) return { kind: 'done', value: { text: content } };
  if (value.error === undefined) return { kind: 'done', value };
  return { kind: 'failed', error: typeof value.error === 'string' ? value.error : JSON.stringify(value.error) };
}

const objectShape = z.record(z.string(), z.unknown());

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return objectShape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The working state can name an extraction without its values. They are then in the conversation's last result. */
function withValues(state: WorkingState, steps: readonly PastCall[]): WorkingState {
  const { extraction } = state;
  if (typeof extraction !== 'object' || extraction === null || 'result' in extraction) return state;
  const at = steps.findLastIndex(({ outcome }) => outcome.kind === 'done' && 'result' in outcome.value);
  const { outcome } = steps[at] ?? {};
  if (outcome?.kind !== 'done') return state;
  const result = structuredClone(outcome.value.result);
  for (const { name, outcome: later } of steps.slice(at + 1)) {
    if (name === 'update_extraction_field' && later.kind === 'done') setValue(result, later.value);
  }
  return { ...state, extraction: { ...extraction, result } };
}

function setValue(result: unknown, { path, value }: Record<string, unknown>): void {
  const keys = String(path).split('.');
  const last = keys.pop() ?? '';
  let parent = result;
  for (const key of keys)
    parent = typeof parent === 'object' && parent !== null ? (parent as Record<string, unknown>)[key] : undefined;
  if (typeof parent === 'object' && parent !== null) (parent as Record<string, unknown>)[last] = value;
}

const stateShape = z.looseObject({
  schema_revid: z.string().nullish(),
  prompt_revid: z.string().nullish(),
  extraction: z.unknown(),
});

function readWorkingState(system: string): WorkingState {
  const heading = 'Working state:';
  const at = system.lastIndexOf(heading);
  const afterHeading = at === -1 ? '' : system.slice(at + heading.length).trimStart();
  const [line = ''] = afterHeading.split('\n');
  const parsed = stateShape.safeParse(parseObject(line) ?? {});
  if (!parsed.success) return { schemaRevid: null, promptRevid: null, extraction: null };
  const { schema_revid, prompt_revid, extraction } = parsed.data;
  return { schemaRevid: schema_revid ?? null, promptRevid: prompt_revid ?? null, extraction: extraction ?? null };
}

/** The product names the language near the end of a request, after all texts of documents. */
function readLanguage(system: string): string {
  const named = [
    ...system.matchAll(/^Language of the answer, unless .{1,200} \(([A-Za-z]{2,3}(?:-[\w-]{1,20})?)\)\.$/gmu),
  ];
  return named.at(-1)?.[1] ?? 'en';
}

interface Mention {
  type: 'schema' | 'prompt' | 'tag';
  /** A revision id for schemas and prompts, a tag id for tags. */
  id: string;
}

/** The items that the user mentions. The system prompt puts each one between fences. */
function readMentions(system: string): Mention[] {
  const fences = system.matchAll(/^<mention type="(schema|prompt|tag)" id="([\da-fA-F]{24})">$/gmu);
  return [...fences].map(([, type, id]) => ({ type: type as Mention['type'], id: id ?? '' }));
}
