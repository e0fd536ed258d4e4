import {
  createDocumentAgentProfile,
  defaultDecide,
  historyOfThread,
  newCallId,
  type LlmMessage,
  type LlmRequest,
  type ModelToolCall,
} from '@docwright/agent-core';
import { createInMemoryDocumentServices, scriptedLlm } from '@docwright/agent-core/testing';
import type { ResponseFormat, WorkingState } from '@docwright/contract';
import { completionRequest } from '../../../packages/agent-core/src/llm/openai/completion-request.ts';
import {
  extractionMessages,
  requestFormat,
} from '../../../apps/api/src/features/extractions/asking/extraction-request.ts';
import { nothingPlayed, playTurn, type Played } from './play-turn.ts';
import { economical, idsAlike, type RecordedAnswer, type RecordedRequest, type RecordedStep } from './recorded.ts';

/** Plays a story: each message of the user is a turn with the recorded answers, and all calls are approved. */
export async function playDocument(steps: RecordedStep[], isUnattended: boolean): Promise<Played> {
  const played = nothingPlayed();
  const chat: string[] = [];
  played.threads.push(chat);
  // The recorded results of the calls of the last answer.
  let asked: readonly string[] = [];
  const pages = pagesOf(steps[0]!.request);
  const services = createInMemoryDocumentServices({ documentName: 'document.pdf', pages });
  const ids = new Map<string, string>();
  await setUp(steps, services, ids);
  const extractions = steps.filter(isExtraction).map(({ answer }) => JSON.parse(answer.text ?? '{}') as unknown);
  const run = services.extractions.run.bind(services.extractions);
  services.extractions.run = async (documentId, promptRevid, ...rest) => {
    const prompt =
      promptRevid === undefined
        ? await services.prompts.defaultFor(documentId)
        : await services.prompts.get(promptRevid);
    const schema = prompt?.schema_revid === undefined ? undefined : await services.schemas.get(prompt.schema_revid);
    const task = {
      prompt: prompt?.content ?? '',
      documentName: 'document.pdf',
      pages: pages.map((text, at) => ({ page_num: at + 1, text })),
      responseFormat: schema?.response_format,
    };
    const request = {
      model: 'm',
      messages: extractionMessages(task),
      responseFormat: requestFormat(task.responseFormat),
      temperature: 0,
    };
    played.requests.push(completionRequest(request, 'http://model.test/v1'));
    services.store.extracted = extractions.shift() ?? {};
    played.output += JSON.stringify(services.store.extracted).length;
    return await run(documentId, promptRevid, ...rest);
  };

  const profile = createDocumentAgentProfile({ maxRounds: 40, timeoutMs: 600_000 });
  const now = new Date('2026-11-22T12:00:00Z');
  Object.assign(services, { now: () => now, conversation: { isUnattended } });
  let history: LlmMessage[] = [];
  let workingState: WorkingState = { schema_revid: null, prompt_revid: null, extraction: null };
  for (const { message, answers } of turnsOf(steps)) {
    const script = economical(answers, pages);
    const llm = scriptedLlm(
      script.map(({ text = '', calls, recorded }) => (request: LlmRequest) => {
        const body = completionRequest(request, 'http://model.test/v1');
        played.requests.push(body);
        chat.push(body);
        learn(request, asked, ids);
        const mapped = calls.map((call): ModelToolCall & { args?: never } => ({
          name: call.name,
          arguments: withIds(JSON.stringify(call.arguments), ids),
        }));
        asked = recorded;
        played.output += text.length + mapped.reduce((sum, call) => sum + call.arguments.length, 0);
        return { text, calls: mapped };
      }),
    );
    const messages: LlmMessage[] = [...history, { role: 'user', content: message }];
    const input = {
      profile,
      llm,
      services,
      decide: defaultDecide({ role: 'member', autoApprove: false, autoApprovedTools: [] }),
      recordCalls: async () => undefined,
      signal: new AbortController().signal,
    };
    const owner = { organizationId: 'a'.repeat(24), documentId: services.document.id, userId: 'c'.repeat(24) };
    const settings = { model: 'm', mentions: [], autoApprove: false, autoApprovedTools: [] };
    const start = { turnId: newCallId(), threadId: newCallId(), owner, settings, messages, workingState };
    const result = await playTurn({ ...input, turn: start }, played);
    workingState = result.workingState;
    // In the form in which a thread stores it.
    history = historyOfThread(
      [...messages, ...result.messages].map((each) =>
        each.role === 'tool'
          ? { role: 'tool', content: each.content, tool_call_id: each.callId }
          : each.role === 'assistant'
            ? {
                role: 'assistant',
                content: each.content,
                ...(each.toolCalls && {
                  tool_calls: each.toolCalls.map(({ id, name, arguments: text }) => ({ id, name, arguments: text })),
                }),
              }
            : { role: 'user', content: each.content },
      ),
    );
  }
  return played;
}

/** Learns the current ids for the recorded ones from the results of the same calls. */
function learn({ messages }: LlmRequest, asked: readonly string[], ids: Map<string, string>): void {
  const results = messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
  const last = results.slice(-asked.length);
  for (const [at, text] of asked.entries()) idsAlike(text, last[at] ?? '', ids);
}

function withIds(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\b[0-9a-f]{24}\b/g, (id) => ids.get(id) ?? id);
}

/** Creates the schemas and prompts that the recorded model read, as the organization had them before the story. */
async function setUp(
  steps: RecordedStep[],
  services: ReturnType<typeof createInMemoryDocumentServices>,
  ids: Map<string, string>,
): Promise<void> {
  const created = JSON.stringify(steps.map(({ answer }) => answer));
  const read = steps.flatMap(({ request }) => request.messages).filter(({ role }) => role === 'tool');
  for (const { content } of read) {
    const value = JSON.parse(content?.startsWith('{') ? content : '{}') as Record<string, unknown>;
    const { schema_id, schema_revid, name, response_format } = value;
    if (typeof schema_id !== 'string' || response_format === undefined || ids.has(schema_id)) continue;
    if (created.includes(`"name": "${String(name)}"`)) continue;
    const body = { name: String(name), response_format: response_format as ResponseFormat };
    const made = await services.schemas.create(body, { call_id: newCallId() });
    ids.set(schema_id, made.schema_id).set(String(schema_revid), made.schema_revid);
  }
}

function isExtraction({ request }: RecordedStep): boolean {
  return request.tools === undefined || request.tools.length === 0;
}

/** The answers to each message of the user. */
function turnsOf(steps: RecordedStep[]): { message: string; answers: RecordedAnswer[] }[] {
  const chat = steps.filter((step) => !isExtraction(step));
  const turns: { message: string; answers: RecordedAnswer[] }[] = [];
  for (const [at, { request, answer }] of chat.entries()) {
    const last = request.messages.at(-1);
    if (last?.role === 'user') turns.push({ message: last.content ?? '', answers: [] });
    turns.at(-1)?.answers.push({ ...answer, results: resultsIn(chat[at + 1]?.request) });
  }
  return turns;
}

/** The results at the end of a request. */
function resultsIn(request: RecordedRequest | undefined): string[] {
  const messages = request?.messages ?? [];
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(at + 1).flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []));
}

function pagesOf({ messages }: RecordedRequest): string[] {
  const text = messages[0]?.content ?? '';
  return [...text.matchAll(/<page number="\d+">\n([\s\S]*?)\n<\/page>/g)].map(([, page = '']) => page);
}
