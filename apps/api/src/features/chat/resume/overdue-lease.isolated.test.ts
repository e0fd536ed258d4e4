import { setTimeout as sleep } from 'node:timers/promises';
import type { Thread } from '@docwright/contract';
import { mongo } from 'mongoose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { framesOf, userMessage, startChatTestBench, type ChatTestBench } from '../../../testing/chat-test-bench.ts';

// Simulates a process that is too busy to renew its leases.
vi.mock('../running/keep-leases.ts', () => ({ keepLeases: () => ({ stop: () => undefined }) }));

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());

it('an expired lease neither makes a process resume its own running turn nor ends the streams of its readers', async () => {
  const { chat } = await bench.documentOf(bench.admin);
  bench.script({ text: 'Slowly.' });
  const resumeModel = bench.pauseModel();
  const { accessToken, organizationId } = bench.admin;
  const response = await fetch(bench.address + chat.replace('./', `/v0/orgs/${organizationId}/`), {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...userMessage('Speak'), stream: true }),
  });
  await bench.connection
    .collection('agent_turns')
    .updateMany({ status: 'running' }, { $set: { lease_until: new Date(0) } });
  await sleep(2_200);
  resumeModel();
  const frames = framesOf(await response.text());
  expect(frames.map(({ event }) => event)).toEqual([
    'turn_started',
    'assistant_text_chunk',
    'assistant_text_done',
    'usage',
    'done',
  ]);
});

it.each([
  ['text', { text: 'Late.' }],
  ['a write', { calls: [{ name: 'create_tag', args: { name: 'late' } }] }],
])('a turn that another process took over writes nothing more: %s', async (_, step) => {
  const { chat } = await bench.documentOf(bench.admin);
  const { thread_id } = (await bench.admin.post<{ thread_id: string }>(`${chat}/threads`)).body;
  bench.script(step);
  const resumeModel = bench.pauseModel();
  const asked = bench.admin.post(chat, { ...userMessage('Tag it'), thread_id, auto_approved_tools: ['create_tag'] });
  const turns = bench.connection.collection('agent_turns');
  const takenOver = { take_ups: 1, holder: { machine: 'another', pid: 1, instance: 'another' } };
  const changed = async () =>
    (await turns.updateOne({ thread_id: new mongo.ObjectId(thread_id), status: 'running' }, { $set: takenOver }))
      .matchedCount;
  await expect.poll(changed, { timeout: 10_000 }).toBe(1);
  const before = await turns.findOne({ thread_id: new mongo.ObjectId(thread_id) });
  resumeModel();
  expect(await asked).toMatchObject({ status: 409, error: { code: 'turn_taken_over' } });
  expect(await turns.findOne({ _id: before!._id })).toEqual(before);
  const { messages } = (await bench.admin.get<Thread>(`${chat}/threads/${thread_id}`)).body;
  expect(messages.map(({ content }) => content)).toEqual(['Tag it']);
  const { body } = await bench.admin.get<{ total_count: number }>('./tags?name_search=late');
  expect(body.total_count).toBe(0);
});
