import type { Tag, Thread } from '@docwright/contract';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startMcpTestBench, type McpTestBench } from '../../testing/mcp-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';

/** Clients that leave or cancel while a call waits for the user. */
let bench: McpTestBench;
beforeAll(async () => {
  bench = await startMcpTestBench();
});
afterAll(async () => bench.stop());

let nameCount = 0;
const newName = () => `tag-${(nameCount += 1)}`;
async function tagsNamed(user: TestClient, name: string): Promise<Tag[]> {
  return (await user.get<{ tags: Tag[] }>(`./tags?name_search=${name}`)).body.tags.filter((tag) => tag.name === name);
}

// The first ones: their clients open other connections, which only a further request makes idle and lets the server
// close.
it('withdraws the card of a call whose client left before it was answered (2026-07-28)', async () => {
  const { id, chat } = await bench.documentOf(bench.admin);
  const name = newName();
  const { client } = await bench.connect(bench.admin, { revision: '2026-07-28', answer: () => 'accept' });
  const { calls } = bench.services.mcp;
  const proposed = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const call = vi.spyOn(calls, 'call').mockImplementation(async (...given) => {
    call.mockRestore();
    const outcome = await calls.call(...given);
    proposed.resolve();
    await left.promise;
    return outcome;
  });
  const watch = (_: unknown, response: ServerResponse) =>
    response.once('close', () => !response.writableFinished && left.resolve());
  bench.app.server.on('request', watch);
  const stop = new AbortController();
  const called = client
    .callTool({ name: 'create_tag', arguments: { document_id: id, name } }, { signal: stop.signal })
    .catch((error: unknown) => String(error));
  await proposed.promise;
  const pending = async () => {
    const { threads } = (await bench.admin.get<{ threads: { id: string }[] }>(`${chat}/threads`)).body;
    return (await bench.admin.get<Thread>(`${chat}/threads/${threads[0]!.id}`)).body.pending_turn;
  };
  expect(await pending()).toMatchObject({ status: 'awaiting_approval' });
  stop.abort('not wanted');
  expect(await called).toContain('not wanted');
  await left.promise;
  bench.app.server.off('request', watch);
  await expect.poll(pending).toBeUndefined();
  expect(await tagsNamed(bench.admin, name)).toHaveLength(0);
});

const question = { name: 'ask_documents', arguments: { question: 'What did we pay?' } };
/** The state of the newest question, once its model has been asked. */
const newestQuestion = async (): Promise<string | undefined> =>
  (await bench.connection.collection('agent_turns').findOne({}, { sort: { _id: -1 } }))?.['status'] as string;

it.each(['earlier', '2026-07-28'] as const)(
  'ends a question over many documents that its client cancels (%s)',
  async (revision) => {
    const model = bench.script({ hangs: true });
    const { client } = await bench.connect(bench.admin, { revision });
    const stop = new AbortController();
    const called = client.callTool(question, { signal: stop.signal }).catch((error: unknown) => String(error));
    await expect.poll(() => model.requests.length).toBe(1);
    stop.abort('not wanted');
    expect(await called).toContain('not wanted');
    await expect.poll(newestQuestion, { timeout: 5_000 }).toBe('stopped');
  },
);

it.each(['earlier', '2026-07-28'] as const)(
  'ends a question over many documents whose client leaves (%s)',
  async (revision) => {
    const model = bench.script({ hangs: true });
    const { client } = await bench.connect(bench.admin, { revision });
    const called = client.callTool(question).catch((error: unknown) => String(error));
    await expect.poll(() => model.requests.length).toBe(1);
    await client.close();
    await called;
    await expect.poll(newestQuestion, { timeout: 5_000 }).toBe('stopped');
  },
);

it('keeps the card when the client disconnects during the question', async () => {
  const { id } = await bench.documentOf(bench.admin);
  const name = newName();
  const asking = Promise.withResolvers<void>();
  const { client, call } = await bench.connect(bench.admin, {
    answer: () => {
      asking.resolve();
      return Promise.withResolvers<'accept'>().promise;
    },
  });
  const failedCall = call('create_tag', { document_id: id, name }).catch((error: Error) => error.name);
  await asking.promise;
  await client.close();
  expect(await failedCall).toMatch(/Error/u);
  const chat = `./documents/${id}/chat`;
  const { threads } = (await bench.admin.get<{ threads: { id: string }[] }>(`${chat}/threads`)).body;
  const { pending_turn } = (await bench.admin.get<Thread>(`${chat}/threads/${threads[0]!.id}`)).body;
  await bench.decide(bench.admin, id, pending_turn!.turn_id, true);
  expect(await tagsNamed(bench.admin, name)).toHaveLength(1);
});

it('rejects a call that its client cancels during the question, also if the question is answered later', async () => {
  const { id } = await bench.documentOf(bench.admin);
  const name = newName();
  const asking = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<'accept'>();
  const { client } = await bench.connect(bench.admin, {
    answer: () => {
      asking.resolve();
      return answer.promise;
    },
  });
  const stop = new AbortController();
  const called = client
    .callTool({ name: 'create_tag', arguments: { document_id: id, name } }, { signal: stop.signal })
    .catch((error: unknown) => String(error));
  await asking.promise;
  stop.abort('not wanted');
  expect(await called).toContain('not wanted');
  const questions = bench.connection.collection<{ _id: string }>('mcp_questions');
  await expect.poll(() => questions.countDocuments({ _id: /^cancelled/u })).toBeGreaterThan(0);
  answer.resolve('accept');
  const chat = `./documents/${id}/chat`;
  const waiting = async () => {
    const { threads } = (await bench.admin.get<{ threads: { id: string }[] }>(`${chat}/threads`)).body;
    return (await bench.admin.get<Thread>(`${chat}/threads/${threads[0]!.id}`)).body.pending_turn;
  };
  await expect.poll(waiting).toBeUndefined();
  expect(await tagsNamed(bench.admin, name)).toHaveLength(0);
});
