import type { ScriptedCall } from '@docwright/agent-core/testing';
import type { PermissionRule, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideAll, userMessage, startChatTestBench, type ChatTestBench } from '../../testing/chat-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());

interface RuleList {
  permission_rules: PermissionRule[];
  total_count: number;
}
const denyDeletes = { tool: 'delete_*', effect: 'deny', scope: 'organization' };

async function startPendingTurn(
  client: TestClient,
  calls: ScriptedCall[] = [{ name: 'create_tag', args: { name: crypto.randomUUID() } }],
) {
  const document = await bench.documentOf(client);
  bench.script({ calls }, { text: 'Done.' });
  const { body: answer } = await client.post<TurnAnswer>(document.chat, userMessage('Go on'));
  return { ...document, answer };
}

/** The outcome of one proposed call in a new chat. */
async function propose(
  client: TestClient,
  chat: string,
  body: object = {},
  args: object = { name: crypto.randomUUID() },
) {
  bench.script({ calls: [{ name: 'create_tag', args: { ...args } }] }, { text: 'Done.' });
  return (await client.post<TurnAnswer>(chat, { ...userMessage('Go on'), ...body })).body;
}

const clean = async (client: TestClient) => {
  const { body } = await client.get<RuleList>('./permission_rules?limit=100');
  for (const { id } of body.permission_rules) await client.delete(`./permission_rules/${id}`);
};

describe('permission rules over HTTP', () => {
  it('are listed to the users they concern: organization rules to all, others to their creator', async () => {
    const organization = await bench.addOrganization();
    const member = await bench.addUser('member', organization.organizationId);
    const { id: document_id } = await bench.documentOf(member);
    const own = await member.post<PermissionRule>('./permission_rules', {
      tool: 'update_*',
      when: { path: 'value', equals: { a: [1, null] } },
      effect: 'allow',
      scope: 'document',
      document_id,
    });
    expect(own).toMatchObject({ status: 201, body: { tool: 'update_*', scope: 'document', document_id } });
    const shared = await organization.post<PermissionRule>('./permission_rules', denyDeletes);
    expect(shared.body).toEqual({
      ...denyDeletes,
      id: shared.body.id,
      created_at: shared.body.created_at,
      created_by: organization.userId,
    });
    const ofMember = await member.get<RuleList>('./permission_rules?limit=1');
    expect(ofMember.body).toMatchObject({ permission_rules: [shared.body], total_count: 2, skip: 0, limit: 1 });
    const ofAdmin = await organization.get<RuleList>('./permission_rules');
    expect(ofAdmin.body.permission_rules.map(({ id }) => id)).toEqual([shared.body.id]);
    expect(await bench.admin.get(`./permission_rules`)).toMatchObject({ body: { total_count: 0 } });

    expect(await member.delete(`./permission_rules/${shared.body.id}`)).toMatchObject({ status: 403 });
    expect(await organization.delete(`./permission_rules/${own.body.id}`)).toMatchObject({ status: 404 });
    expect(await bench.admin.delete(`./permission_rules/${shared.body.id}`)).toMatchObject({ status: 404 });
    expect(await member.delete(`./permission_rules/${own.body.id}`)).toMatchObject({ status: 204 });
    expect(await organization.delete(`./permission_rules/${shared.body.id}`)).toMatchObject({ status: 204 });
    expect(await organization.delete(`./permission_rules/${shared.body.id}`)).toMatchObject({ status: 404 });
  });

  it('are listed from the newest to the oldest, and deleted once, however many delete them', async () => {
    const client = await bench.addOrganization();
    const older = await client.post<PermissionRule>('./permission_rules', denyDeletes);
    const newer = await client.post<PermissionRule>('./permission_rules', { ...denyDeletes, tool: 'update_*' });
    const { body } = await client.get<RuleList>('./permission_rules');
    expect(body.permission_rules).toEqual([newer.body, older.body]);
    const remove = () => client.delete(`./permission_rules/${older.body.id}`);
    const statuses = (await Promise.all([remove(), remove(), remove()])).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([204, 404, 404]);
  });

  it('of the organization are written only by admins', async () => {
    const member = await bench.addUser('member');
    expect(await member.post('./permission_rules', denyDeletes)).toMatchObject({ status: 403 });
  });

  it('are rejected if they could never match', async () => {
    const { id: document_id, chat } = await bench.documentOf(bench.admin);
    const colleague = await bench.addUser('member');
    const thread = await colleague.post<{ thread_id: string }>(`${chat}/threads`);
    const stranger = await bench.addOrganization();
    const foreign = await bench.documentOf(stranger);
    const plain = { tool: '*', effect: 'ask', scope: 'organization' };
    const refused: [object, number, string][] = [
      [{ ...plain, tool: 'drop_*' }, 400, 'unknown_tool'],
      [{ ...plain, tool: 'Create_tag' }, 400, 'unknown_tool'],
      [{ ...plain, tool: '(a+)+$' }, 400, 'unknown_tool'],
      [{ ...plain, scope: 'document' }, 400, 'scope_mismatch'],
      [{ ...plain, document_id }, 400, 'scope_mismatch'],
      [{ ...plain, scope: 'document', document_id: foreign.id }, 400, 'unknown_reference'],
      [{ ...plain, scope: 'thread', thread_id: thread.body.thread_id }, 400, 'unknown_reference'],
      [{ ...plain, scope: 'thread', thread_id: document_id }, 400, 'unknown_reference'],
      [{ ...plain, when: { path: 'name', matches: '(?=a)' } }, 400, 'invalid_pattern'],
      [{ ...plain, when: { path: 'name', matches: '((a{100}){100}){100}' } }, 400, 'invalid_pattern'],
      [{ ...plain, when: { path: 'name', equals: 'x'.repeat(10_001) } }, 400, 'condition_too_long'],
      [{ ...plain, when: { evaluation: { broken_at_most: 0 } } }, 400, 'evaluation_condition_misplaced'],
      [{ ...plain, when: { path: 'name', equals: 1, matches: 'a' } }, 422, 'invalid_request'],
      [{ ...plain, when: { path: 'name' } }, 422, 'invalid_request'],
      [{ ...plain, wen: { path: 'name', equals: 1 } }, 422, 'invalid_request'],
      [{ ...plain, effect: 'maybe' }, 422, 'invalid_request'],
    ];
    for (const [rule, status, code] of refused) {
      expect(await bench.admin.post('./permission_rules', rule), JSON.stringify(rule).slice(0, 100)).toMatchObject({
        status,
        error: { code, message: expect.stringMatching(/\w/u) },
      });
    }
    expect(await bench.admin.get('./permission_rules')).toMatchObject({ body: { total_count: 0 } });
    for (const [tool, help] of [
      ['delet_*', 'No tool matches "delet_*". Did you mean delete_*?'],
      ['Create_tag', 'No tool matches "Create_tag". Did you mean create_tag?'],
      ['(a+)+$', 'No tool matches "(a+)+$". GET …/chat/tools lists all.'],
    ]) {
      expect(await bench.admin.post('./permission_rules', { ...plain, tool })).toMatchObject({
        error: { message: help },
      });
    }
  });
});

describe('a rule applies', () => {
  it('over auto_approve, in the conversations of all its users', async () => {
    const organization = await bench.addOrganization();
    const member = await bench.addUser('member', organization.organizationId);
    const { chat } = await bench.documentOf(member);
    await organization.post('./permission_rules', { tool: 'create_tag', effect: 'deny', scope: 'organization' });
    for (const client of [organization, member]) {
      const answer = await propose(client, chat, { auto_approved_tools: ['create_tag'] });
      expect(answer).toMatchObject({ status: 'completed', executed_rounds: [{ tool_calls: [{ success: false }] }] });
      expect(answer.executed_rounds[0]!.tool_calls[0]!.error).toContain('not permitted');
    }
    await clean(organization);
    await organization.post('./permission_rules', { tool: 'create_tag', effect: 'ask', scope: 'organization' });
    const pending = await propose(member, chat, { auto_approved_tools: ['create_tag'] });
    expect(pending).toMatchObject({ status: 'awaiting_approval', tool_calls: [{ needs_approval: true }] });
  });

  it('only if its condition matches', async () => {
    const client = await bench.addOrganization();
    const { id: document_id, chat } = await bench.documentOf(client);
    const when = { path: 'name', matches: '^draft-' };
    const rule = { tool: 'create_*', when, effect: 'allow', scope: 'document', document_id };
    expect(await client.post('./permission_rules', rule)).toMatchObject({ status: 201 });
    expect(await propose(client, chat, {}, { name: 'draft-1' })).toMatchObject({ status: 'completed' });
    expect(await propose(client, chat, {}, { name: 'final-1' })).toMatchObject({ status: 'awaiting_approval' });
    const other = await bench.documentOf(client);
    expect(await propose(client, other.chat, {}, { name: 'draft-2' })).toMatchObject({ status: 'awaiting_approval' });
  });

  it('if it was added while the turn was pending', async () => {
    const client = await bench.addOrganization();
    const { chat, answer } = await startPendingTurn(client);
    const rule = await client.post<PermissionRule>('./permission_rules', { ...denyDeletes, tool: '*' });
    const { body } = await client.post<TurnAnswer>(`${chat}/approve`, decideAll(answer, true));
    expect(body.executed_rounds[0]!.tool_calls[0]).toMatchObject({ success: false });
    expect(await client.get('./tags')).toMatchObject({ body: { total_count: 0 } });
    await client.delete(`./permission_rules/${rule.body.id}`);
    expect(await propose(client, chat)).toMatchObject({ status: 'awaiting_approval' });
  });

  it('that requires approval of every tool', async () => {
    const client = await bench.addOrganization();
    await client.post('./permission_rules', { tool: '*', effect: 'ask', scope: 'organization' });
    const { chat, answer } = await startPendingTurn(client, [{ name: 'list_tags', args: {} }]);
    expect(answer).toMatchObject({
      status: 'awaiting_approval',
      tool_calls: [{ name: 'list_tags', effect: 'read_only', needs_approval: true }],
    });
    const done = await client.post<TurnAnswer>(`${chat}/approve`, decideAll(answer, true));
    expect(done.body).toMatchObject({ status: 'completed', executed_rounds: [{ tool_calls: [{ success: true }] }] });
  });

  it("only within the user's role: a viewer’s approval runs nothing", async () => {
    const member = await bench.addUser('member');
    const { chat, answer } = await startPendingTurn(member);
    await bench.admin.patch(`./members/${member.userId}`, { role: 'viewer' });
    const { body } = await member.post<TurnAnswer>(`${chat}/approve`, decideAll(answer, true));
    expect(body.executed_rounds[0]!.tool_calls[0]).toMatchObject({ success: false });
    expect(await propose(member, chat, { auto_approved_tools: ['create_tag'] })).toMatchObject({
      status: 'completed',
      executed_rounds: [{ tool_calls: [{ success: false }] }],
    });
  });
});

describe('a remembered approval', () => {
  const remembering = ({ turn_id, tool_calls }: TurnAnswer, remember: string, approved = true) => ({
    turn_id,
    approvals: [{ call_id: tool_calls[0]!.id, approved, remember }],
  });

  it('allows the tool for the thread, the document, or the organization', async () => {
    const client = await bench.addOrganization();
    const member = await bench.addUser('member', client.organizationId);
    const { chat, answer } = await startPendingTurn(client);
    const { thread_id } = answer;
    expect(await client.post(`${chat}/approve`, remembering(answer, 'thread'))).toMatchObject({ status: 200 });
    expect(await propose(client, chat, { thread_id })).toMatchObject({ status: 'completed' });
    const elsewhere = await propose(client, chat);
    expect(elsewhere).toMatchObject({ status: 'awaiting_approval' });

    bench.script({ text: 'Done.' });
    await client.post(`${chat}/approve`, remembering(elsewhere, 'document'));
    expect(await propose(client, chat)).toMatchObject({ status: 'completed' });
    expect(await propose(member, chat)).toMatchObject({ status: 'awaiting_approval' });

    const other = await startPendingTurn(client);
    bench.script({ text: 'Done.' });
    await client.post(`${other.chat}/approve`, remembering(other.answer, 'organization'));
    expect(await propose(member, chat)).toMatchObject({ status: 'completed' });
    const { body } = await client.get<RuleList>('./permission_rules');
    expect(body.permission_rules.map(({ tool, effect, scope }) => [tool, effect, scope])).toEqual([
      ['create_tag', 'allow', 'organization'],
      ['create_tag', 'allow', 'document'],
      ['create_tag', 'allow', 'thread'],
    ]);
    await client.delete(`${chat}/threads/${thread_id}`);
    expect(await client.get('./permission_rules')).toMatchObject({ body: { total_count: 2 } });
  });

  it('for the organization requires an admin: 403 for others, and the turn stays pending', async () => {
    const member = await bench.addUser('member');
    const { chat, answer } = await startPendingTurn(member);
    expect(await member.post(`${chat}/approve`, remembering(answer, 'organization'))).toMatchObject({ status: 403 });
    expect(await member.post(`${chat}/approve`, remembering(answer, 'thread', false))).toMatchObject({
      status: 400,
      error: { code: 'remember_needs_approval' },
    });
    expect(await member.get(`${chat}/turns/${answer.turn_id}`)).toMatchObject({
      body: { status: 'awaiting_approval' },
    });
    expect(await member.post(`${chat}/approve`, decideAll(answer, true))).toMatchObject({ status: 200 });
    expect(await member.get('./permission_rules')).toMatchObject({ body: { total_count: 0 } });
  });

  it('adds its rule once, however often it is sent, and never overrides a deny', async () => {
    const client = await bench.addOrganization();
    const { chat, answer } = await startPendingTurn(client);
    const approve = () => client.post(`${chat}/approve`, remembering(answer, 'document'));
    const first = await approve();
    await approve();
    expect(await approve()).toMatchObject({ status: 200, body: first.body });
    expect(await client.get('./permission_rules')).toMatchObject({ body: { total_count: 1 } });
    await client.post('./permission_rules', { ...denyDeletes, tool: 'create_*' });
    const denied = await propose(client, chat);
    expect(denied.executed_rounds[0]!.tool_calls[0]).toMatchObject({ success: false });
  });
});
