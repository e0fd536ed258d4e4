import { setTimeout } from 'node:timers/promises';
import type { ApproveBody, Tag, Thread, TurnAnswer } from '@docwright/contract';
import { mongo } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canonicalDecisions } from './stored-decisions.ts';
import { createTurnRepositories } from '../../turns/turn-repository.ts';
import { decideAll, userMessage, startChatTestBench, type ChatTestBench } from '../../../testing/chat-test-bench.ts';

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());

function decisions(answer: TurnAnswer): ApproveBody {
  return { ...decideAll(answer, true), stream: false };
}

it('accepts an approval, continues the event ids, and answers a repeated decision of the first process', async () => {
  const { id, chat } = await bench.documentOf(bench.admin);
  bench.script(
    { calls: [{ name: 'create_tag', args: { name: 'early' } }] },
    { calls: [{ name: 'create_tag', args: { name: 'late' } }] },
  );
  const first = (await bench.admin.post<TurnAnswer>(chat, userMessage('Tag it'))).body;
  const second = (await bench.admin.post<TurnAnswer>(`${chat}/approve`, decideAll(first, true))).body;
  expect(second.status).toBe('awaiting_approval');

  const other = bench.anotherProcess({ text: 'Both are there.' });
  const { actor } = bench.admin;
  const repeated = await other.approvals.approve(actor, id, decisions(first));
  expect(await repeated.answer).toEqual(second);
  const run = await other.approvals.approve(actor, id, decisions(second));
  expect(run.after).toBe(9);
  expect(await run.answer).toMatchObject({
    turn_id: first.turn_id,
    status: 'completed',
    text: 'Both are there.',
    executed_rounds: [{ round_index: 0 }, { round_index: 1 }],
  });
  await other.stop();
  const { body } = await bench.admin.get<{ tags: Tag[] }>('./tags');
  expect(body.tags.map((tag) => tag.name).toSorted()).toEqual(['early', 'late']);
  expect((await bench.admin.post(`${chat}/approve`, decideAll(second, true))).body).toEqual(await run.answer);
});

it('waits for the answer of a decision that the first process is running', async () => {
  const { id, chat } = await bench.documentOf(bench.admin);
  bench.script({ calls: [{ name: 'create_tag', args: { name: 'once' } }] }, { text: 'It is there.' });
  const waiting = (await bench.admin.post<TurnAnswer>(chat, userMessage('Tag it'))).body;
  const release = bench.pauseModel();
  const first = bench.admin.post<TurnAnswer>(`${chat}/approve`, decideAll(waiting, true));
  const turn = `${chat}/turns/${waiting.turn_id}`;
  while ((await bench.admin.get<{ status: string }>(turn)).body.status !== 'running') await setTimeout(10);
  const other = bench.anotherProcess();
  const second = other.approvals.approve(bench.admin.actor, id, decisions(waiting));
  await setTimeout(200);
  release();
  expect(await (await second).answer).toEqual((await first).body);
  expect((await first).body).toMatchObject({ status: 'completed', text: 'It is there.' });
  await other.stop();
});

it('runs a decided batch whose process died, and repeats no write', async () => {
  const { id, chat } = await bench.documentOf(bench.admin);
  const { actor } = bench.admin;
  const calls = ['cut-1', 'cut-2'].map((name) => ({ name: 'create_tag', args: { name } }));
  bench.script({ calls }, { text: 'Both are there.' });
  const waiting = (await bench.admin.post<TurnAnswer>(chat, userMessage('Tag it'))).body;
  const body = decisions(waiting);

  // The state after a process died right after the first write: the decision and the write are stored, no result is.
  const owner = { organizationId: actor.organizationId, documentId: id, userId: actor.userId };
  const turns = createTurnRepositories(bench.connection).turnsOf(owner);
  const call_ids = waiting.tool_calls.map((call) => call.id);
  const turn = await turns.get(waiting.turn_id);
  expect(await turns.decide(turn!, { role: 'admin', batch: { call_ids, decisions: canonicalDecisions(body) } })).toBe(
    true,
  );
  await bench.services.tags(actor).create({ name: 'cut-1' }, { call_id: call_ids[0]! });
  await bench.connection
    .collection('agent_turns')
    .updateOne({ status: 'running' }, { $set: { lease_until: new Date(0) } });

  const answers = await Promise.all([1, 2, 3].map(() => bench.admin.post<TurnAnswer>(`${chat}/approve`, body)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers[0]!.body).toMatchObject({
    status: 'completed',
    text: 'Both are there.',
    executed_rounds: [{ tool_calls: [{ success: true }, { success: true }] }],
  });
  expect(answers[1]!.body).toEqual(answers[0]!.body);
  const { body: list } = await bench.admin.get<{ tags: Tag[] }>('./tags?name_search=cut-');
  expect(list.tags.map((tag) => tag.name)).toEqual(['cut-1', 'cut-2']);
  const { messages } = (await bench.admin.get<Thread>(`${chat}/threads/${waiting.thread_id}`)).body;
  expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(2);
});

it('accepts a new message in a thread whose turn was interrupted with its process', async () => {
  const { id, chat } = await bench.documentOf(bench.admin);
  bench.script({ calls: [{ name: 'list_tags' }] }, { text: 'Here again.' });
  const { thread_id } = (await bench.admin.post<{ thread_id: string }>(`${chat}/threads`)).body;
  const turns = bench.connection.collection('agent_turns');
  const orphan = await turns.insertOne({
    organization_id: new mongo.ObjectId(bench.admin.organizationId),
    document_id: new mongo.ObjectId(id),
    user_id: new mongo.ObjectId(bench.admin.userId),
    thread_id: new mongo.ObjectId(thread_id),
    status: 'running',
    event_count: 3,
    decided: [],
    decided_count: 0,
    lease_until: new Date(Date.now() - 1),
    created_at: new Date(),
  });
  const turnPath = `${chat}/turns/${orphan.insertedId.toHexString()}`;
  expect(await bench.admin.get(turnPath)).toMatchObject({
    body: { status: 'failed', error: { code: 'turn_interrupted' } },
  });
  const next = await bench.admin.post(chat, { ...userMessage('Are you there?'), thread_id });
  expect(next).toMatchObject({ status: 200, body: { status: 'completed', text: 'Here again.' } });
  const thread = await bench.admin.get<Thread>(`${chat}/threads/${thread_id}`);
  expect(thread.body.messages[0]).toMatchObject({ content: 'Are you there?' });
});
