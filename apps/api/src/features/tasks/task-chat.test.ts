import { historyIn, systemIn } from '@docwright/agent-core/testing';
import { DomainError, type PermissionRule, type Task, type TaskConversationDetail } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTaskTestBench, type TaskTestBench } from '../../testing/task-test-bench.ts';

let bench: TaskTestBench;
beforeAll(async () => {
  bench = await startTaskTestBench();
});
afterAll(async () => bench.stop());

const add = (title: string, over: object = {}) => ({ name: 'add_task', args: { title, ...over } });

describe('a message', () => {
  it('is answered with complete JSON: text, calls and increasing ids', async () => {
    const client = await bench.addOrganization();
    const model = bench.script(
      { calls: [add('Pay'), add('Call')] },
      { text: 'Both are on your list.' },
      { text: 'Hi' },
    );
    const answer = await bench.send(client, ' Add two tasks ');
    expect(answer.status).toBe(200);
    const { conversation_id, user_message_id, agent_message_id } = answer.body;
    expect([conversation_id, user_message_id, agent_message_id].every(Number.isInteger)).toBe(true);
    expect(agent_message_id).toBeGreaterThan(user_message_id);
    const [call, pay] = await bench
      .tasksOf(client)
      .then((tasks) => tasks.toSorted((a, b) => (a.title < b.title ? -1 : 1)));
    expect(answer.body).toMatchObject({
      agent_response: 'Both are on your list.',
      tool_calls: [
        { tool_name: 'add_task', arguments: { title: 'Pay' }, result: pay },
        { tool_name: 'add_task', arguments: { title: 'Call' }, result: call },
      ],
    });
    const system = systemIn(model.requests[0]);
    expect(system).toContain(new Date().toISOString().slice(0, 10));
    const chat = await bench.send(client, 'Hello', conversation_id);
    expect(chat.body).toMatchObject({ conversation_id, tool_calls: [], agent_response: 'Hi' });
    expect(historyIn(model.requests.at(-1))).toMatchObject([
      { role: 'user', content: 'Add two tasks' },
      // The messages as sent before, with calls and results.
      ...model.requests[1]!.messages.slice(2, -1),
      { role: 'assistant', content: 'Both are on your list.' },
      { role: 'user', content: 'Hello' },
    ]);
  });

  it('deletes “it”, if the conversation is about one task', async () => {
    const client = await bench.addOrganization();
    await bench.addTask(client, { title: 'Read the contract' });
    bench.script({ calls: [add('Call the bank')] }, { text: 'Noted.' });
    const { conversation_id, tool_calls } = (await bench.send(client, 'Remind me to call the bank')).body;
    const { id } = tool_calls[0]!.result as Task;
    bench.script({ calls: [{ name: 'delete_task', args: { task_id: id } }] }, { text: 'Deleted.' });
    const { body } = await bench.send(client, 'Delete it', conversation_id);
    expect(body.tool_calls).toMatchObject([{ tool_name: 'delete_task', result: { id, deleted: true } }]);
  });

  it('always has an answer of 1 to 5,000 characters', async () => {
    const client = await bench.addOrganization();
    bench.script({ text: `${'word '.repeat(2_000)}end` }, { text: '🧾'.repeat(4_000) });
    const long = (await bench.send(client, 'Everything')).body.agent_response;
    expect(long.length).toBeLessThanOrEqual(5_000);
    expect(long).toMatch(/^(word )+… \[The answer was longer\. Ask for less at once\.\]$/u);
    const signs = (await bench.send(client, 'All')).body.agent_response;
    expect(signs.length).toBeLessThanOrEqual(5_000);
    expect(signs).toMatch(/^🧾+ … \[/u);
  });

  it('follows the last 20 messages, oldest first', async () => {
    const client = await bench.addOrganization();
    bench.script(...Array.from({ length: 12 }, (_, at) => ({ text: `a${at}` })));
    let id: number | null = null;
    for (let at = 0; at < 12; at++) id = (await bench.send(client, `q${at}`, id)).body.conversation_id;
    const model = bench.script({ text: 'ok' });
    await bench.send(client, 'now', id);
    const sent = historyIn(model.requests[0]);
    expect(sent).toHaveLength(21);
    expect(sent[0]).toEqual({ role: 'user', content: 'q2' });
    expect(sent.at(-1)).toEqual({ role: 'user', content: 'now' });
  });

  it('is rejected with a history, when empty, and in conversations of other users', async () => {
    const client = await bench.addOrganization();
    bench.script({ text: 'Hi' });
    const chat = `/api/v1/agent/${client.userId}/chat`;
    for (const body of [{ message: '  ' }, {}, { message: '', conversation_id: null }, { message: null }]) {
      const refused = await client.post(chat, body);
      expect([refused.status, refused.error?.code]).toEqual([400, 'empty_message']);
    }
    expect((await client.post(chat, { message: 'x', messages: [] })).status).toBe(422);
    expect((await client.post(chat, { message: 'x', conversation_id: 'one' })).status).toBe(422);
    const mine = (await bench.send(client, 'Hello')).body.conversation_id;
    const stranger = await bench.addOrganization();
    expect((await bench.send(stranger, 'x', mine)).error?.code).toBe('not_your_conversation');
    expect((await stranger.get(`/api/v1/agent/${stranger.userId}/conversations/${mine}`)).status).toBe(403);
    expect((await stranger.get(`/api/v1/agent/${client.userId}/conversations`)).status).toBe(403);
    expect((await stranger.post(chat, { message: 'x' })).status).toBe(403);
    for (const id of [999_999, 0, -1]) expect((await bench.send(client, 'x', id)).status).toBe(404);
    expect((await client.get(`/api/v1/agent/${client.userId}/conversations/x`)).status).toBe(404);
    const headers = { authorization: 'Bearer nonsense' };
    expect((await client.request('POST', chat, { headers, payload: { message: 'x' } })).status).toBe(401);
    const health = await client.request('GET', '/api/v1/agent/health', { headers: { authorization: '' } });
    expect([health.status, health.body]).toEqual([200, { status: 'healthy' }]);
  });

  it('can be read later with the calls of the agent', async () => {
    const client = await bench.addOrganization();
    bench.script({ calls: [add('Read')] }, { text: 'Done so.' });
    const { body } = await bench.send(client, 'Add Read');
    const path = `/api/v1/agent/${client.userId}/conversations`;
    expect((await client.get(path)).body).toMatchObject({
      conversations: [{ id: body.conversation_id, title: 'Add Read' }],
      total_count: 1,
    });
    const read = await client.get<TaskConversationDetail>(`${path}/${body.conversation_id}`);
    expect(read.body.messages).toMatchObject([
      { id: body.user_message_id, role: 'user', content: 'Add Read', tool_calls: [] },
      { id: body.agent_message_id, role: 'assistant', content: 'Done so.', tool_calls: body.tool_calls },
    ]);
  });
});

describe('a call of the model', () => {
  it('is rejected for another user, another user’s task or an unknown tool, and the turn continues', async () => {
    const client = await bench.addOrganization();
    const other = await bench.addUser('admin', client.organizationId);
    const theirs = await bench.addTask(other, { title: 'theirs' });
    bench.script(
      {
        calls: [
          add('Stolen', { user_id: other.userId }),
          { name: 'list_tasks', args: { user_id: other.userId } },
          { name: 'complete_task', args: { task_id: theirs.id } },
          { name: 'update_task', args: { task_id: theirs.id, title: 'x' } },
          { name: 'delete_task', args: { task_id: theirs.id } },
          { name: 'complete_task', args: { task_id: '7' } },
          { name: 'list_documents' },
          { name: 'list_tasks' },
        ],
      },
      { text: 'I could not find it.' },
    );
    const { body } = await bench.send(client, 'Do it');
    expect(body.agent_response).toBe('I could not find it.');
    const refused = body.tool_calls.slice(0, 7).map(({ result }) => (result as { error: string }).error);
    expect(refused).toEqual([
      expect.stringContaining('user_id'),
      expect.stringContaining('user_id'),
      ...Array.from({ length: 3 }, () => expect.stringContaining('no such task')),
      expect.stringContaining('uuid'),
      expect.stringContaining('a tool that does not exist'),
    ]);
    expect(body.tool_calls[7]?.result).toMatchObject({ tasks: [], total_count: 0 });
    expect(await bench.tasksOf(other)).toEqual([theirs]);
  });

  it('does not run if a rule denies it or requires approval, or for a viewer; each rejection is reported and audited', async () => {
    const client = await bench.addOrganization();
    const rule = (tool: string, effect: string) =>
      client.post<PermissionRule>('./permission_rules', { tool, effect, scope: 'organization' });
    expect((await rule('delete_task', 'deny')).status).toBe(201);
    await rule('complete_task', 'ask');
    const task = await bench.addTask(client, { title: 'kept' });
    const args = { task_id: task.id };
    bench.script(
      {
        calls: [
          { name: 'delete_task', args },
          { name: 'complete_task', args },
        ],
      },
      { text: 'I may not.' },
    );
    const { body } = await bench.send(client, 'Delete it');
    expect(body.tool_calls.map(({ result }) => result)).toEqual([
      { error: expect.stringContaining('a rule of the organization denies') },
      { error: expect.stringContaining('requires approval') },
    ]);
    expect(await bench.tasksOf(client)).toEqual([task]);
    const audit = await client.get<{ entries: object[] }>('./audit');
    expect(audit.body.entries).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'decided', tool: 'delete_task', decision: 'deny' })]),
    );

    const viewer = await bench.addUser('viewer');
    bench.script({ calls: [{ name: 'list_tasks' }, add('x')] }, { text: 'You may only read.' });
    const denied = (await bench.send(viewer, 'Add x')).body.tool_calls;
    expect(denied[0]?.result).toMatchObject({ total_count: 0 });
    expect(denied[1]?.result).toEqual({ error: expect.stringContaining('may only read') });
  });
});

describe('a failure', () => {
  it('of the model is 500 without internals; the message stays, marked as unanswered', async () => {
    const client = await bench.addOrganization();
    bench.script({ text: 'Hi' }, { error: new Error('secret at 10.0.0.1') });
    const { conversation_id } = (await bench.send(client, 'Hello')).body;
    for (const error of [undefined, new DomainError('model_failed', 'model_unreachable', 'Check LLM_BASE_URL.')]) {
      if (error) bench.script({ error });
      const failed = await bench.send(client, 'Lost', conversation_id);
      expect([failed.status, failed.error?.code]).toEqual([500, 'agent_unavailable']);
      expect(failed.error?.message).toBe('Agent is currently unavailable. Please try again later.');
      expect(failed.text).not.toMatch(/secret|LLM_BASE_URL/);
    }
    const model = bench.script({ text: 'Back' });
    expect((await bench.send(client, 'Again', conversation_id)).status).toBe(200);
    expect(historyIn(model.requests[0]).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
  });

  it('after a call is answered with the calls so far', async () => {
    const client = await bench.addOrganization();
    bench.script({ calls: [add('Kept')] }, { error: new Error('secret') });
    const { status, body } = await bench.send(client, 'Add it');
    expect([status, body.tool_calls.length]).toEqual([200, 1]);
    expect(body.agent_response).toContain('The changes so far stay');
    expect(await bench.tasksOf(client)).toHaveLength(1);
  });

  it('to finish within the round limit is reported, with all calls', async () => {
    const client = await bench.addOrganization();
    bench.script(...Array.from({ length: 10 }, () => ({ calls: [{ name: 'list_tasks' }] })));
    const { body } = await bench.send(client, 'Go round');
    expect(body.tool_calls).toHaveLength(10);
    expect(body.agent_response).toContain('more steps than I am allowed to take');
  });

  it('of the budget check is 402, before the model is asked', async () => {
    const client = await bench.addOrganization();
    bench.script({ text: 'Hi' });
    await bench.send(client, 'Hello');
    expect((await client.get<{ spu_used: number }>('./usage')).body.spu_used).toBe(1);
    await client.put('./budget', { spu_limit: 1, period: 'total' });
    bench.script();
    expect((await bench.send(client, 'Hello')).status).toBe(402);
  });
});

describe('concurrently', () => {
  it('two conversations are answered, and two messages of one conversation are not', async () => {
    const client = await bench.addOrganization();
    bench.script({ text: 'Hi' });
    const { conversation_id } = (await bench.send(client, 'Hello')).body;
    bench.script({ text: 'one' }, { text: 'two' });
    const answers = await Promise.all([1, 2].map((at) => bench.send(client, `at once ${at}`, conversation_id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    bench.script(...Array.from({ length: 8 }, () => ({ text: 'ok' })));
    const begun = await Promise.all(Array.from({ length: 8 }, () => bench.send(client, 'New')));
    expect(new Set(begun.map(({ body }) => body.conversation_id)).size).toBe(8);
    expect(new Set(begun.flatMap(({ body }) => [body.user_message_id, body.agent_message_id])).size).toBe(16);
  });
});

it('tells the model the newest documents, so that it can link a task by name', async () => {
  const client = await bench.addOrganization();
  const document_id = await bench.addDocument(client, 'invoice "May".txt');
  const model = bench.script({ calls: [add('Check', { document_id })] }, { text: 'Linked.' });
  const { body } = await bench.send(client, 'Check the invoice');
  expect(body.tool_calls[0]?.result as Task).toMatchObject({ document_id });
  expect(systemIn(model.requests[0])).toContain(`"invoice 'May'.txt" (document_id ${document_id})`);
});

it('stops an answer with the server, and frees its conversation', async () => {
  const client = await bench.addOrganization();
  bench.script({ text: 'Hi' });
  const { conversation_id } = (await bench.send(client, 'Hello')).body;
  const model = bench.script({ hangs: true });
  const answer = bench.send(client, 'Wait', conversation_id);
  await expect.poll(() => model.requests.length).toBe(1);
  await bench.services.taskChat.stop();
  expect((await answer).error?.code).toBe('agent_unavailable');
  expect((await bench.send(client, 'Again', conversation_id)).error?.code).not.toBe('turn_running');
});
