import { afterEach, expect, test } from 'vitest';
import { createDocwright } from '../create-docwright.ts';
import { frames, refuse, startScriptedServer } from '../testing/scripted-server.ts';

type Server = Awaited<ReturnType<typeof startScriptedServer>>;
let server: Server | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const started = { id: 1, data: { type: 'turn_started', turn_id: 't1', thread_id: 'th', model: 'm' } };
const chunk = (id: number) => ({ id, data: { type: 'assistant_text_chunk', chunk: `c${id}` } });
const done = (id: number) => ({
  id,
  data: { type: 'done', result: { turn_id: 't1', status: 'completed', text: 'x' } },
});

async function serve(...handlers: Parameters<typeof startScriptedServer>) {
  server = await startScriptedServer(...handlers);
  const client = createDocwright({ baseUrl: server.url, token: 'secret', organizationId: 'o1', retries: 0 });
  return { client, server };
}

const say = { messages: [{ role: 'user' as const, content: 'hi' }] };

test('a broken stream resumes after the last event and yields no event twice', async () => {
  const { client, server } = await serve(
    frames([started, chunk(2)], 'break'),
    refuse(503, 'not_ready'),
    frames([chunk(2), chunk(3)], 'break'),
    frames([done(4)]),
  );
  const stream = client.chat.stream('d1', say);
  const seen: string[] = [];
  for await (const event of stream) seen.push(event.type === 'assistant_text_chunk' ? event.chunk : event.type);
  expect(seen).toEqual(['turn_started', 'c2', 'c3', 'done']);
  expect((await stream.answer()).status).toBe('completed');
  expect(server.requests.map(({ method, url, headers }) => [method, url, headers['last-event-id']])).toEqual([
    ['POST', '/v0/orgs/o1/documents/d1/chat', undefined],
    ['GET', '/v0/orgs/o1/documents/d1/chat/turns/t1/events', '2'],
    ['GET', '/v0/orgs/o1/documents/d1/chat/turns/t1/events', '2'],
    ['GET', '/v0/orgs/o1/documents/d1/chat/turns/t1/events', '3'],
  ]);
});

test('a server that stops is left for the next one, and what it says is no event', async () => {
  const stopping = { event: 'stopping', data: { type: 'stopping' } };
  const { client, server } = await serve(
    frames([started, chunk(2), stopping]),
    frames([chunk(3), done(4)]),
    frames([{ id: 1, data: { type: 'run', run: { state: 'running' } } }, stopping]),
    frames([{ id: 1, data: { type: 'done', run: { state: 'completed' } } }]),
  );
  const seen: string[] = [];
  for await (const { type } of client.chat.stream('d1', say)) seen.push(type);
  expect(seen).toEqual(['turn_started', 'assistant_text_chunk', 'assistant_text_chunk', 'done']);
  expect(server.requests.at(-1)!.headers['last-event-id']).toBe('2');
  const told: string[] = [];
  for await (const { type } of client.runs.events('r1')) told.push(type);
  expect(told).toEqual(['run', 'done']);
});

test('a message is not sent again if it is unknown whether a turn started', async () => {
  const { client, server } = await serve(frames([], 'break'), frames([started, done(2)]));
  await expect(client.chat.stream('d1', say).answer()).rejects.toMatchObject({ code: 'connection_lost' });
  expect(server.requests).toHaveLength(1);
});

test('a decision is sent again, because it is idempotent', async () => {
  const { client, server } = await serve(frames([], 'break'), frames([chunk(7), done(8)]));
  const stream = client.chat.streamApproval('d1', { turn_id: 't1', approvals: [] });
  expect((await stream.answer()).text).toBe('x');
  expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'POST']);
  expect(stream.lastEventId).toBe(8);
});

test('an error event is yielded and then thrown; a refused request throws at once', async () => {
  const failed = { id: 2, data: { type: 'error', code: 'model_failed', message: 'The model failed.' } };
  const { client } = await serve(frames([started, failed]), refuse(409, 'turn_running'));
  const seen: string[] = [];
  const read = async () => {
    for await (const event of client.chat.stream('d1', say)) seen.push(event.type);
  };
  await expect(read()).rejects.toMatchObject({ code: 'model_failed', status: 0 });
  expect(seen).toEqual(['turn_started', 'error']);
  await expect(client.chat.stream('d1', say).answer()).rejects.toMatchObject({ code: 'turn_running', status: 409 });
});

test('an abort throws its own reason', async () => {
  const { client } = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`id: 1\ndata: ${JSON.stringify(started.data)}\n\n`);
  });
  const controller = new AbortController();
  const reason = new Error('enough');
  const read = async () => {
    for await (const _event of client.chat.stream('d1', say, { signal: controller.signal })) controller.abort(reason);
  };
  await expect(read()).rejects.toBe(reason);
});
