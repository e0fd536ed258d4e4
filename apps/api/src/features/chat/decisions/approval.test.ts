import { historyIn } from '@docwright/agent-core/testing';
import type { addMemberAnswer, ApprovalList, Tag, Thread, TurnAnswer } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { decideAll, userMessage, startChatTestBench, type ChatTestBench } from '../../../testing/chat-test-bench.ts';

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());

let tagCount = 0;
/** A turn with one pending call, which would create a tag with a unique name. */
async function pendingTurn() {
  const { id, chat } = await bench.documentOf(bench.admin);
  const name = `waiting-${(tagCount += 1)}`;
  const model = bench.script({ calls: [{ name: 'create_tag', args: { name } }] }, { text: 'Done.' }, { text: 'Next.' });
  const { body: answer } = await bench.admin.post<TurnAnswer>(chat, userMessage('Tag it'));
  const tags = async () => (await bench.admin.get<{ tags: Tag[] }>(`./tags?name_search=${name}`)).body.tags;
  return { documentId: id, chat, name, model, answer, tags };
}

describe('a decision', () => {
  it('repeated returns the same answer, a different one is refused, and the call runs once', async () => {
    const { chat, answer, tags } = await pendingTurn();
    const first = await bench.admin.post(`${chat}/approve`, decideAll(answer, true));
    expect(await bench.admin.post(`${chat}/approve`, decideAll(answer, true))).toMatchObject({
      status: 200,
      body: first.body,
    });
    expect(await bench.admin.post(`${chat}/approve`, decideAll(answer, false))).toMatchObject({
      status: 409,
      error: { code: 'already_decided' },
    });
    expect(await tags()).toHaveLength(1);
  });

  it('is made once when many requests decide at the same moment', async () => {
    const { chat, answer, tags } = await pendingTurn();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => bench.admin.post(`${chat}/approve`, decideAll(answer, index % 2 === 0))),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(4);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4);
    expect((await tags()).length).toBeLessThanOrEqual(1);
  });
});

it('is withdrawn later if its document went to the trash while the turn paused', async () => {
  const all = async () => (await bench.admin.get<ApprovalList>('./approvals')).body.approvals;
  const waiting = async (id: string) => (await all()).filter(({ document_id }) => document_id === id).length;
  const { documentId, answer } = await pendingTurn();
  const record = { _id: new mongoose.Types.ObjectId(documentId) };
  await bench.connection.collection('documents').updateOne(record, { $set: { deleted_at: new Date() } });
  await bench.services.recoverDecisions(60_000);
  expect(await waiting(documentId)).toBe(0);
  const turn = { _id: new mongoose.Types.ObjectId(answer.turn_id) };
  expect(await bench.connection.collection('agent_turns').findOne(turn)).toMatchObject({ status: 'stopped' });
});

it('is withdrawn when its document goes to the trash, where nobody could make it', async () => {
  const { documentId, chat, answer, tags } = await pendingTurn();
  const waiting = async () =>
    (await bench.admin.get<ApprovalList>(`./approvals?document_id=${documentId}`)).body.total_count;
  expect(await waiting()).toBe(1);
  expect((await bench.admin.delete(`./documents/${documentId}`)).status).toBe(204);
  expect(await waiting()).toBe(0);
  expect((await bench.admin.post(`./documents/${documentId}/restore`)).status).toBe(200);
  const turn = `${chat}/turns/${answer.turn_id}`;
  expect((await bench.admin.get(turn)).body).toMatchObject({ status: 'stopped', tool_calls: [] });
  expect(await bench.admin.post(`${chat}/approve`, decideAll(answer, true))).toMatchObject({ status: 409 });
  expect(await tags()).toEqual([]);
});

describe('a rejected call', () => {
  it('does not run, even if a rule allows it and it only stands behind a call that asks', async () => {
    const client = await bench.addOrganization();
    const { chat } = await bench.documentOf(client);
    const rule = { tool: 'create_tag', effect: 'allow', scope: 'organization', when: { path: 'name', equals: 'free' } };
    expect((await client.post('./permission_rules', rule)).status).toBe(201);
    const calls = ['asked', 'free'].map((name) => ({ name: 'create_tag', args: { name } }));
    bench.script({ calls }, { text: 'Done.' });
    const { body: waiting } = await client.post<TurnAnswer>(chat, userMessage('Make tags called asked and free'));
    const [asked, free] = waiting.tool_calls;
    expect([asked?.needs_approval, free?.needs_approval]).toEqual([true, false]);
    const { body } = await client.post<TurnAnswer>(`${chat}/approve`, {
      turn_id: waiting.turn_id,
      approvals: [
        { call_id: asked!.id, approved: true },
        { call_id: free!.id, approved: false },
      ],
    });
    expect(body.executed_rounds[0]?.tool_calls.map(({ success }) => success)).toEqual([true, false]);
    const { body: listed } = await client.get<{ tags: Tag[] }>('./tags');
    expect(listed.tags.map(({ name }) => name)).toEqual(['asked']);
  });
});

describe('a pending turn', () => {
  it('belongs to the user who started it, in the same organization and document; others get 404', async () => {
    const { documentId, chat, answer, tags } = await pendingTurn();
    const decisions = decideAll(answer, true);
    const colleague = await bench.addUser('admin');
    const stranger = await bench.addOrganization();
    const other = await bench.documentOf(bench.admin);
    const { body } = await stranger.post<z.infer<typeof addMemberAnswer>>('./members', {
      email: bench.admin.email,
      role: 'admin',
    });
    const token = 'invitation' in body ? body.invitation.token : '';
    expect((await bench.admin.post('/v0/invitations/accept', { token })).status).toBe(200);
    const samePersonElsewhere = bench.admin.in(stranger.organizationId, 'admin');
    const attempts = [
      await samePersonElsewhere.post(`./documents/${documentId}/chat/approve`, decisions),
      await samePersonElsewhere.get(`./documents/${documentId}/chat/turns/${answer.turn_id}`),
      await colleague.post(`./documents/${documentId}/chat/approve`, decisions),
      await stranger.post(`./documents/${documentId}/chat/approve`, decisions),
      await bench.admin.post(`${other.chat}/approve`, decisions),
      await colleague.get(`${chat}/turns/${answer.turn_id}`),
      await colleague.post(`${chat}/turns/${answer.turn_id}/stop`),
      await colleague.get(`${chat}/threads/${answer.thread_id}`),
      await colleague.post(chat, { ...userMessage('Mine now'), thread_id: answer.thread_id }),
      await bench.admin.get(`${other.chat}/threads/${answer.thread_id}`),
      await bench.admin.post(`${other.chat}/turns/not-an-id/stop`),
    ];
    expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 404));
    expect(await tags()).toHaveLength(0);
    expect(await bench.admin.post(`${chat}/approve`, decisions)).toMatchObject({ status: 200 });
    expect(await tags()).toHaveLength(1);
  });
});

describe('edited arguments', () => {
  it('replace those of the call: in the execution, the answer, the thread and the request to the model', async () => {
    const { chat, answer, name, model, tags } = await pendingTurn();
    const edited = JSON.stringify({ name: `${name}-edited` });
    const approvals = [{ call_id: answer.tool_calls[0]!.id, approved: true, arguments: edited }];
    const { body } = await bench.admin.post<TurnAnswer>(`${chat}/approve`, { turn_id: answer.turn_id, approvals });
    expect(body.executed_rounds[0]!.tool_calls[0]).toMatchObject({ arguments: edited, success: true });
    expect((await tags()).map((tag) => tag.name)).toEqual([`${name}-edited`]);
    const { messages } = (await bench.admin.get<Thread>(`${chat}/threads/${answer.thread_id}`)).body;
    expect(messages[1]!.tool_calls![0]!.arguments).toBe(edited);
    expect(JSON.stringify(model.requests[1]!.messages)).toContain(`${name}-edited`);
  });

  it('that are invalid are 422, like an unknown call, and the turn stays pending', async () => {
    const { chat, answer, tags } = await pendingTurn();
    const approve = (call: object) =>
      bench.admin.post(`${chat}/approve`, { turn_id: answer.turn_id, approvals: [call] });
    const call_id = answer.tool_calls[0]!.id;
    for (const wrong of ['{"name": 5}', '{"name": ', '[]']) {
      expect(await approve({ call_id, approved: true, arguments: wrong })).toMatchObject({ status: 422 });
    }
    expect(await approve({ call_id: 'unheard-of', approved: true })).toMatchObject({ status: 422 });
    expect(await approve({ call_id, approved: true })).toMatchObject({ status: 200 });
    expect(await tags()).toHaveLength(1);
  });
});

describe('a turn that is no longer pending', () => {
  it('is superseded by a new message: its calls are rejected, and approving it later is 409', async () => {
    const { chat, answer, model, tags } = await pendingTurn();
    const { thread_id, turn_id } = answer;
    const next = await bench.admin.post<TurnAnswer>(chat, { ...userMessage('Never mind'), thread_id });
    expect(next.body).toMatchObject({ status: 'completed', thread_id, text: 'Done.' });
    expect(historyIn(model.requests[1]).slice(-2)).toMatchObject([
      { role: 'tool', content: 'User rejected this action.' },
      { role: 'user', content: 'Never mind' },
    ]);
    expect(await bench.admin.post(`${chat}/approve`, decideAll(answer, true))).toMatchObject({
      status: 409,
      error: { code: 'turn_superseded' },
    });
    expect(await bench.admin.get(`${chat}/turns/${turn_id}`)).toMatchObject({
      body: { status: 'superseded', tool_calls: [], executed_rounds: [{ tool_calls: [{ success: false }] }] },
    });
    expect(await tags()).toHaveLength(0);
  });

  it('is stopped on request', async () => {
    const { chat, answer, tags } = await pendingTurn();
    expect(await bench.admin.post(`${chat}/turns/${answer.turn_id}/stop`)).toMatchObject({
      status: 200,
      body: { status: 'stopped', tool_calls: [] },
    });
    expect(await bench.admin.post(`${chat}/approve`, decideAll(answer, true))).toMatchObject({
      status: 409,
      error: { code: 'turn_not_waiting' },
    });
    expect(await tags()).toHaveLength(0);
  });

  it('is 410 after it expired', async () => {
    const brief = await startChatTestBench({ TURN_TTL_SECONDS: '1' });
    try {
      const { chat } = await brief.documentOf(brief.admin);
      brief.script({ calls: [{ name: 'create_tag', args: { name: 'late' } }] }, { text: 'Go on.' });
      const { body } = await brief.admin.post<TurnAnswer>(chat, userMessage('Tag it'));
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      expect(await brief.admin.post(`${chat}/approve`, decideAll(body, true))).toMatchObject({
        status: 410,
        error: { code: 'turn_expired' },
      });
      const thread = await brief.admin.get<Thread>(`${chat}/threads/${body.thread_id}`);
      expect(thread.body).not.toHaveProperty('pending_turn');
      const next = await brief.admin.post(chat, { ...userMessage('And now?'), thread_id: body.thread_id });
      expect(next).toMatchObject({ status: 200, body: { text: 'Go on.' } });
    } finally {
      await brief.stop();
    }
  });
});

describe('questions', () => {
  it('wait for answers, and the model receives the chosen options', async () => {
    const { chat } = await bench.documentOf(bench.admin);
    const question = { header: 'Total', question_text: 'Which?', options: [{ label: 'Net' }, { label: 'Gross' }] };
    const model = bench.script(
      { calls: [{ name: 'ask_questions', args: { questions: [question] } }] },
      { text: 'Gross.' },
    );
    const { body } = await bench.admin.post<TurnAnswer>(chat, userMessage('Extract the total'));
    expect(body).toMatchObject({ status: 'awaiting_answers', tool_calls: [{ needs_approval: false }] });
    const [asked] = JSON.parse(body.tool_calls[0]!.arguments).questions;
    const answers = [
      {
        call_id: body.tool_calls[0]!.id,
        answers: [{ question_id: asked.id, option_ids: [asked.options[1].id] }],
      },
    ];
    const misspelt = [{ ...answers[0], answers: [{ question_id: asked.id, option_ids: ['neither'] }] }];
    const refused = await bench.admin.post(`${chat}/approve`, { turn_id: body.turn_id, answers: misspelt });
    expect([refused.status, refused.error?.code]).toEqual([422, 'answer_does_not_fit']);
    const done = await bench.admin.post(`${chat}/approve`, { turn_id: body.turn_id, answers });
    expect(done).toMatchObject({ status: 200, body: { status: 'completed', text: 'Gross.' } });
    expect(historyIn(model.requests[1]).at(-1)?.content).toContain('"label":"Gross"');
  });
});
