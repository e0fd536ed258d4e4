import { scriptedLlm } from '@docwright/agent-core/testing';
import type { LlmClient } from '@docwright/agent-core';
import type {
  Approval,
  ApprovalList,
  DecideApprovalsAnswer,
  Document,
  Run,
  RunDocument,
  Tag,
  TurnAnswer,
} from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startJobs } from '../../process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let harness: TestApp;
let made = 0;
/** Each document's agent asks for the same change of its document, or for a tag of its own. */
const llm: LlmClient = {
  async *stream(request) {
    const said = JSON.stringify(request.messages);
    const isFirst = !request.messages.some(({ role }) => role === 'tool');
    const call = said.includes('Rename')
      ? { name: 'update_document', args: { metadata: { paid: 'yes' } } }
      : { name: 'create_tag', args: { name: `tag ${(made += 1)}` } };
    const calls = said.includes('Twice')
      ? [call, { name: 'create_tag', args: { name: `tag ${(made += 1)}` } }]
      : [call];
    yield* scriptedLlm([isFirst ? { text: 'I would like to.', calls } : { text: 'Done.' }]).stream(request);
  },
};
beforeAll(async () => {
  harness = await startTestApp({ llm });
  await startJobs(harness.services);
});
afterAll(async () => harness.stop());

async function documents(client: TestClient, count: number): Promise<string[]> {
  const content = Buffer.from('Total: 5').toString('base64');
  const batch = Array.from({ length: count }, (_, at) => ({ name: `${at}.txt`, content }));
  const { body } = await client.post<{ documents: Document[] }>('./documents', { documents: batch });
  return body.documents.map(({ id }) => id);
}
const poll = async <Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> => {
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
};
const readRun = (client: TestClient, id: string) => async () => (await client.get<Run>(`./runs/${id}`)).body;
async function parked(client: TestClient, ids: string[], message: string): Promise<Run> {
  const { id } = (await client.post<Run>('./runs', { document_ids: ids, message, on_ask: 'park' })).body;
  return await poll(readRun(client, id), ({ ended_at }) => ended_at !== null);
}
const inbox = async (client: TestClient, query = '') =>
  (await client.get<ApprovalList>(`./approvals?limit=100&${query}`)).body;
const decide = async (client: TestClient, calls: Approval[], over: object = { approved: true }) =>
  (
    await client.post<DecideApprovalsAnswer>('./approvals/decide', {
      decisions: calls.map(({ turn_id, call_id }) => ({ turn_id, call_id, ...over })),
    })
  ).body.outcomes.map(({ status }) => status);
const tags = async (client: TestClient) => (await client.get<{ tags: Tag[] }>('./tags?limit=100')).body.tags;

describe('a call of a run that has to ask', () => {
  it('waits in the inbox while the run ends, and goes on in a worker once it is approved', async () => {
    const client = await harness.addOrganization();
    const ids = await documents(client, 3);
    const run = await parked(client, ids, 'Rename them');
    expect(run).toMatchObject({ state: 'completed', waiting: 3, parked: 3, succeeded: 0, on_ask: 'park' });
    const listed = await inbox(client);
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
    const { approvals: groups } = await inbox(client, 'by=group');
    expect(groups).toMatchObject([{ group_size: 3 }]);

    const [first, second, third] = listed.approvals;
    expect(await decide(client, [first!, second!])).toEqual(['decided', 'decided']);
    expect(await decide(client, [third!], { approved: false, reason: 'Not this one.' })).toEqual(['decided']);
    expect(await poll(readRun(client, run.id), ({ waiting, running }) => waiting + running === 0)).toMatchObject({
      succeeded: 3,
      parked: 0,
    });
    const paid = await Promise.all(
      ids.map(async (id) => (await client.get<Document>(`./documents/${id}`)).body.metadata),
    );
    expect(paid.filter((metadata) => metadata['paid'] === 'yes')).toHaveLength(2);
    expect(await inbox(client)).toMatchObject({ total_count: 0, total_groups: 0 });
    const { documents: done } = (await client.get<{ documents: RunDocument[] }>(`./runs/${run.id}/documents`)).body;
    expect(done.map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'succeeded']);

    await client.post(`./runs/${run.id}/undo`, {});
    await poll(readRun(client, run.id), ({ undo }) => undo?.ended_at != null);
    const back = await Promise.all(
      ids.map(async (id) => (await client.get<Document>(`./documents/${id}`)).body.metadata),
    );
    expect(back).toEqual([{}, {}, {}]);
  });

  it('is denied without parking, as before', async () => {
    const client = await harness.addOrganization();
    const ids = await documents(client, 1);
    const { id } = (await client.post<Run>('./runs', { document_ids: ids, message: 'Tag it' })).body;
    const run = await poll(readRun(client, id), ({ ended_at }) => ended_at !== null);
    expect(run).toMatchObject({ succeeded: 1, waiting: 0, on_ask: 'deny' });
    expect(await tags(client)).toEqual([]);
  });

  it('is decided with its whole batch, and withdrawn with the undo of its run', async () => {
    const client = await harness.addOrganization();
    const run = await parked(client, await documents(client, 1), 'Twice');
    const { approvals } = await inbox(client);
    expect(approvals).toHaveLength(2);
    expect(await decide(client, approvals.slice(0, 1))).toEqual(['decided']);
    expect((await inbox(client)).total_count).toBe(1);
    expect(await tags(client)).toEqual([]);
    await client.post(`./runs/${run.id}/undo`, {});
    await poll(readRun(client, run.id), ({ undo }) => undo?.ended_at != null);
    expect((await inbox(client)).total_count).toBe(0);
    expect(await decide(client, approvals.slice(1))).toEqual(['not_found']);
  });
});

describe('the inbox', () => {
  it('shows one’s own chats and runs, to admins all runs, and nobody another’s chat', async () => {
    const admin = await harness.addOrganization();
    const member = await harness.addPerson('member', admin.organizationId);
    const other = await harness.addPerson('member', admin.organizationId);
    const viewer = await harness.addPerson('viewer', admin.organizationId);
    const [document, another] = await documents(admin, 2);
    const said = { messages: [{ role: 'user', content: 'Tag it' }] };
    const chat = (await member.post<TurnAnswer>(`./documents/${document}/chat`, said)).body;
    await parked(member, [another!], 'Tag it');
    const seen = async (client: TestClient, query = '') => (await inbox(client, query)).total_count;
    expect([await seen(member), await seen(other), await seen(viewer), await seen(admin)]).toEqual([2, 0, 0, 1]);
    expect(await seen(admin, 'mine=true')).toBe(0);
    expect([await seen(member, `thread_id=${chat.thread_id}`), await seen(member, 'tool=create_tag')]).toEqual([1, 2]);

    const { approvals } = await inbox(member);
    const own = approvals.filter(({ run_id }) => run_id === undefined);
    const ofRun = approvals.filter(({ run_id }) => run_id !== undefined);
    expect([await decide(other, approvals), await decide(admin, own)]).toEqual([
      ['not_found', 'not_found'],
      ['not_found'],
    ]);
    expect(await decide(member, own, { approved: true, arguments: '{"nothing":1}' })).toEqual(['invalid']);
    expect(await decide(member, own)).toEqual(['decided']);
    expect(await decide(admin, ofRun)).toEqual(['decided']);
    expect(
      await poll(
        () => tags(admin),
        (found) => found.length === 2,
      ),
    ).toHaveLength(2);
  });

  it('goes no further than the approver may, and than the asker may by then', async () => {
    const admin = await harness.addOrganization();
    const asker = await harness.addPerson('member', admin.organizationId);
    const run = await parked(asker, await documents(admin, 2), 'Tag it');
    const { approvals } = await inbox(admin);
    const rule = await admin.post<{ id: string }>('./permission_rules', {
      tool: 'create_tag',
      effect: 'deny',
      scope: 'organization',
    });
    expect(await decide(admin, approvals)).toEqual(['forbidden', 'forbidden']);
    await admin.delete(`./permission_rules/${rule.body.id}`);
    expect((await admin.patch(`./members/${asker.userId}`, { role: 'viewer' })).status).toBe(200);
    await decide(admin, approvals);
    await poll(readRun(admin, run.id), ({ waiting, running }) => waiting + running === 0);
    expect(await tags(admin)).toEqual([]);
  });

  it('tells a stale proposal as a conflict, which still waits', async () => {
    const client = await harness.addOrganization();
    const [id] = await documents(client, 1);
    await parked(client, [id!], 'Rename it');
    await client.patch(`./documents/${id}`, { metadata: { mine: 'yes' } });
    const { approvals } = await inbox(client);
    expect(await decide(client, approvals)).toEqual(['conflict']);
    expect((await inbox(client)).total_count).toBe(1);
    expect(await decide(client, approvals, { approved: false })).toEqual(['decided']);
  });

  it('lets one of fifty who decide at once run the call', async () => {
    const client = await harness.addOrganization();
    const run = await parked(client, await documents(client, 1), 'Tag it');
    const { approvals } = await inbox(client);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => decide(client, approvals, { approved: true, reason: `${at}` })),
    );
    expect(answers.flat().filter((status) => status === 'decided')).toHaveLength(1);
    await poll(readRun(client, run.id), ({ succeeded }) => succeeded === 1);
    expect(await tags(client)).toHaveLength(1);
  });
});
