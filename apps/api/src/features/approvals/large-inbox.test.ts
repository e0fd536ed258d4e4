import type { ApprovalList, DecideApprovalsAnswer, TurnAnswer } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { turnModel } from '../turns/turn-model.ts';
import { createPendingCallWriter } from '../turns/pending-call-repository.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => app.stop());

/** Large form: INBOX_CALLS=5000. */
const count = Number(process.env['INBOX_CALLS'] ?? 300);

it(`lists and groups ${count} pending calls, and answers many decisions at once`, { timeout: 300_000 }, async () => {
  const { organizationId, userId } = app.admin;
  const writer = createPendingCallWriter(app.connection);
  const turns = turnModel(app.connection);
  const id = () => new mongoose.Types.ObjectId();
  const until = new Date(Date.now() + 3_600_000);
  for (let at = 0; at < count; at += 1) {
    const [turn, thread, document] = [id(), id(), id()];
    const call = { id: `call-${at}`, name: 'update_document', effect: 'read_write', summary: 'Tag it' } as const;
    const args = JSON.stringify({ document_id: document.toHexString(), metadata: { kind: `${at % 25}` } });
    const answer: TurnAnswer = {
      thread_id: thread.toHexString(),
      turn_id: turn.toHexString(),
      status: 'awaiting_approval',
      text: 'x'.repeat(1_000),
      working_state: { schema_revid: null, prompt_revid: null, extraction: null },
      executed_rounds: [],
      tool_calls: [{ ...call, arguments: args, needs_approval: true }],
      usage: { prompt_tokens: 0, completion_tokens: 0, spu: 0, estimated: false },
    };
    const owner = { organizationId, userId, documentId: document.toHexString() };
    await writer.put(owner, answer, { until, isUnattended: true });
    await turns.collection.insertOne({
      _id: turn,
      organization_id: new mongoose.Types.ObjectId(organizationId),
      document_id: document,
      user_id: new mongoose.Types.ObjectId(userId),
      thread_id: thread,
      status: 'awaiting_approval',
      answer: JSON.stringify(answer),
      event_count: 0,
      decided: [],
      decided_count: 0,
      waiting_until: until,
      is_unattended: true,
      created_at: new Date(),
    });
  }
  const times: Record<string, number> = {};
  for (const query of ['limit=100', 'by=group&limit=100', 'limit=100&skip=200']) {
    const measured: number[] = [];
    for (let time = 0; time < 7; time += 1) {
      const from = performance.now();
      const { body } = await app.admin.get<ApprovalList>(`./approvals?${query}`);
      measured.push(performance.now() - from);
      expect([body.total_count, body.total_groups]).toEqual([count, 25]);
      if (query.startsWith('by=group')) {
        expect(body.approvals).toHaveLength(25);
        expect(body.approvals[0]).toMatchObject({ group_size: count / 25, differs: ['document_id'] });
      }
    }
    times[query] = Math.round(measured.toSorted((a, b) => a - b)[3]!);
  }
  if (process.env['INBOX_CALLS'] !== undefined) process.stdout.write(`${JSON.stringify(times)} (median ms)\n`);
  // The groups of the first page leave the list before the next page is read.
  const pageOfGroups = async (cursor = '') =>
    (await app.admin.get<ApprovalList>(`./approvals?by=group&limit=10${cursor}`)).body;
  const first = await pageOfGroups();
  const everyGroup = (await app.admin.get<ApprovalList>('./approvals?by=group&limit=100')).body.approvals;
  const left = { group: { $in: first.approvals.map(({ group }) => group) } };
  const pending = app.connection.collection('waiting_calls');
  await pending.updateMany(left, { $set: { decision: { approved: true } } });
  const second = await pageOfGroups(`&cursor=${first.next_cursor}`);
  expect(second.approvals.map(({ group }) => group)).toEqual(everyGroup.slice(10, 20).map(({ group }) => group));
  await pending.updateMany(left, { $set: { decision: null } });
  // These turns are not in the turn store: every decision still has an outcome of its own.
  const { approvals } = (await app.admin.get<ApprovalList>('./approvals?limit=100')).body;
  const decisions = approvals.map(({ turn_id, call_id }) => ({ turn_id, call_id, approved: true }));
  const { body } = await app.admin.post<DecideApprovalsAnswer>('./approvals/decide', { decisions });
  expect(body.outcomes.map(({ status }) => status)).toEqual(decisions.map(() => 'expired'));
});
