import { z } from 'zod';
import type { ChatRequest } from '../server/chat-request.ts';
import { readDocument, type DocumentText } from '../page/document-text.ts';
import { splitKinds, type ShownKind } from './shown-kinds.ts';

/** A past tool call with its result. */
export interface Step {
  name: string;
  arguments: Record<string, unknown>;
  outcome: Outcome;
}

export type Outcome =
  | { kind: 'done'; value: Record<string, unknown> }
  | { kind: 'failed'; error: string }
  | { kind: 'rejected'; reason: string };

export interface WorkingState {
  schemaRevid: string | null;
  promptRevid: string | null;
  extraction: unknown;
}

/** The input of the rules: the request, its document, and the steps since. */
export interface Conversation {
  /** The user's last message. */
  request: string;
  /** Prompts that fit the document, where the message shows any. */
  kinds: ShownKind[];
  /** The earlier messages of the user, with the answers. */
  previousRequest: string;
  lastAnswer: string;
  /** The whole system prompt. */
  system: string;
  /** Calls since that message, in order. */
  steps: Step[];
  /** Calls before it. */
  earlierSteps: Step[];
  document: DocumentText | undefined;
  documentId: string | null;
  workingState: WorkingState;
  mentions: Mention[];
  /** Names of the offered tools that are allowed. */
  tools: ReadonlySet<string>;
  allowsParallel: boolean;
}

/** Requests that the rules match are short. The rest of a long message is ignored, which bounds the time. */
const maxRequestLength = 4000;

const objectShape = z.record(z.string(), z.unknown());
const stateShape = z.looseObject({
  schema_revid: z.string().nullish(),
  prompt_revid: z.string().nullish(),
  extraction: z.unknown(),
});

export function readConversation(request: ChatRequest): Conversation {
  const { messages } = request;
  const system = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ content }) => content)
    .join('\n');
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const steps = readSteps(messages.slice(lastUser + 1));
  const earlierSteps = readSteps(messages.slice(0, Math.max(0, lastUser)));
  const { request: wanted, kinds } = splitKinds(messages[lastUser]?.content ?? '');
  return {
    request: wanted.slice(0, maxRequestLength),
    kinds,
    previousRequest: lastOf(messages.slice(0, Math.max(0, lastUser)), 'user'),
    lastAnswer: lastOf(messages.slice(0, Math.max(0, lastUser)), 'assistant'),
    system,
    steps,
    earlierSteps,
    document: readDocument(system, 'first'),
    documentId: /^Document: .*\(id ([\da-f]{24})\)/mu.exec(system)?.[1] ?? null,
    workingState: withValues(readWorkingState(system), [...earlierSteps, ...steps]),
    mentions: readMentions(system),
    tools: new Set(request.tool_choice === 'none' ? [] : (request.tools ?? []).flatMap(namesOf)),
    allowsParallel: request.parallel_tool_calls !== false,
  };
}

/** The product offers some tools as lines of one. */
export const furtherTools = 'use_tool';

function namesOf({ function: { name, description } }: NonNullable<ChatRequest['tools']>[number]): string[] {
  if (name !== furtherTools) return [name];
  return [...(description ?? '').matchAll(/^- (\w+)\(/gmu)].map(([, listed = '']) => listed);
}

function lastOf(messages: ChatRequest['messages'], wanted: 'user' | 'assistant'): string {
  return (messages.findLast(({ role, content }) => role === wanted && content !== '')?.content ?? '').slice(
    0,
    maxRequestLength,
  );
}

function readSteps(messages: ChatRequest['messages']): Step[] {
  const steps: Step[] = [];
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

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed = objectShape.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** The values of an extraction that the state only names stand in the last result of the conversation. */
function withValues(state: WorkingState, steps: readonly Step[]): WorkingState {
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

function readWorkingState(system: string): WorkingState {
  const at = system.lastIndexOf('Working state:');
  const [line = ''] =
    at === -1
      ? []
      : system
          .slice(at + 'Working state:'.length)
          .trimStart()
          .split('\n');
  const parsed = stateShape.safeParse(parseObject(line) ?? {});
  if (!parsed.success) return { schemaRevid: null, promptRevid: null, extraction: null };
  const { schema_revid, prompt_revid, extraction } = parsed.data;
  return { schemaRevid: schema_revid ?? null, promptRevid: prompt_revid ?? null, extraction: extraction ?? null };
}

interface Mention {
  type: 'schema' | 'prompt' | 'tag';
  /** A revision id for schemas and prompts, a tag id for tags. */
  id: string;
}

/** The items that a user mentions, by the fences that the system prompt puts around each. */
function readMentions(system: string): Mention[] {
  const fences = system.matchAll(/^<mention type="(schema|prompt|tag)" id="([\da-fA-F]{24})">$/gmu);
  return [...fences].map(([, type, id]) => ({ type: type as Mention['type'], id: id ?? '' }));
}
