import type { ScriptedStep } from '@docwright/agent-core/testing';
import type { AuditEntry, PermissionRule, SimulationAnswer, TurnAnswer } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideAll, userMessage, startChatTestBench, type ChatTestBench } from '../../testing/chat-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { storedBytesOf } from '../../platform/database/stored-bytes/stored-bytes.ts';
import { auditEntryModel } from './audit-model.ts';
import { createAuditRepositories } from './audit-repository.ts';

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());

interface AuditList {
  entries: AuditEntry[];
  total_count: number;
}
const createTag = (name: string = crypto.randomUUID()) => ({ name: 'create_tag', args: { name } });

async function chatWith(client: TestClient, steps: ScriptedStep[], body: object = {}) {
  const document = await bench.documentOf(client);
  bench.script(...steps);
  const { body: answer } = await client.post<TurnAnswer>(document.chat, { ...userMessage('Go on'), ...body });
  return { ...document, answer };
}

const entriesOf = async (client: TestClient, query: string) =>
  (await client.get<AuditList>(`./audit?limit=100&${query}`)).body.entries;

/** The audited steps of a turn in chronological order. */
const stepsOf = async (client: TestClient, { turn_id }: TurnAnswer) =>
  (await entriesOf(client, `turn_id=${turn_id}`)).toReversed().map(({ kind, tool, decision, success }) => ({
    step: `${kind} ${tool}`,
    ...(decision !== undefined && { decision }),
    ...(success !== undefined && { success }),
  }));

describe('the audit log', () => {
  it('records the proposal, decision and execution of every call, with user and time', async () => {
    const client = await bench.addOrganization();
    const { id, chat, answer } = await chatWith(client, [{ calls: [{ name: 'list_tags' }, createTag('Audited')] }, {}]);
    await client.post(`${chat}/approve`, decideAll(answer, true));
    expect(await stepsOf(client, answer)).toEqual([
      { step: 'proposed list_tags', decision: 'allow' },
      { step: 'decided list_tags', decision: 'allow' },
      { step: 'proposed create_tag', decision: 'ask' },
      { step: 'executed list_tags', success: true },
      { step: 'decided create_tag', decision: 'approved' },
      { step: 'executed create_tag', success: true },
    ]);
    const [newest] = await entriesOf(client, `document_id=${id}`);
    expect(newest).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      kind: 'executed',
      actor: client.userId,
      document_id: id,
      thread_id: answer.thread_id,
      turn_id: answer.turn_id,
      call_id: answer.tool_calls[1]!.id,
      origin: { kind: 'chat', id: answer.thread_id },
      tool: 'create_tag',
      arguments: '{"name":"Audited"}',
      provenance: { name: ['model'] },
      success: true,
    });
  });

  it('records calls that were not executed, with the reason', async () => {
    const client = await bench.addOrganization();
    const rule = await client.post<PermissionRule>('./permission_rules', {
      tool: 'delete_*',
      effect: 'deny',
      scope: 'organization',
    });
    const calls = [{ name: 'delete_document' }, { name: 'create_tag', args: { name: 5 } }, createTag(), createTag()];
    const { id, chat, answer } = await chatWith(client, [{ calls }, {}]);
    const edited = JSON.stringify({ name: 'Edited' });
    const waiting = answer.tool_calls.filter((call) => call.needs_approval);
    const approvals = [{ call_id: waiting[0]!.id, approved: true, arguments: edited }];
    await client.post(`${chat}/approve`, { turn_id: answer.turn_id, approvals });
    expect(await stepsOf(client, answer)).toEqual([
      { step: 'proposed delete_document', decision: 'deny' },
      { step: 'decided delete_document', decision: 'deny' },
      { step: 'proposed create_tag' },
      { step: 'proposed create_tag', decision: 'ask' },
      { step: 'proposed create_tag', decision: 'ask' },
      { step: 'decided create_tag', decision: 'approved' },
      { step: 'decided create_tag', decision: 'rejected' },
      { step: 'executed create_tag', success: true },
    ]);
    const entries = await entriesOf(client, `turn_id=${answer.turn_id}`);
    expect(entries.at(-1)).toMatchObject({ rule_id: rule.body.id, arguments: JSON.stringify({ document_id: id }) });
    expect(entries.at(-3)!.error).toContain('do not fit');
    expect(entries[0]!.arguments).toBe(edited);
  });

  it('records calls of a superseded turn as rejected', async () => {
    const client = await bench.addOrganization();
    const { chat, answer } = await chatWith(client, [{ calls: [createTag()] }, { text: 'Next.' }]);
    await client.post(chat, { ...userMessage('Never mind'), thread_id: answer.thread_id });
    expect(await stepsOf(client, answer)).toEqual([
      { step: 'proposed create_tag', decision: 'ask' },
      { step: 'decided create_tag', decision: 'rejected' },
    ]);
  });

  it('keeps the first entry of each step, however often it is recorded', async () => {
    const client = await bench.addOrganization();
    const { answer } = await chatWith(client, [{ calls: [createTag()] }]);
    const [proposed] = await entriesOf(client, '');
    const { call_id, thread_id = '', turn_id = '', document_id = '' } = proposed!;
    const step = { actor: client.userId, documentId: document_id, threadId: thread_id, turnId: turn_id };
    const call = { ...step, callId: call_id, tool: 'create_tag', arguments: '{}' };
    await bench.services.auditOf(client.organizationId).record([
      { ...call, kind: 'proposed', decision: 'deny' },
      { ...call, kind: 'undone' },
    ]);
    expect(await stepsOf(client, answer)).toEqual([
      { step: 'proposed create_tag', decision: 'ask' },
      { step: 'undone create_tag' },
    ]);
  });

  it('shows all entries to admins, their own to other members, and none to other organizations', async () => {
    const admin = await bench.addOrganization();
    const member = await bench.addUser('member', admin.organizationId);
    await chatWith(admin, [{ calls: [createTag()] }]);
    await chatWith(member, [{ calls: [createTag()] }]);
    const total = async (client: TestClient, query = '') =>
      (await client.get<AuditList>(`./audit?${query}`)).body.total_count;
    // An upload and a call for each of the two.
    expect(await total(admin)).toBe(4);
    expect(await total(admin, `actor=${member.userId}`)).toBe(2);
    expect(await total(member)).toBe(2);
    expect(await total(member, `actor=${admin.userId}`)).toBe(0);
    expect(await total(await bench.addOrganization())).toBe(0);
    expect(await admin.get('./audit?actor=me')).toMatchObject({ status: 422 });
    for (const method of ['PUT', 'PATCH', 'POST', 'DELETE'] as const) {
      expect(await admin.request(method, './audit')).toMatchObject({ status: 405 });
    }
  });
});

it('counts the bytes of an entry once, however often it is recorded', async () => {
  const connection = await connectTestDatabase();
  await auditEntryModel(connection).createIndexes();
  const id = new mongoose.Types.ObjectId().toHexString();
  const log = createAuditRepositories(connection)(id);
  const entry = { kind: 'executed', actor: id, callId: 'one', tool: 'tag', arguments: '{}' } as const;
  await log.record([entry]);
  const bytes = await storedBytesOf(connection).stored(id);
  await log.record([entry, { ...entry, callId: 'two' }]);
  await log.record([entry]);
  expect(await storedBytesOf(connection).stored(id)).toBe(2 * bytes);
  await storedBytesOf(connection).flush();
  await connection.close();
});

it('lists the entries of an origin, also of those that do not store it', async () => {
  const connection = await connectTestDatabase();
  const organization_id = new mongoose.Types.ObjectId();
  const stored: object[] = [
    {},
    { thread_id: new mongoose.Types.ObjectId() },
    { headless: true },
    { via: 'mcp' },
    { via: 'mcp', headless: true },
    ...['chat', 'run', 'mcp', 'api'].map((kind) => ({ origin: { kind }, headless: true })),
  ];
  const entry = {
    organization_id,
    at: new Date(),
    kind: 'executed',
    actor: organization_id,
    tool: 'tag',
    arguments: '{}',
  };
  const records = stored.map((own, at) => ({ ...entry, call_id: `call ${at}`, ...own }));
  await connection.collection('audit_entries').insertMany(records);
  const log = createAuditRepositories(connection)(organization_id.toHexString());
  const all = (await log.list({}, { skip: 0, limit: 100 })).entries;
  for (const origin of ['chat', 'run', 'mcp', 'api'] as const) {
    const found = await log.list({ origin, actor: organization_id.toHexString() }, { skip: 0, limit: 100 });
    const expected = all.filter((one) => one.origin?.kind === origin);
    expect([origin, found.entries]).toEqual([origin, expected]);
    expect(found.total_count).toBe(expected.length);
  }
  await connection.close();
});

describe('simulating a rule', () => {
  it('lists the past calls that it would have decided differently', async () => {
    const client = await bench.addOrganization();
    const member = await bench.addUser('member', client.organizationId);
    const { thread_id } = (await chatWith(client, [{ calls: [createTag('draft-1')] }])).answer;
    await chatWith(client, [{ calls: [createTag('final-1')] }]);
    await chatWith(member, [{ calls: [createTag('draft-2'), { name: 'list_tags' }] }]);
    const simulate = async (who: TestClient, rule: object) => {
      const body = { tool: 'create_*', scope: 'organization', ...rule };
      const answer = (await who.post<SimulationAnswer>('./permission_rules/simulate', body)).body;
      return { ...answer, calls: answer.calls.map(({ arguments: args, before, after }) => [args, before, after]) };
    };
    const when = { path: 'name', matches: '^draft' };
    expect(await simulate(client, { effect: 'allow', when })).toEqual({
      calls: [
        ['{"name":"draft-2"}', 'ask', 'allow'],
        ['{"name":"draft-1"}', 'ask', 'allow'],
      ],
      examined: 4,
      undecidable: 0,
      truncated: false,
    });
    expect(await simulate(member, { effect: 'deny' })).toMatchObject({
      calls: [['{"name":"draft-2"}', 'ask', 'deny']],
      examined: 2,
    });
    expect((await simulate(client, { effect: 'ask', tool: '*' })).calls).toHaveLength(1);
    expect((await simulate(client, { effect: 'deny', scope: 'thread', thread_id })).calls).toHaveLength(1);
    const unknown = { tool: 'nothing', effect: 'deny', scope: 'organization' };
    expect(await client.post('./permission_rules/simulate', unknown)).toMatchObject({ status: 400 });
    expect(await client.get('./permission_rules')).toMatchObject({ body: { total_count: 0 } });
  });

  it('knows that an allow rule does not override an ask rule', async () => {
    const client = await bench.addOrganization();
    await client.post('./permission_rules', { tool: 'list_tags', effect: 'ask', scope: 'organization' });
    await chatWith(client, [{ calls: [{ name: 'list_tags' }] }]);
    const rule = { tool: '*', effect: 'allow', scope: 'organization' };
    expect(await client.post('./permission_rules/simulate', rule)).toMatchObject({
      status: 200,
      body: { calls: [], examined: 1 },
    });
  });
});

it('can be filtered by tool', async () => {
  const client = await bench.addOrganization();
  await chatWith(client, [{ calls: [createTag('one'), { name: 'list_tags' }] }]);
  const toolsIn = async (query: string) => {
    const { body } = await client.get<{ entries: { tool: string }[]; total_count: number }>(
      `./audit?limit=100${query}`,
    );
    expect(body.total_count).toBe(body.entries.length);
    return [...new Set(body.entries.map(({ tool }) => tool))].toSorted((a, b) => a.localeCompare(b));
  };
  expect(await toolsIn('')).toEqual(['create_tag', 'list_tags', 'upload_document']);
  expect(await toolsIn('&tool=create_tag')).toEqual(['create_tag']);
  expect(await toolsIn('&tool=create_*')).toEqual([]);
  const offered = async (as: TestClient) => (await as.get<{ tools: string[] }>('./audit/tools')).body.tools;
  expect(await offered(client)).toEqual(['create_tag', 'list_tags', 'upload_document']);
  const member = await bench.addUser('member', client.organizationId);
  expect(await offered(member)).toEqual([]);
  await member.post('./tags', { name: 'two' });
  expect(await offered(member)).toEqual(['create_tag']);
});
