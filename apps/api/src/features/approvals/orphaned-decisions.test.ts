import type { Approval, Document, Run } from '@docwright/contract';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { pollUntil, startApprovalsTestBench, type ApprovalsTestBench } from '../../testing/approvals-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { documentRunModel } from '../headless/document-run-model.ts';
import { turnModel } from '../turns/turn-model.ts';
import { pendingCallModel } from '../turns/pending-call-model.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let bench: ApprovalsTestBench;
beforeAll(async () => {
  bench = await startApprovalsTestBench();
});
afterAll(() => bench.stop());

/** Simulates a process that decides a call and dies before it decides the turn. */
async function decideAndDie(client: TestClient, callId: string, role: 'admin' | 'member' = 'admin'): Promise<void> {
  await pendingCallModel(bench.connection).updateOne(
    { call_id: callId },
    { $set: { decision: { approved: true, by: client.userId, role }, decided_at: new Date(Date.now() - 60_000) } },
  );
}
const recover = () => bench.services.recoverDecisions();

it('resumes a turn whose process died after the last decision of its batch', async () => {
  const client = await bench.addOrganization();
  const run = await bench.startParkedRun(client, await bench.uploadDocuments(client, 1), 'Twice');
  const { approvals } = await bench.inbox(client);
  await decideAndDie(client, approvals[0]!.call_id);
  await recover();
  expect((await bench.inbox(client)).total_count).toBe(1);
  await decideAndDie(client, approvals[1]!.call_id);
  await Promise.all([recover(), recover()]);
  await recover();
  await pollUntil(bench.readRun(client, run.id), ({ succeeded }) => succeeded === 1);
  expect(await bench.listTags(client)).toHaveLength(2);
  expect(await pendingCallModel(bench.connection).countDocuments({ run_id: run.id })).toBe(0);
});

it('takes a write of the call itself for no change by somebody else, if the decision is repeated', async () => {
  const client = await bench.addOrganization();
  const [id] = await bench.uploadDocuments(client, 1);
  const run = await bench.startParkedRun(client, [id!], 'Rename');
  const { approvals } = await bench.inbox(client);
  const { call_id } = approvals[0]!;
  // The process has stored the decision and the write, and ends before it has the result.
  const decision = { approved: true, by: client.userId, role: 'admin' };
  await pendingCallModel(bench.connection).updateOne({ call_id }, { $set: { decision, decided_at: new Date() } });
  const documents = bench.services.documents.documents(client.actor);
  await documents.update(id!, { set_metadata: { paid: 'yes' } }, { call_id });
  expect(await bench.decide(client, approvals)).toEqual(['decided']);
  await pollUntil(bench.readRun(client, run.id), ({ succeeded }) => succeeded === 1);
});

it('makes a call pending again if its approver has lost the right to decide', async () => {
  const admin = await bench.addOrganization();
  const other = await bench.addUser('admin', admin.organizationId);
  await bench.startParkedRun(admin, await bench.uploadDocuments(admin, 2), 'Tag it');
  const { approvals } = await bench.inbox(admin);
  for (const { call_id } of approvals) await decideAndDie(other, call_id);
  await admin.patch(`./members/${other.userId}`, { role: 'viewer' });
  await recover();
  expect((await bench.inbox(admin)).total_count).toBe(2);
  await decideAndDie(other, approvals[0]!.call_id);
  await admin.delete(`./members/${other.userId}`);
  await recover();
  expect((await bench.inbox(admin)).total_count).toBe(2);
  expect(await bench.listTags(admin)).toEqual([]);
});

it('removes calls whose turn is no longer pending', async () => {
  const client = await bench.addOrganization();
  await bench.startParkedRun(client, await bench.uploadDocuments(client, 1), 'Tag it');
  const [call] = (await bench.inbox(client)).approvals;
  const calls = pendingCallModel(bench.connection);
  const record = await calls.findOne({ call_id: call!.call_id }).lean();
  const orphan = { ...record!, _id: new Types.ObjectId(), call_id: 'orphan', turn_id: new Types.ObjectId() };
  await calls.collection.insertOne({ ...orphan, waiting_since: new Date(Date.now() - 60_000) });
  await recover();
  expect((await bench.inbox(client)).approvals.map(({ call_id }) => call_id)).toEqual([call!.call_id]);
});

it('removes the calls of an attempt whose worker died before its turn paused, since the next attempt proposes them again', async () => {
  const client = await bench.addOrganization();
  const [document_id] = await bench.uploadDocuments(client, 1, 'HANG');
  const body = { document_ids: [document_id], message: 'Tag it', on_ask: 'park' };
  const { id } = (await client.post<Run>('./runs', body)).body;
  const runs = documentRunModel(bench.connection);
  const own = { document_id: new Types.ObjectId(document_id) };
  const { turn_ids } = (await pollUntil(
    async () => await runs.findOne(own).lean(),
    (found) => (found?.turn_ids.length ?? 0) > 0,
  ))!;
  await pendingCallModel(bench.connection).create({
    call_id: 'asked',
    tool: 'create_tag',
    group: 'tag',
    names: {},
    is_unattended: true,
    run_id: id,
    turn_id: turn_ids[0]!,
    document_id: document_id!,
    thread_id: new Types.ObjectId(),
    user_id: client.userId,
    organization_id: client.organizationId,
    waiting_since: new Date(),
    expires_at: new Date(Date.now() + 60_000),
    decision: null,
  });
  expect((await bench.inbox(client)).total_count).toBe(1);
  await runs.updateOne(own, { $set: { state: 'queued', lease: null } });
  await pollUntil(
    () => bench.inbox(client),
    ({ total_count }) => total_count === 0,
  );
  await client.post(`./runs/${id}/stop`);
});

it('withdraws pending calls when an active run is stopped', async () => {
  const client = await bench.addOrganization();
  const ids = [...(await bench.uploadDocuments(client, 2)), ...(await bench.uploadDocuments(client, 1, 'HANG'))];
  const body = { document_ids: ids, message: 'Tag it', on_ask: 'park' };
  const { id } = (await client.post<Run>('./runs', body)).body;
  await pollUntil(bench.readRun(client, id), ({ parked, running }) => parked === 2 && running === 1);
  await client.post(`./runs/${id}/stop`);
  expect((await bench.inbox(client)).total_count).toBe(0);
  const run = await pollUntil(bench.readRun(client, id), ({ ended_at }) => ended_at !== null);
  expect(run).toMatchObject({ state: 'stopped', cancelled: 3, parked: 0 });
});

it('withdraws pending calls when a finished run is stopped', async () => {
  const client = await bench.addOrganization();
  const ids = await bench.uploadDocuments(client, 3);
  const run = await bench.startParkedRun(client, ids, 'Tag it');
  expect(run).toMatchObject({ state: 'completed', parked: 3 });
  const { approvals } = await bench.inbox(client);
  const stopped = await client.post<Run>(`./runs/${run.id}/stop`);
  expect([stopped.status, stopped.body.parked, stopped.body.cancelled]).toEqual([200, 0, 3]);
  expect((await bench.inbox(client)).total_count).toBe(0);
  expect(await bench.decide(client, approvals)).toEqual(['conflict', 'conflict', 'conflict']);
  const turns = await client.get<{ turn: { status: string } | null }>(
    `./documents/${approvals[0]!.document_id}/chat/threads/${approvals[0]!.thread_id}/latest_turn`,
  );
  expect(JSON.stringify(turns.body)).toContain('stopped');
  expect((await client.post(`./runs/${run.id}/stop`)).error?.code).toBe('run_ended');
  expect(await bench.listTags(client)).toEqual([]);
});

it('ends a run whose calls expired', async () => {
  const client = await bench.addOrganization();
  const run = await bench.startParkedRun(client, await bench.uploadDocuments(client, 1), 'Tag it');
  const { approvals } = await bench.inbox(client);
  const [{ turn_id }] = approvals as [Approval];
  const past = new Date(Date.now() - 1_000);
  await pendingCallModel(bench.connection).updateMany({ run_id: run.id }, { $set: { expires_at: past } });
  await turnModel(bench.connection).updateOne({ _id: turn_id }, { $set: { waiting_until: past } });
  expect((await bench.inbox(client)).total_count).toBe(0);
  expect(await bench.decide(client, approvals)).toEqual(['expired']);
  await bench.services.headless.tidy();
  const ended = await bench.readRun(client, run.id)();
  expect(ended).toMatchObject({ parked: 0, failed: 1, failures: [{ code: 'approval_expired' }] });
  expect(await bench.listTags(client)).toEqual([]);
});

it('withdraws pending calls of a deleted document', async () => {
  const client = await bench.addOrganization();
  const ids = await bench.uploadDocuments(client, 2);
  await bench.startParkedRun(client, ids, 'Tag it');
  expect((await client.delete(`./documents/${ids[0]}`)).status).toBe(204);
  await pollUntil(
    () => bench.inbox(client),
    ({ total_count }) => total_count === 1,
  );
  const remaining = (await client.get<Document>(`./documents/${ids[1]}`)).body;
  expect((await bench.inbox(client)).approvals).toMatchObject([{ document_id: remaining.id }]);
});

it('does not execute a call if the right was lost between the decision and the call', async () => {
  const admin = await bench.addOrganization();
  const requester = await bench.addUser('member', admin.organizationId);
  const run = await bench.startParkedRun(requester, await bench.uploadDocuments(admin, 1), 'Tag it');
  const { approvals } = await bench.inbox(admin);
  const denial = { tool: 'create_tag', effect: 'deny', scope: 'organization' };
  const rule = await admin.post<{ id: string }>('./permission_rules', denial);
  await decideAndDie(admin, approvals[0]!.call_id);
  await recover();
  await pollUntil(bench.readRun(admin, run.id), ({ parked, running }) => parked + running === 0);
  expect(await bench.listTags(admin)).toEqual([]);
  await admin.delete(`./permission_rules/${rule.body.id}`);
});
