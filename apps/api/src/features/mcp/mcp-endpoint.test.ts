import type { Document, Tag, Thread } from '@docwright/contract';
import { scriptedLlm } from '@docwright/agent-core/testing';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { createReadiness } from '../../platform/http/readiness.ts';
import { readSettings } from '../../platform/settings/settings.ts';
import { startMcpTestBench, type McpTestBench, type Revision } from '../../testing/mcp-test-bench.ts';

const many = { user: 1_000, organization: 1_000 };
const turnsPerMinute = { user: 12, organization: 1_000 };

let bench: McpTestBench;
let other: FastifyInstance;
let addresses: string[];
beforeAll(async () => {
  const turnLimits = { turnsPerMinute, runningTurns: many };
  bench = await startMcpTestBench({}, { turnLimits });
  // A second application on the same database stands for another process.
  ({ app: other } = await buildApp({
    settings: readSettings({}),
    appSecret: 'a secret for tests only',
    connection: bench.connection,
    llmEndpoint: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: undefined, model: 'no-model' },
    llm: scriptedLlm([]),
    logger: pino({ level: 'silent' }),
    readiness: createReadiness([]),
    apiProcesses: () => 1,
    turnLimits,
  }));
  addresses = [bench.address, await other.listen({ port: 0, host: '127.0.0.1' })];
});
afterAll(async () => {
  await other.close();
  await bench.stop();
});

describe('two processes behind a round-robin proxy', () => {
  it.each<Revision>(['earlier', '2026-07-28'])('serve a client that is asked during a call (%s)', async (revision) => {
    const user = await bench.addOrganization();
    const { id } = await bench.documentOf(user);
    // Consecutive requests, the answer to the question included, go to alternating processes.
    const { call, questions } = await bench.connect(user, { revision, addresses, answer: () => 'accept' });
    for (const name of ['one', 'two', 'three']) {
      expect((await call('create_tag', { document_id: id, name })).value).toMatchObject({ name });
    }
    expect(questions).toHaveLength(3);
    const { tags } = (await user.get<{ tags: Tag[] }>('./tags')).body;
    expect(tags.map(({ name }) => name).toSorted()).toEqual(['one', 'three', 'two']);
    const { threads } = (await user.get<{ threads: Thread[] }>(`./documents/${id}/chat/threads`)).body;
    expect(threads.map(({ title }) => title)).toEqual(['From Claude Code']);
  });
});

describe('an approval card', () => {
  it('of a write without a document appears on the newest one, and does not bind the record to it', async () => {
    const user = await bench.addOrganization();
    const { call } = await bench.connect(user);
    expect((await call('create_tag', { name: 'x' })).value['error']).toMatch(/no document yet/u);
    await bench.documentOf(user);
    const { id } = await bench.documentOf(user);
    const { value } = await call('create_prompt', { name: 'Totals', content: 'Read the total.' });
    expect(value).toMatchObject({ status: 'awaiting_approval', document_id: id });
    await bench.decide(user, id, String(value['turn_id']), true);
    const { prompts } = (await user.get<{ prompts: object[] }>('./prompts')).body;
    expect(prompts).toMatchObject([{ name: 'Totals' }]);
    // A prompt bound to the document would be used for the extraction.
    const run = await call('run_extraction', { document_id: id });
    await bench.decide(user, id, String(run.value['turn_id']), true);
    const outcome = await call('get_call', { document_id: id, turn_id: run.value['turn_id'] });
    expect(outcome.value['error']).toMatch(/prompt/iu);
  });

  it('does not run if its target has changed meanwhile', async () => {
    const user = await bench.addOrganization();
    const { id } = await bench.documentOf(user);
    const { call } = await bench.connect(user);
    const { value } = await call('update_document', { document_id: id, document_name: 'mine.txt' });
    await user.patch<Document>(`./documents/${id}`, { document_name: 'theirs.txt' });
    await bench.decide(user, id, String(value['turn_id']), true);
    const outcome = await call('get_call', { document_id: id, turn_id: value['turn_id'] });
    expect(outcome).toMatchObject({ isError: true, value: { error: expect.stringContaining('stale_proposal') } });
    expect((await user.get<Document>(`./documents/${id}`)).body.document_name).toBe('theirs.txt');
  });

  it('is one card if the call is made several times at once', async () => {
    const user = await bench.addOrganization();
    const { id } = await bench.documentOf(user);
    const { call } = await bench.connect(user);
    const made = await Promise.all([1, 2, 3].map(() => call('create_tag', { document_id: id, name: 'One' })));
    expect(new Set(made.map(({ value }) => value['turn_id'])).size).toBe(1);
    const { value } = await call('list_waiting_approvals', { document_id: id });
    expect(value).toMatchObject({ total_count: 1 });
  });

  it('is found again by a repeated call, also if many others wait', async () => {
    const user = await bench.addOrganization();
    const { id } = await bench.documentOf(user);
    const { call } = await bench.connect(user);
    const make = async (name: string) => (await call('create_tag', { document_id: id, name })).value['turn_id'];
    const first = await make('Tag 0');
    for (let at = 1; at <= 10; at += 1) await make(`Tag ${at}`);
    expect(await make('Tag 0')).toBe(first);
  });

  it('is proposed again if the call is repeated after its target has changed', async () => {
    const user = await bench.addOrganization();
    const { id } = await bench.documentOf(user);
    const { call } = await bench.connect(user);
    const rename = { document_id: id, document_name: 'mine.txt' };
    const first = await call('update_document', rename);
    await user.patch<Document>(`./documents/${id}`, { document_name: 'theirs.txt' });
    const again = await call('update_document', rename);
    expect(again.value).toMatchObject({ status: 'awaiting_approval' });
    expect(again.value['turn_id']).not.toBe(first.value['turn_id']);
    await bench.decide(user, id, String(again.value['turn_id']), true);
    expect((await user.get<Document>(`./documents/${id}`)).body.document_name).toBe('mine.txt');
  });

  it('is invisible to other users', async () => {
    const { id } = await bench.documentOf(bench.admin);
    const { call } = await bench.connect(bench.admin);
    const { value } = await call('create_tag', { document_id: id, name: 'mine' });
    const colleague = await bench.addUser('admin');
    const theirs = await bench.connect(colleague);
    expect(await theirs.call('get_call', { document_id: id, turn_id: value['turn_id'] })).toMatchObject({
      isError: true,
      value: { error: 'There is no such turn.' },
    });
  });
});

it('limits the turns of a user', async () => {
  const user = await bench.addOrganization();
  const { id } = await bench.documentOf(user);
  const { call } = await bench.connect(user);
  await user.post('./permission_rules', { tool: 'create_tag', effect: 'allow', scope: 'organization' });
  let answer;
  for (let count = 0; count <= turnsPerMinute.user; count++) {
    answer = await call('create_tag', { document_id: id, name: `tag-${count}` });
  }
  expect(answer).toMatchObject({ isError: true, value: { error: expect.stringContaining('Too many turns') } });
});

describe('the endpoint', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const post = (headers: Record<string, string>, body: unknown = list) =>
    fetch(`${bench.address}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(body),
    });

  it('needs a token in either header, and rejects foreign origins', async () => {
    const token = bench.admin.accessToken;
    const { body } = await bench.admin.post<{ token: string }>('./access_tokens', { name: 'mcp', lifetime_days: 1 });
    const answers = await Promise.all([
      post({}),
      post({ authorization: 'Bearer dw_unheard-of' }),
      post({ authorization: `Bearer ${token}`, origin: 'https://evil.example' }),
      post({ authorization: `Bearer ${token}`, 'x-org-id': '0'.repeat(24) }),
      post({ authorization: `Bearer ${token}`, origin: bench.address }),
      post({ 'x-api-key': body.token }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 403, 404, 200, 200]);
  });

  it('has no session and no stream of its own', async () => {
    const headers = { authorization: `Bearer ${bench.admin.accessToken}`, accept: 'text/event-stream' };
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${bench.address}/mcp`, { method, headers });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it('answers unusual requests as the OpenAPI document declares', async () => {
    const description = await (await fetch(`${bench.address}/docs/json`)).json();
    const { paths } = description as { paths: Record<string, Record<string, { responses: object }>> };
    const authorization = `Bearer ${bench.admin.accessToken}`;
    const json = 'application/json';
    const both = `${json}, text/event-stream`;
    const odd: [string, Record<string, string>, string?][] = [
      ['POST', { authorization, 'content-type': json, accept: json }, JSON.stringify(list)],
      ['POST', { authorization, 'content-type': json, accept: 'text/html' }, JSON.stringify(list)],
      ['POST', { authorization, 'content-type': json, accept: both }, '{'],
      ['POST', { authorization, 'content-type': json, accept: both }, '{}'],
      ['POST', { authorization, 'content-type': json, accept: both }, '[]'],
      ['POST', { authorization, 'content-type': json, accept: both }, '{"jsonrpc":"2.0","id":1,"method":"nothing"}'],
      ['POST', { authorization, 'content-type': 'text/plain', accept: both }, JSON.stringify(list)],
      ['POST', { authorization, accept: both }],
      ['POST', { authorization, 'content-type': json, accept: both, 'mcp-protocol-version': '1999-01-01' }, '{"a":1}'],
      [
        'POST',
        { authorization, 'content-type': json, accept: both, 'mcp-protocol-version': '1999-01-01' },
        JSON.stringify(list),
      ],
      [
        'POST',
        { authorization, 'content-type': json, accept: both, 'mcp-protocol-version': '2026-07-28' },
        JSON.stringify(list),
      ],
      ['POST', { authorization, 'content-type': json, accept: both, 'mcp-session-id': 'x' }, JSON.stringify(list)],
      ['POST', { 'content-type': json, accept: both }, JSON.stringify(list)],
      ['GET', { accept: both }],
      ['DELETE', { authorization, accept: both }],
    ];
    const answers = await Promise.all(
      odd.map(async ([method, headers, body]) => {
        const answer = await fetch(`${bench.address}/mcp`, { method, headers, ...(body !== undefined && { body }) });
        return { method, headers, body, status: answer.status, text: await answer.text() };
      }),
    );
    const documented = ({ method, status }: { method: string; status: number }) =>
      String(status) in (paths['/mcp']?.[method.toLowerCase()]?.responses ?? {});
    expect(answers.filter((answer) => !documented(answer))).toEqual([]);
    expect(new Set(answers.map(({ status }) => status)).size).toBeGreaterThan(4);
  });

  it('drops an answer to a question that this user was not asked', async () => {
    const headers = { authorization: `Bearer ${bench.admin.accessToken}` };
    const answer = await post(headers, { jsonrpc: '2.0', id: 'guessed', result: { action: 'accept' } });
    expect(answer.status).toBe(202);
    expect(await bench.connection.collection('mcp_questions').countDocuments({ _id: 'guessed' as never })).toBe(0);
  });
});
