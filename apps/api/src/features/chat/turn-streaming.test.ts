import { connect, type Socket } from 'node:net';
import type { Thread, TurnAnswer } from '@docwright/contract';
import { DomainError } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  decideAll,
  framesOf,
  userMessage,
  startChatTestBench,
  type ChatTestBench,
} from '../../testing/chat-test-bench.ts';

let bench: ChatTestBench;
let address: string;
beforeAll(async () => {
  bench = await startChatTestBench();
  address = bench.address;
});
afterAll(async () => bench.stop());

const createTag = (name: string) => ({ name: 'create_tag', args: { name } });

/** Uses a real socket, because these tests are about the socket. */
function fetchStream(path: string, init: RequestInit = {}, headers: Record<string, string> = {}): Promise<Response> {
  const { accessToken, organizationId } = bench.admin;
  return fetch(address + path.replace('./', `/v0/orgs/${organizationId}/`), {
    ...init,
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json', ...headers },
  });
}

/** Asks for a stream and reads nothing of it, so that the system's buffer for the client stays as small as it begins. */
function requestWithoutReading(path: string): Socket {
  const { hostname, port, pathname } = new URL(path, `${address}/v0/orgs/${bench.admin.organizationId}/`);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${bench.admin.accessToken}\r\n\r\n`,
  );
  return socket;
}

function postStream(path: string, body: object, signal?: AbortSignal): Promise<Response> {
  return fetchStream(path, {
    method: 'POST',
    body: JSON.stringify({ ...body, stream: true }),
    ...(signal && { signal }),
  });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the condition was not met within 2 s');
}

describe('a streamed turn', () => {
  it('sends numbered frames across its pause, one closing event per response, and replays all of them', async () => {
    const { chat } = await bench.documentOf(bench.admin);
    bench.script(
      { thinking: 'Hm.', text: ['Let ', 'me.'], calls: [{ name: 'list_tags' }, createTag('streamed')] },
      { text: 'Done.' },
    );
    const response = await postStream(chat, userMessage('Tag it'));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const first = framesOf(await response.text());
    expect(first.map(({ event }) => event)).toEqual([
      'turn_started',
      'thinking_chunk',
      'thinking_done',
      'assistant_text_chunk',
      'assistant_text_chunk',
      'assistant_text_done',
      'usage',
      'tool_calls',
      'tool_result',
      'done',
    ]);
    const waiting = first.at(-1)!.data['result'] as TurnAnswer;
    expect(waiting).toMatchObject({ status: 'awaiting_approval' });

    const second = framesOf(await (await postStream(`${chat}/approve`, decideAll(waiting, true))).text());
    expect(second.map(({ event }) => event)).toEqual([
      'tool_result',
      'round_executed',
      'assistant_text_chunk',
      'assistant_text_done',
      'usage',
      'done',
    ]);
    const all = [...first, ...second];
    expect(all.map(({ id }) => id)).toEqual(all.map((_, index) => index + 1));

    const events = `${chat}/turns/${waiting.turn_id}/events`;
    expect(framesOf(await (await fetchStream(events)).text())).toEqual(all);
    const rest = await fetchStream(events, {}, { 'last-event-id': '12' });
    expect(framesOf(await rest.text())).toEqual(all.slice(12));
    const nothing = await fetchStream(events, {}, { 'last-event-id': String(all.length) });
    expect([nothing.status, await nothing.text()]).toEqual([204, '']);
  });

  it('is kept open by heartbeat comments that end with a blank line and are not events', async () => {
    const { chat } = await bench.documentOf(bench.admin);
    bench.script({ text: 'At last.' });
    const release = bench.pauseModel();
    vi.useFakeTimers({ toFake: ['setInterval'] });
    try {
      const response = await postStream(chat, userMessage('Think long'));
      await vi.advanceTimersByTimeAsync(31_000);
      release();
      const text = await response.text();
      const comments = text.split('\n\n').filter((part) => part.startsWith(':'));
      expect(comments).toEqual([': heartbeat', ': heartbeat']);
      expect(text).toMatch(/\n\n: heartbeat\n\n: heartbeat\n\nid: 2\n/u);
      expect(framesOf(text).at(-1)).toMatchObject({ event: 'done' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('can be followed across its pauses to its end', async () => {
    const { chat } = await bench.documentOf(bench.admin);
    bench.script({ calls: [createTag('followed')] }, { text: 'Done.' });
    const { body } = await bench.admin.post<TurnAnswer>(chat, userMessage('Tag it'));
    const following = fetchStream(`${chat}/turns/${body.turn_id}/events`).then((response) => response.text());
    await bench.admin.post(`${chat}/approve`, decideAll(body, false));
    const closingEvents = framesOf(await following).filter(({ event }) => event === 'done');
    expect(closingEvents.map(({ data }) => (data['result'] as TurnAnswer).status)).toEqual([
      'awaiting_approval',
      'completed',
    ]);
  });

  it('ends with one error event when the model fails', async () => {
    const { chat } = await bench.documentOf(bench.admin);
    bench.script({ error: new DomainError('model_failed', 'model_unreachable', 'The endpoint did not answer.') });
    const frames = framesOf(await (await postStream(chat, userMessage('Hello'))).text());
    expect(frames.map(({ event }) => event)).toEqual(['turn_started', 'error']);
    expect(frames[1]!.data).toMatchObject({ code: 'model_unreachable' });
  });

  it('runs writes without approval only if the message allows it', async () => {
    const { chat } = await bench.documentOf(bench.admin);
    bench.script({ calls: [createTag('auto-1')] }, { text: 'Done.' });
    const auto = framesOf(await (await postStream(chat, { ...userMessage('Tag it'), auto_approve: true })).text());
    expect(auto.at(-1)!.data['result']).toMatchObject({ status: 'completed' });
    bench.script({ calls: [createTag('auto-2'), { name: 'delete_document' }] });
    const allowed = { ...userMessage('Tag it'), auto_approved_tools: ['create_tag'] };
    expect((await bench.admin.post<TurnAnswer>(chat, allowed)).body).toMatchObject({
      status: 'awaiting_approval',
      tool_calls: [{ needs_approval: false }, { needs_approval: true }],
    });
  });
});

describe('a turn and its client', () => {
  it('keeps running when the client disconnects', async () => {
    const { chat } = await bench.documentOf(bench.admin);
    const release = bench.pauseModel();
    bench.script({ calls: [{ name: 'list_tags' }] }, { text: 'Said to nobody.' });
    const client = new AbortController();
    const response = await postStream(chat, userMessage('Hello'), client.signal);
    const turnId = await startedTurn(response);
    client.abort();
    release();
    await until(async () => (await stateOf(chat, turnId)).status === 'completed');
    expect((await stateOf(chat, turnId)).text).toBe('Said to nobody.');
  });

  it('is not blocked by a client that does not read, and that client misses nothing', async () => {
    const { chat } = await bench.documentOf(bench.admin);
    const chunk = 'x'.repeat(100_000);
    bench.script({ text: Array.from({ length: 50 }, () => chunk) });
    const response = await postStream(chat, userMessage('Write a book'));
    await until(async () => {
      const { body } = await bench.admin.get<{ threads: { id: string }[] }>(`${chat}/threads`);
      const thread = await bench.admin.get<Thread>(`${chat}/threads/${body.threads[0]!.id}`);
      return thread.body.messages.length === 2;
    });
    const frames = framesOf(await response.text());
    expect(frames.filter(({ event }) => event === 'assistant_text_chunk')).toHaveLength(50);
    expect(frames.at(-1)!.event).toBe('done');
  });

  it('queues at most one write for clients that do not read, and does not block others', async () => {
    const { chat } = await bench.documentOf(bench.admin);
    bench.script({ text: Array.from({ length: 100 }, () => 'x'.repeat(100_000)) });
    const { body } = await bench.admin.post<TurnAnswer>(chat, userMessage('Write a book'));
    const events = `${chat}/turns/${body.turn_id}/events`;
    const sockets = new Set<Socket>();
    bench.app.server.on('request', ({ socket }) => sockets.add(socket));
    const idle = Array.from({ length: 5 }, () => requestWithoutReading(events));
    await expect.poll(() => sockets.size).toBe(5);
    const read = await (await fetchStream(events)).text();
    expect(framesOf(read).at(-1)!.event).toBe('done');
    // The turn has 10 MB; at most one write is queued for a reader. The last write to the client that has read everything
    // counts until its callback has run.
    await expect.poll(() => Math.max(...[...sockets].map((socket) => socket.writableLength))).toBeLessThan(500_000);
    for (const socket of idle) socket.destroy();
  });

  it('stops on request, keeps executed calls, and refuses a second turn in the thread while it runs', async () => {
    const { chat } = await bench.documentOf(bench.admin);
    bench.script({ calls: [{ name: 'list_tags' }] }, { text: 'So far', hangs: true });
    const response = await postStream(chat, userMessage('Hello'));
    const turnId = await startedTurn(response);
    const { thread_id, status } = await stateOf(chat, turnId);
    expect(status).toBe('running');
    const busy = await bench.admin.post(chat, { ...userMessage('Me too'), thread_id });
    expect(busy).toMatchObject({ status: 409, error: { code: 'turn_running' } });

    await until(async () => (await stateOf(chat, turnId)).text === 'So far');
    expect(await stateOf(chat, turnId)).toMatchObject({
      text: 'So far',
      executed_rounds: [{ tool_calls: [{ name: 'list_tags', arguments: '{}', success: true }] }],
    });
    const stopped = await bench.admin.post<TurnAnswer>(`${chat}/turns/${turnId}/stop`);
    expect(stopped.body).toMatchObject({
      status: 'stopped',
      executed_rounds: [{ tool_calls: [{ name: 'list_tags', success: true }] }],
    });
    const events = await (await fetchStream(`${chat}/turns/${turnId}/events`)).text();
    expect(framesOf(events).at(-1)).toMatchObject({ event: 'done', data: { result: { status: 'stopped' } } });
    bench.script({ text: 'Here again.' });
    expect(await bench.admin.post(chat, { ...userMessage('And now?'), thread_id })).toMatchObject({ status: 200 });
  });
});

async function stateOf(chat: string, turnId: string) {
  return (await bench.admin.get<Omit<TurnAnswer, 'status'> & { status: string }>(`${chat}/turns/${turnId}`)).body;
}

/** The turn's id from the first frame; the rest of the stream is left unread. */
async function startedTurn(response: Response): Promise<string> {
  const { value } = await response.body!.getReader().read();
  const [frame] = framesOf(new TextDecoder().decode(value).split('\n\n').slice(0, 1).join(''));
  return String(frame!.data['turn_id']);
}
