import type { Approval, Document, DocumentBulk, Run, RunDocument, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  pollUntil as poll,
  startApprovalsTestBench,
  type ApprovalsTestBench,
} from '../../testing/approvals-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let bench: ApprovalsTestBench;
beforeAll(async () => {
  bench = await startApprovalsTestBench();
});
afterAll(() => bench.stop());

describe('a call of a run that needs approval', () => {
  it('waits in the inbox while the run ends, and is executed by a worker once it is approved', async () => {
    const client = await bench.addOrganization();
    const ids = await bench.uploadDocuments(client, 3);
    const run = await bench.startParkedRun(client, ids, 'Rename them');
    expect(run).toMatchObject({ state: 'completed', waiting: 3, parked: 3, succeeded: 0, on_ask: 'park' });
    const listed = await bench.inbox(client);
    expect(listed).toMatchObject({ total_count: 3, total_groups: 1 });
    expect(listed.approvals[0]).toMatchObject({
      tool: 'update_document',
      effect: 'read_write',
      run_id: run.id,
      requested_by: client.userId,
      document_name: expect.stringContaining('.txt'),
      said: 'I would like to.',
    });
    expect(Date.parse(listed.approvals[0]!.expires_at) - Date.now()).toBeGreaterThan(6 * 24 * 3_600_000);
    const { approvals: groups } = await bench.inbox(client, 'by=group');
    expect(groups).toMatchObject([{ group_size: 3 }]);

    const [first, second, third] = listed.approvals;
    expect(await bench.decide(client, [first!, second!])).toEqual(['decided', 'decided']);
    expect(await bench.decide(client, [third!], { approved: false, reason: 'Not this one.' })).toEqual(['decided']);
    expect(await poll(bench.readRun(client, run.id), ({ waiting, running }) => waiting + running === 0)).toMatchObject({
      succeeded: 3,
      parked: 0,
    });
    const paid = await Promise.all(
      ids.map(async (id) => (await client.get<Document>(`./documents/${id}`)).body.metadata),
    );
    expect(paid.filter((metadata) => metadata['paid'] === 'yes')).toHaveLength(2);
    expect(await bench.inbox(client)).toMatchObject({ total_count: 0, total_groups: 0 });
    const { documents: done } = (await client.get<{ documents: RunDocument[] }>(`./runs/${run.id}/documents`)).body;
    expect(done.map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'succeeded']);

    await client.post(`./runs/${run.id}/undo`, {});
    await poll(bench.readRun(client, run.id), ({ undo }) => undo?.ended_at != null);
    const restored = await Promise.all(
      ids.map(async (id) => (await client.get<Document>(`./documents/${id}`)).body.metadata),
    );
    expect(restored).toEqual([{}, {}, {}]);
  });

  it('is denied if the run does not park calls', async () => {
    const client = await bench.addOrganization();
    const ids = await bench.uploadDocuments(client, 1);
    const { id } = (await client.post<Run>('./runs', { document_ids: ids, message: 'Tag it' })).body;
    const run = await poll(bench.readRun(client, id), ({ ended_at }) => ended_at !== null);
    expect(run).toMatchObject({ succeeded: 1, waiting: 0, on_ask: 'deny' });
    expect(await bench.listTags(client)).toEqual([]);
  });

  it('is executed once its whole batch is decided, and withdrawn with the undo of its run', async () => {
    const client = await bench.addOrganization();
    const run = await bench.startParkedRun(client, await bench.uploadDocuments(client, 1), 'Twice');
    const { approvals } = await bench.inbox(client);
    expect(approvals).toHaveLength(2);
    expect(await bench.decide(client, approvals.slice(0, 1))).toEqual(['decided']);
    expect((await bench.inbox(client)).total_count).toBe(1);
    expect(await bench.listTags(client)).toEqual([]);
    await client.post(`./runs/${run.id}/undo`, {});
    await poll(bench.readRun(client, run.id), ({ undo }) => undo?.ended_at != null);
    expect((await bench.inbox(client)).total_count).toBe(0);
    expect(await bench.decide(client, approvals.slice(1))).toEqual(['conflict']);
  });
});

describe('a bulk job that is a run', () => {
  it('parks calls that need approval, and is undone like its run', async () => {
    const client = await bench.addOrganization();
    const document_ids = await bench.uploadDocuments(client, 2);
    const body = { document_ids, action: 'message', message: 'Tag it', on_ask: 'park' };
    const { id, run_id } = (await client.post<DocumentBulk>('./documents/bulk', body)).body;
    await poll(bench.readRun(client, run_id!), ({ ended_at }) => ended_at !== null);
    const { approvals } = await bench.inbox(client, `run_id=${run_id}`);
    expect(await bench.decide(client, approvals.slice(0, 1))).toEqual(['decided']);
    await poll(bench.readRun(client, run_id!), ({ succeeded, running }) => succeeded === 1 && running === 0);
    const read = async () => (await client.get<DocumentBulk>(`./documents/bulk/${id}`)).body;
    expect((await read()).undo_until).not.toBeNull();
    expect((await client.post(`./documents/bulk/${id}/undo`)).status).toBe(202);
    const { undo } = await poll(read, (job) => job.undo !== null && job.undo.state !== 'running');
    expect(undo).toEqual({ state: 'completed', undone: 1, conflicts: [] });
    expect([await bench.listTags(client), (await bench.inbox(client)).total_count]).toEqual([[], 0]);
  });
});

describe('the inbox', () => {
  it('shows a user’s own chats and runs, all runs to admins, and never another user’s chat', async () => {
    const admin = await bench.addOrganization();
    const member = await bench.addUser('member', admin.organizationId);
    const other = await bench.addUser('member', admin.organizationId);
    const viewer = await bench.addUser('viewer', admin.organizationId);
    const [document, another] = await bench.uploadDocuments(admin, 2);
    const message = { messages: [{ role: 'user', content: 'Tag it' }] };
    const chat = (await member.post<TurnAnswer>(`./documents/${document}/chat`, message)).body;
    await bench.startParkedRun(member, [another!], 'Tag it');
    const count = async (client: TestClient, query = '') => (await bench.inbox(client, query)).total_count;
    expect([await count(member), await count(other), await count(viewer), await count(admin)]).toEqual([2, 0, 0, 1]);
    expect(await count(admin, 'mine=true')).toBe(0);
    expect([await count(member, `thread_id=${chat.thread_id}`), await count(member, 'tool=create_tag')]).toEqual([
      1, 2,
    ]);

    const { approvals } = await bench.inbox(member);
    const own = approvals.filter(({ run_id }) => run_id === undefined);
    const ofRun = approvals.filter(({ run_id }) => run_id !== undefined);
    expect([await bench.decide(other, approvals), await bench.decide(admin, own)]).toEqual([
      ['not_found', 'not_found'],
      ['not_found'],
    ]);
    expect(await bench.decide(member, own, { approved: true, arguments: '{"nothing":1}' })).toEqual(['invalid']);
    expect(await bench.decide(member, own)).toEqual(['decided']);
    expect(await bench.decide(admin, ofRun)).toEqual(['decided']);
    const late = (by: TestClient, [call]: Approval[]) => {
      const { turn_id, call_id } = call!;
      return by.post<{ outcomes: object[] }>('./approvals/decide', {
        decisions: [{ turn_id, call_id, approved: false }],
      });
    };
    expect((await late(member, ofRun)).body.outcomes).toMatchObject([
      { status: 'conflict', decided_by: admin.userId, message: expect.stringContaining('Another user') },
    ]);
    expect((await late(member, own)).body.outcomes).toMatchObject([{ status: 'conflict', decided_by: member.userId }]);
    expect((await late(other, ofRun)).body.outcomes).toMatchObject([{ status: 'not_found' }]);
    const waiting = (await member.post<TurnAnswer>(`./documents/${document}/chat`, message)).body;
    const [pending] = (await bench.inbox(member, `thread_id=${waiting.thread_id}`)).approvals;
    await member.post(`./documents/${document}/chat`, { ...message, thread_id: waiting.thread_id });
    expect((await late(member, [pending!])).body.outcomes).toMatchObject([
      { status: 'conflict', message: expect.stringContaining('superseded') },
    ]);
    expect(
      await poll(
        () => bench.listTags(admin),
        (found) => found.length === 2,
      ),
    ).toHaveLength(2);
  });

  it('executes calls with no more rights than the approver and the requester have at that moment', async () => {
    const admin = await bench.addOrganization();
    const requester = await bench.addUser('member', admin.organizationId);
    const run = await bench.startParkedRun(requester, await bench.uploadDocuments(admin, 2), 'Tag it');
    const { approvals } = await bench.inbox(admin);
    const rule = await admin.post<{ id: string }>('./permission_rules', {
      tool: 'create_tag',
      effect: 'deny',
      scope: 'organization',
    });
    expect(await bench.decide(admin, approvals)).toEqual(['forbidden', 'forbidden']);
    await admin.delete(`./permission_rules/${rule.body.id}`);
    expect((await admin.patch(`./members/${requester.userId}`, { role: 'viewer' })).status).toBe(200);
    await bench.decide(admin, approvals);
    await poll(bench.readRun(admin, run.id), ({ waiting, running }) => waiting + running === 0);
    expect(await bench.listTags(admin)).toEqual([]);
  });

  it('reports a stale proposal as a conflict, and the call stays pending', async () => {
    const client = await bench.addOrganization();
    const [id] = await bench.uploadDocuments(client, 1);
    await bench.startParkedRun(client, [id!], 'Rename it');
    await client.patch(`./documents/${id}`, { metadata: { mine: 'yes' } });
    const { approvals } = await bench.inbox(client);
    expect(await bench.decide(client, approvals)).toEqual(['conflict']);
    expect((await bench.inbox(client)).total_count).toBe(1);
    expect(await bench.decide(client, approvals, { approved: false })).toEqual(['decided']);
  });

  it('executes a call once when fifty requests decide at the same time', async () => {
    const client = await bench.addOrganization();
    const run = await bench.startParkedRun(client, await bench.uploadDocuments(client, 1), 'Tag it');
    const { approvals } = await bench.inbox(client);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => bench.decide(client, approvals, { approved: true, reason: `${at}` })),
    );
    expect(answers.flat().filter((status) => status === 'decided')).toHaveLength(1);
    await poll(bench.readRun(client, run.id), ({ succeeded }) => succeeded === 1);
    expect(await bench.listTags(client)).toHaveLength(1);
  });
});
