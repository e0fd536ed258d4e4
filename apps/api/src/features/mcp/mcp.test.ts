import { collectionTools, documentAgentTools, taskAgentTools } from '@docwright/agent-core';
import type { Tag, Thread } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../testing/test-client.ts';
import { startMcpTestBench, type McpTestBench, type Revision } from '../../testing/mcp-test-bench.ts';

let bench: McpTestBench;
beforeAll(async () => {
  bench = await startMcpTestBench();
});
afterAll(async () => bench.stop());

let nameCount = 0;
const newName = () => `tag-${(nameCount += 1)}`;
async function tagsNamed(user: TestClient, name: string): Promise<Tag[]> {
  return (await user.get<{ tags: Tag[] }>(`./tags?name_search=${name}`)).body.tags.filter((tag) => tag.name === name);
}

const revisions: Revision[] = ['earlier', '2026-07-28'];

describe('the tools', () => {
  it.each(revisions)('are described by one definition for every agent (%s)', async (revision) => {
    const { client } = await bench.connect(bench.admin, { revision });
    const { tools } = await client.listTools();
    const toolsets = [documentAgentTools.tools, collectionTools.tools, taskAgentTools.tools];
    const definitions = toolsets.flatMap((offeredTools) =>
      offeredTools.map(({ name, description, effect, worksOnDocument }) => ({
        name,
        description,
        effect,
        worksOnDocument,
      })),
    );
    const all = definitions.filter(({ name }) => !['ask_questions', 'propose_plan', 'run_plan'].includes(name));
    expect(tools.map(({ name }) => name)).toEqual([
      ...all.map(({ name }) => name),
      'get_call',
      'list_waiting_approvals',
      'ask_documents',
    ]);
    for (const { name, description, effect } of all) {
      expect(tools.find((tool) => tool.name === name)).toMatchObject({
        description,
        annotations: { readOnlyHint: effect === 'read', destructiveHint: effect !== 'read' },
      });
    }
    const requiring = tools.filter(({ inputSchema }) => inputSchema.required?.includes('document_id'));
    const working = all.filter(({ worksOnDocument }) => worksOnDocument === true);
    expect(requiring.map(({ name }) => name)).toEqual([...working.map(({ name }) => name), 'get_call']);
    expect(tools.find(({ name }) => name === 'create_tag')?.inputSchema).toMatchObject({ required: ['name'] });
  });

  it.each(revisions)('that read run at once, on the given document (%s)', async (revision) => {
    const { id } = await bench.documentOf(bench.admin);
    const { call } = await bench.connect(bench.admin, { revision });
    await expect
      .poll(async () => (await call('get_ocr_text', { document_id: id })).isError, { timeout: 20_000 })
      .toBe(false);
    expect((await call('get_ocr_text', { document_id: id })).value).toMatchObject({
      pages: [{ text: expect.stringContaining('INV-1042') }],
    });
    expect((await call('help_schemas')).isError).toBe(false);
    const { entries } = (await bench.admin.get<{ entries: object[] }>(`./audit?document_id=${id}`)).body;
    expect(entries[0]).toMatchObject({ kind: 'executed', tool: 'get_ocr_text', actor: bench.admin.userId, via: 'mcp' });
  });

  it('report invalid calls', async () => {
    const { call } = await bench.connect(bench.admin);
    const { id } = await bench.documentOf(await bench.addOrganization());
    for (const [name, args, words] of [
      ['get_ocr_text', {}, 'document_id must be'],
      ['get_ocr_text', { document_id: 'x' }, 'document_id must be'],
      ['get_ocr_text', { document_id: id }, 'no such document'],
      ['update_document', { document_id: id, document_name: 'mine' }, 'no such document'],
      ['create_tag', { document_id: id, name: 'theirs' }, 'no such document'],
      ['list_tags', { limit: 'many' }, 'do not fit list_tags'],
      ['ask_questions', { questions: [] }, 'no tool called ask_questions'],
      ['get_call', { document_id: id, turn_id: id }, 'no such document'],
    ] as const) {
      const answer = await call(name, args);
      expect({ name, isError: answer.isError, error: answer.value['error'] }).toEqual({
        name,
        isError: true,
        error: expect.stringMatching(new RegExp(words, 'iu')),
      });
    }
  });

  it('manage the user’s tasks', async () => {
    const { call } = await bench.connect(bench.admin);
    const { value } = await call('add_task', { title: 'Call the bank' });
    expect((await call('list_tasks')).value).toMatchObject({ tasks: [{ id: value['id'], title: 'Call the bank' }] });
    expect((await call('complete_task', { task_id: value['id'] })).value).toMatchObject({ is_completed: true });
  });
});

describe.each(revisions)('a write that needs approval (%s)', (revision) => {
  it('runs when the user accepts, and can be undone', async () => {
    const { id, chat } = await bench.documentOf(bench.admin);
    const name = newName();
    const { call, questions } = await bench.connect(bench.admin, { revision, answer: () => 'accept' });
    const { isError, value, turn } = await call('create_tag', { document_id: id, name });
    expect([isError, value['name']]).toEqual([false, name]);
    expect(questions).toEqual([expect.stringContaining(`Claude Code wants to run create_tag`)]);
    expect(questions[0]).toContain(name);
    expect(await tagsNamed(bench.admin, name)).toHaveLength(1);
    expect(await bench.admin.post(`${chat}/turns/${turn!.turn_id}/undo`)).toMatchObject({ status: 200 });
    expect(await tagsNamed(bench.admin, name)).toHaveLength(0);
  });

  it('does not run when the user declines', async () => {
    const { id } = await bench.documentOf(bench.admin);
    const name = newName();
    const { call } = await bench.connect(bench.admin, { revision, answer: () => 'decline' });
    const answer = await call('create_tag', { document_id: id, name });
    expect(answer).toMatchObject({ isError: true, value: { error: 'User rejected this action.' } });
    expect(await tagsNamed(bench.admin, name)).toHaveLength(0);
  });

  it.each([
    ['the user dismisses the question', { answer: () => 'cancel' as const }],
    ['the client cannot ask', {}],
  ])('waits in the web app if %s, and runs once it is approved there', async (_, options) => {
    const { id, chat } = await bench.documentOf(bench.admin);
    const name = newName();
    const { call } = await bench.connect(bench.admin, { revision, ...options });
    const { isError, value } = await call('create_tag', { document_id: id, name });
    expect(isError).toBe(false);
    expect(value).toMatchObject({ status: 'awaiting_approval', document_id: id });
    const { turn_id, thread_id, link } = value as Record<string, string>;
    expect(link).toBe(`${bench.address}/documents/${id}?tab=agent&thread=${thread_id}`);
    const thread = (await bench.admin.get<Thread>(`${chat}/threads/${thread_id}`)).body;
    expect(thread).toMatchObject({
      title: 'From Claude Code',
      pending_turn: {
        turn_id,
        status: 'awaiting_approval',
        tool_calls: [{ name: 'create_tag', needs_approval: true }],
      },
    });
    const place = { document_id: id, turn_id };
    expect((await call('get_call', place)).value).toMatchObject({ status: 'awaiting_approval' });
    const listed = await call('list_waiting_approvals', { document_id: place.document_id });
    expect(listed.value).toMatchObject({ total_count: 1, approvals: [{ turn_id: place.turn_id }] });
    // A repeated call makes no second card.
    expect((await call('create_tag', { document_id: id, name })).value).toMatchObject({ turn_id });

    expect(await bench.decide(bench.admin, id, turn_id!, true)).toMatchObject({ status: 'completed', text: '' });
    expect((await call('get_call', place)).value).toMatchObject({ name });
    expect(await tagsNamed(bench.admin, name)).toHaveLength(1);
  });
});

it('withdraws the question when the card is decided', async () => {
  const { id } = await bench.documentOf(bench.admin);
  const name = newName();
  const { promise: never } = Promise.withResolvers<'accept'>();
  const asking = Promise.withResolvers<void>();
  const { call } = await bench.connect(bench.admin, {
    answer: () => {
      asking.resolve();
      return never;
    },
  });
  const answer = call('create_tag', { document_id: id, name });
  await asking.promise;
  const { threads } = (await bench.admin.get<{ threads: { id: string }[] }>(`./documents/${id}/chat/threads`)).body;
  const thread = (await bench.admin.get<Thread>(`./documents/${id}/chat/threads/${threads[0]!.id}`)).body;
  await bench.decide(bench.admin, id, thread.pending_turn!.turn_id, true);
  expect((await answer).value).toMatchObject({ name });
});

describe('permission rules', () => {
  const setRule = async (user: TestClient, rule: object) =>
    (await user.post<{ id: string }>('./permission_rules', rule)).body.id;

  it('let a write run without approval, deny it with precedence, and require approval of reads', async () => {
    const user = await bench.addOrganization();
    const { id } = await bench.documentOf(user);
    const { call, questions } = await bench.connect(user, { answer: () => 'accept' });
    await setRule(user, { tool: 'create_tag', effect: 'allow', scope: 'organization' });
    expect((await call('create_tag', { document_id: id, name: 'allowed' })).isError).toBe(false);
    expect(questions).toEqual([]);
    await setRule(user, { tool: 'list_*', effect: 'ask', scope: 'organization' });
    expect((await call('list_tags')).value).toMatchObject({ total_count: 1 });
    expect(questions).toHaveLength(1);
    await setRule(user, { tool: 'create_*', effect: 'deny', scope: 'organization' });
    expect(await call('create_tag', { name: 'denied' })).toMatchObject({
      isError: true,
      value: { error: expect.stringContaining('a rule of the organization denies') },
    });
    expect(questions).toHaveLength(1);
  });

  it('of a document apply only to its calls', async () => {
    const user = await bench.addOrganization();
    const { id } = await bench.documentOf(user);
    await setRule(user, { tool: 'create_tag', effect: 'allow', scope: 'document', document_id: id });
    await setRule(user, { tool: 'delete_document', effect: 'deny', scope: 'document', document_id: id });
    const { call } = await bench.connect(user);
    expect((await call('create_tag', { document_id: id, name: 'here' })).value).toMatchObject({ name: 'here' });
    expect((await call('create_tag', { name: 'anywhere' })).value).toMatchObject({ status: 'awaiting_approval' });
    expect((await call('delete_document', { document_id: id })).value['error']).toMatch(/denies delete_document/u);
  });

  it('never let a viewer write, nor a token with that role', async () => {
    const { id } = await bench.documentOf(bench.admin);
    const viewer = await bench.addUser('viewer');
    const { body } = await bench.admin.post<{ token: string }>('./access_tokens', {
      name: 'reader',
      lifetime_days: 1,
      role: 'viewer',
    });
    for (const user of [viewer, { ...bench.admin, accessToken: body.token }]) {
      const { call, questions } = await bench.connect(user, { answer: () => 'accept' });
      expect((await call('list_tags')).isError).toBe(false);
      for (const [name, args] of [
        ['create_tag', { document_id: id, name: 'no' }],
        ['add_task', { title: 'no' }],
      ] as const) {
        expect((await call(name, args)).value['error']).toMatch(/not permitted/u);
      }
      expect(questions).toEqual([]);
    }
  });
});
