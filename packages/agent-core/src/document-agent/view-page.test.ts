import { DomainError } from '@docwright/contract';
import { expect, it } from 'vitest';
import type { LlmMessage, LlmRequest } from '../llm/llm-client.ts';
import { newCallId } from '../tool/call-id.ts';
import { defaultDecide } from '../permissions/default-decide.ts';
import { runTurn } from '../loop/run-turn.ts';
import { createInMemoryDocumentServices } from '../testing/in-memory-document-services.ts';
import { scriptedLlm } from '../testing/scripted-llm.ts';
import { withPageImages } from './context/page-images.ts';
import { createDocumentAgentProfile } from './profile.ts';

const urlOf = (page: number, region?: object) => `data:image/png;base64,${page}${region === undefined ? '' : 'part'}`;
const image = async (_: string, page: number, region?: object) => ({
  url: urlOf(page, region),
  width: 800,
  height: 1000,
});
const owner = { organizationId: 'a'.repeat(24), documentId: 'b'.repeat(24), userId: 'c'.repeat(24) };

async function lookAt(sees: boolean, calls: { name: string; args: Record<string, unknown> }[][]) {
  const memory = createInMemoryDocumentServices({ pages: ['one', ''] });
  const services = {
    ...memory,
    documents: { ...memory.documents, image },
    models: { ...memory.models, canSee: async (model: string) => sees && model === 'seeing' },
  };
  const requests: LlmRequest[] = [];
  const llm = scriptedLlm(
    [...calls, []].map((round) => (request: LlmRequest) => {
      requests.push(request);
      return round.length === 0 ? { text: 'Done.' } : { calls: round.map(({ name, args }) => ({ name, args })) };
    }),
  );
  const events = runTurn({
    profile: createDocumentAgentProfile({ maxRounds: 10, timeoutMs: 10_000 }),
    llm,
    services,
    decide: defaultDecide({ role: 'member', autoApprove: false, autoApprovedTools: [] }),
    recordCalls: async () => undefined,
    signal: new AbortController().signal,
    turn: {
      turnId: newCallId(),
      threadId: newCallId(),
      owner,
      settings: { model: 'seeing', timeZone: 'Asia/Tokyo', mentions: [], autoApprove: false, autoApprovedTools: [] },
      messages: [{ role: 'user', content: 'What does page 2 show?' }],
      workingState: { schema_revid: null, prompt_revid: null, extraction: null },
    },
  });
  for (;;) {
    const step = await events.next();
    if (step.done === true) return { requests, result: step.value };
  }
}

const offers = ({ tools = [] }: LlmRequest) => tools.map((tool) => tool.function.name);
const imagesIn = (messages: readonly LlmMessage[]) =>
  messages.flatMap((message) => (message.role === 'tool' ? (message.images ?? []) : []));

it('sends images of pages to a model that can see, and stores none', async () => {
  const region = { x0: 0, y0: 0, x1: 0.5, y1: 0.2 };
  const { requests, result } = await lookAt(true, [
    [{ name: 'view_page', args: { page_num: 2 } }],
    [{ name: 'view_page', args: { page_num: 2, region } }],
  ]);
  expect(offers(requests[0]!)).toContain('view_page');
  expect(requests[0]!.messages.at(-1)?.content).toMatch(/^Today is .* \(Asia\/Tokyo\)\./);
  expect(requests.map(({ messages }) => imagesIn(messages))).toEqual([[], [urlOf(2)], [urlOf(2), urlOf(2, region)]]);
  expect(JSON.stringify(result.messages)).not.toContain('data:image');
  // Each request starts with the previous one, so that endpoints can cache it.
  const sent = requests.map(({ messages }) => JSON.stringify(messages.slice(0, -1)).slice(0, -1));
  expect(sent[2]!.startsWith(sent[1]!)).toBe(true);
});

it('offers no view_page to a model that cannot see, and sends it no image', async () => {
  const { requests, result } = await lookAt(false, [[{ name: 'view_page', args: { page_num: 2 } }]]);
  expect(offers(requests[0]!)).not.toContain('view_page');
  expect(requests.flatMap(({ messages }) => imagesIn(messages))).toEqual([]);
  expect(result.executedRounds[0]!.tool_calls).toMatchObject([
    { name: 'view_page', success: false, error: expect.stringContaining('You cannot see images') },
  ]);
});

it('sends at most the eight newest images', async () => {
  const history = Array.from({ length: 11 }, (_, at): LlmMessage[] => [
    { role: 'assistant', content: '', toolCalls: [{ id: `c${at}`, name: 'view_page', arguments: '{}' }] },
    { role: 'tool', callId: `c${at}`, content: JSON.stringify({ page_num: at + 1, shown: true }) },
  ]).flat();
  const memory = createInMemoryDocumentServices();
  const services = { ...memory, documents: { ...memory.documents, image } };
  const shownIn = (messages: readonly LlmMessage[]) =>
    messages.flatMap(({ role, content }) => (role === 'tool' ? [JSON.parse(content).shown as boolean] : []));
  const sent = await withPageImages(services, history);
  expect(imagesIn(sent)).toEqual([5, 6, 7, 8, 9, 10, 11].map((page) => urlOf(page)));
  // A result says that its page is shown only if it is.
  expect(shownIn(sent)).toEqual([...Array(4).fill(false), ...Array(7).fill(true)]);
  const toBlind = await withPageImages(services, history, false);
  expect(imagesIn(toBlind)).toEqual([]);
  expect(shownIn(toBlind)).toEqual(Array(11).fill(false));
  const gone = { ...services, documents: { ...services.documents, image: async () => Promise.reject(notFound) } };
  expect(shownIn(await withPageImages(gone, history)).some(Boolean)).toBe(false);
});

const notFound = new DomainError('not_found', 'document_not_found', 'There is no such document.');
