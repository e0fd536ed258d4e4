import { afterEach, expect, test, vi } from 'vitest';
import { createDocwright } from '../create-docwright.ts';
import { answer, frames, refuse, startScriptedServer } from '../testing/scripted-server.ts';

let server: Awaited<ReturnType<typeof startScriptedServer>> | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await server?.stop();
  server = undefined;
});

async function serve(...handlers: Parameters<typeof startScriptedServer>) {
  server = await startScriptedServer(...handlers);
  return createDocwright({ baseUrl: server.url, token: 'secret', organizationId: 'o1', retries: 0 });
}

const gone = refuse(503, 'not_ready');
const feed = (next_after: number, ...seqs: number[]) =>
  answer(200, { events: seqs.map((seq) => ({ seq, type: 'run.completed', data: {} })), next_after, oldest: 1 });

test('the feed goes on after the server was away', async () => {
  const client = await serve(feed(2, 1, 2), gone, (_request, response) => void response.destroy(), feed(3, 3));
  const seen: number[] = [];
  for await (const { seq } of client.events.follow()) {
    seen.push(seq);
    if (seq === 3) break;
  }
  expect(seen).toEqual([1, 2, 3]);
  expect(server!.requests.map(({ url }) => url.match(/after=(\d)/)?.[1])).toEqual([undefined, '2', '2', '2']);
});

test('the feed ends with the error of a server that refuses it', async () => {
  const client = await serve(refuse(410, 'events_gone'));
  await expect(client.events.follow({ after: 1 }).next()).rejects.toMatchObject({ code: 'events_gone' });
});

test('a document whose events never come is not called read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const client = await serve(
    ...Array.from({ length: 11 }, () => frames([])),
    answer(200, { id: 'd1', state: 'ocr_processing' }),
  );
  const waiting = expect(client.documents.waitForText('d1')).rejects.toMatchObject({ code: 'connection_lost' });
  const ended = waiting.then(() => true);
  while (!(await Promise.race([ended, new Promise((resolve) => setImmediate(resolve, false))]))) {
    await vi.advanceTimersByTimeAsync(1_000);
  }
});

test.each([
  ['events', (client: ReturnType<typeof createDocwright>) => client.runs.wait('r1')],
  ['a turn', (client: ReturnType<typeof createDocwright>) => client.chat.stream('d1', { messages: [] }).answer()],
  ['an answer', (client: ReturnType<typeof createDocwright>) => client.agentConversations.stream('c1', 'Hi.').answer()],
])('a stream of %s that is not JSON is no answer of this product', async (_, read) => {
  const client = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('id: 1\ndata: <html>\n\n');
  });
  await expect(read(client)).rejects.toMatchObject({ name: 'DocwrightError', code: 'not_docwright' });
});

test('a list whose pages name the same next page is left', async () => {
  const page = answer(200, { tags: [{ tag_id: 't1' }], total_count: 9, next_cursor: 'same', skip: 0, limit: 1 });
  const client = await serve(page, page, page);
  const read = async () => {
    for await (const _ of client.tags.listAll()) continue;
  };
  await expect(read()).rejects.toMatchObject({ code: 'not_docwright' });
});

test.each([Number.POSITIVE_INFINITY, 2 ** 31])('a time limit of %d ms is a long one', async (timeoutMs) => {
  const client = await serve((_request, response) => {
    setTimeout(() => answer(200, { models: [] })(_request, response, ''), 50);
  });
  expect(await client.auth.me({ timeoutMs })).toEqual({ models: [] });
});
