import { systemIn } from '@docwright/agent-core/testing';
import type { Thread, ThreadSummary, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { decideAll, userMessage, startChatTestBench, type ChatTestBench } from '../../testing/chat-test-bench.ts';

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());

interface ThreadList {
  threads: ThreadSummary[];
  total_count: number;
}

it('creates, renames, lists and deletes threads, last used first', async () => {
  const { chat } = await bench.documentOf(bench.admin);
  const created = await bench.admin.post<{ thread_id: string }>(`${chat}/threads`, { title: 'Totals' });
  expect(created.status).toBe(201);
  const second = await bench.admin.post<{ thread_id: string }>(`${chat}/threads`);
  const path = `${chat}/threads/${created.body.thread_id}`;
  expect(await bench.admin.patch(path, { title: 'Sums' })).toMatchObject({ status: 200, body: { title: 'Sums' } });

  bench.script({ text: 'Yes.' });
  await bench.admin.post(chat, { ...userMessage('Is it paid?'), thread_id: created.body.thread_id });
  const { body } = await bench.admin.get<ThreadList>(`${chat}/threads?limit=1`);
  expect(body).toMatchObject({ threads: [{ id: created.body.thread_id, title: 'Sums' }], total_count: 2 });

  expect((await bench.admin.delete(path)).status).toBe(204);
  expect((await bench.admin.get(path)).status).toBe(404);
  expect((await bench.admin.get<ThreadList>(`${chat}/threads`)).body.threads).toMatchObject([
    { id: second.body.thread_id },
  ]);
});

it('returns the model for the first turn of a thread', async () => {
  const { chat } = await bench.documentOf(bench.admin);
  const { thread_id } = (await bench.admin.post<{ thread_id: string }>(`${chat}/threads`)).body;
  const { body } = await bench.admin.get<Thread>(`${chat}/threads/${thread_id}`);
  bench.script({ text: 'Yes.' });
  await bench.admin.post(chat, { ...userMessage('Is it paid?'), thread_id });
  const after = await bench.admin.get<Thread>(`${chat}/threads/${thread_id}`);
  expect(body).toMatchObject({ messages: [], model: after.body.model });
  expect(body.model).not.toBe('');
});

it('derives the title from the first 50 characters of the first message until a user renames it', async () => {
  const { chat } = await bench.documentOf(bench.admin);
  const { thread_id } = (await bench.admin.post<{ thread_id: string }>(`${chat}/threads`, {})).body;
  const message = `${'🧾'.repeat(49)}äb`;
  bench.script({ text: 'One.' }, { text: 'Two.' });
  await bench.admin.post(chat, { ...userMessage(message), thread_id });
  await bench.admin.post(chat, { ...userMessage('Something else'), thread_id });
  const { body } = await bench.admin.get<Thread>(`${chat}/threads/${thread_id}`);
  expect(body.title).toBe(`${'🧾'.repeat(49)}ä`);
});

it('restores the working state with the thread', async () => {
  const { chat } = await bench.documentOf(bench.admin);
  const response_format = {
    type: 'json_schema',
    json_schema: {
      name: 'odd',
      schema: {
        type: 'object',
        properties: { $c: { type: 'string' } },
        required: ['$c'],
        additionalProperties: false,
      },
    },
  };
  const model = bench.script(
    { calls: [{ name: 'create_schema', args: { name: 'Odd names', response_format } }] },
    { text: 'Made.' },
    { text: 'Here.' },
  );
  const first = await bench.admin.post<TurnAnswer>(chat, {
    ...userMessage('Make it'),
    auto_approved_tools: ['create_schema'],
  });
  expect(first.body.executed_rounds[0]?.tool_calls[0]).toMatchObject({ success: true });
  const { schema_revid } = first.body.working_state;
  expect(schema_revid).toMatch(/^[0-9a-f]{24}$/u);
  await bench.admin.post(chat, { ...userMessage('And now?'), thread_id: first.body.thread_id });
  expect(systemIn(model.requests[2])).toContain(`"schema_revid":"${schema_revid}"`);
});

it('is removed with its document', async () => {
  const { id, chat } = await bench.documentOf(bench.admin);
  bench.script({ text: 'Hello.' });
  const { thread_id, turn_id } = (await bench.admin.post<TurnAnswer>(chat, userMessage('Hello'))).body;
  await bench.admin.delete(`./documents/${id}`);
  expect((await bench.admin.get(`${chat}/threads/${thread_id}`)).status).toBe(404);
  expect((await bench.admin.get(`${chat}/turns/${turn_id}`)).status).toBe(404);
  await bench.admin.delete(`./documents/trash/${id}`);
  expect(await bench.connection.collection('agent_thread_messages').countDocuments({ content: 'Hello.' })).toBe(0);
});

it('finds a thread by a part of its title, as plain text, on any page', async () => {
  const { chat } = await bench.documentOf(bench.admin);
  for (const title of ['Totals (net)', 'Dates', 'Names']) await bench.admin.post(`${chat}/threads`, { title });
  const find = async (words: string) =>
    (await bench.admin.get<ThreadList>(`${chat}/threads?limit=1&name_search=${encodeURIComponent(words)}`)).body;
  expect(await find('s (NET')).toMatchObject({ threads: [{ title: 'Totals (net)' }], total_count: 1 });
  expect(await find('.')).toMatchObject({ threads: [], total_count: 0 });
});

it('returns the state of its newest turn only to its owner', async () => {
  const { chat } = await bench.documentOf(bench.admin);
  const { thread_id } = (await bench.admin.post<{ thread_id: string }>(`${chat}/threads`)).body;
  const path = `${chat}/threads/${thread_id}/latest_turn`;
  const latest = async () => (await bench.admin.get<{ latest_turn: unknown }>(path)).body.latest_turn;
  expect(await latest()).toBeNull();
  bench.script(
    { calls: [{ name: 'create_tag', args: { name: 'seen elsewhere' } }] },
    { thinking: 'Well.', text: 'Done.' },
  );
  const first = (await bench.admin.post<TurnAnswer>(chat, { ...userMessage('Tag it'), thread_id })).body;
  const waiting = { turn_id: first.turn_id, status: 'awaiting_approval', usage: first.usage };
  expect(await latest()).toMatchObject({ ...waiting, context: { messages: 2, max_messages: 20 } });

  const release = bench.pauseModel();
  const decided = bench.admin.post(`${chat}/approve`, decideAll(first, true));
  await vi.waitFor(async () => expect(await latest()).toMatchObject({ status: 'running' }), 10_000);
  release();
  await decided;
  expect(await latest()).toMatchObject({ turn_id: first.turn_id, status: 'completed' });
  const { messages, latest_turn } = (await bench.admin.get<Thread>(`${chat}/threads/${thread_id}`)).body;
  expect(messages.at(-1)).toMatchObject({ thinking: 'Well.', thinking_ms: expect.any(Number) });
  expect(latest_turn).toEqual(await latest());
  expect((await (await bench.addUser('member')).get(path)).status).toBe(404);
});
