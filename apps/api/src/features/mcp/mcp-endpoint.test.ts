import type { Document, Tag, Thread } from '@docwright/contract';
import { scriptedLlm } from '@docwright/agent-core/testing';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { createReadiness } from '../../platform/http/readiness.ts';
import { readSettings } from '../../platform/settings/settings.ts';
import { startMcpTestBench, type McpTestBench, type Revision } from '../../testing/mcp-test-bench.ts';

const many = { person: 1_000, organization: 1_000 };
const turnsPerMinute = { person: 12, organization: 1_000 };

let bench: McpTestBench;
let other: FastifyInstance;
let addresses: string[];
beforeAll(async () => {
  const turnLimits = { turnsPerMinute, runningTurns: many };
  bench = await startMcpTestBench({}, { turnLimits });
  // Another process on the same database, as far as the application is concerned.
  ({ app: other } = await buildApp({
    settings: readSettings({}),
    appSecret: 'a secret for tests only',
    connection: bench.connection,
    llmEndpoint: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: undefined, model: 'no-model' },
    llm: scriptedLlm([]),
    logger: pino({ level: 'silent' }),
    readiness: createReadiness([]),
    turnLimits,
  }));
  addresses = [bench.address, await other.listen({ port: 0, host: '127.0.0.1' })];
});
afterAll(async () => {
  await other.close();
  await bench.stop();
});

describe('two processes behind a proxy that takes turns', () => {
  it.each<Revision>(['earlier', '2026-07-28'])('serve a client that is asked in between (%s)', async (revision) => {
    const person = await bench.addOrganization();
    const { id } = await bench.documentOf(person);
    // Each request of the client, the answer to the question included, goes to the other process than the one before.
    const { call, questions } = await bench.connect(person, { revision, addresses, answer: () => 'accept' });
    for (const name of ['one', 'two', 'three']) {
      expect((await call('create_tag', { document_id: id, name })).value).toMatchObject({ name });
    }
    expect(questions).toHaveLength(3);
    const { tags } = (await person.get<{ tags: Tag[] }>('./tags')).body;
    expect(tags.map(({ name }) => name).toSorted()).toEqual(['one', 'three', 'two']);
    const { threads } = (await person.get<{ threads: Thread[] }>(`./documents/${id}/chat/threads`)).body;
    expect(threads.map(({ title }) => title)).toEqual(['From Claude Code']);
  });
});

describe('a card', () => {
  it('of a write about no document stands on the newest one, and makes nothing for it', async () => {
    const person = await bench.addOrganization();
    const { call } = await bench.connect(person);
    expect((await call('create_tag', { name: 'x' })).value['error']).toMatch(/no document yet/u);
    await bench.documentOf(person);
    const { id } = await bench.documentOf(person);
    const { value } = await call('create_prompt', { name: 'Totals', content: 'Read the total.' });
    expect(value).toMatchObject({ status: 'awaiting_approval', document_id: id });
    await bench.decide(person, id, String(value['turn_id']), true);
    const { prompts } = (await person.get<{ prompts: object[] }>('./prompts')).body;
    expect(prompts).toMatchObject([{ name: 'Totals' }]);
    // A prompt that was made for the document would be the one it is extracted with.
    const run = await call('run_extraction', { document_id: id });
    await bench.decide(person, id, String(run.value['turn_id']), true);
    const outcome = await call('get_call', { document_id: id, turn_id: run.value['turn_id'] });
    expect(outcome.value['error']).toMatch(/prompt/iu);
  });

  it('is not run once what it would change has moved on', async () => {
    const person = await bench.addOrganization();
    const { id } = await bench.documentOf(person);
    const { call } = await bench.connect(person);
    const { value } = await call('update_document', { document_id: id, document_name: 'mine.txt' });
    await person.patch<Document>(`./documents/${id}`, { document_name: 'theirs.txt' });
    await bench.decide(person, id, String(value['turn_id']), true);
    const outcome = await call('get_call', { document_id: id, turn_id: value['turn_id'] });
    expect(outcome).toMatchObject({ isError: true, value: { error: expect.stringContaining('stale_proposal') } });
    expect((await person.get<Document>(`./documents/${id}`)).body.document_name).toBe('theirs.txt');
  });

  it('is proposed anew where the same call comes again on what has changed since', async () => {
    const person = await bench.addOrganization();
    const { id } = await bench.documentOf(person);
    const { call } = await bench.connect(person);
    const rename = { document_id: id, document_name: 'mine.txt' };
    const first = await call('update_document', rename);
    await person.patch<Document>(`./documents/${id}`, { document_name: 'theirs.txt' });
    const again = await call('update_document', rename);
    expect(again.value).toMatchObject({ status: 'awaiting_approval' });
    expect(again.value['turn_id']).not.toBe(first.value['turn_id']);
    await bench.decide(person, id, String(again.value['turn_id']), true);
    expect((await person.get<Document>(`./documents/${id}`)).body.document_name).toBe('mine.txt');
  });

  it('is nobody else’s: not the call, not its outcome', async () => {
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

it('lets nobody take all of the server', async () => {
  const person = await bench.addOrganization();
  const { id } = await bench.documentOf(person);
  const { call } = await bench.connect(person);
  await person.post('./permission_rules', { tool: 'create_tag', effect: 'allow', scope: 'organization' });
  let answer;
  for (let count = 0; count <= turnsPerMinute.person; count++) {
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

  it('wants a token, in either header, and no page of somebody else’s', async () => {
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

  it('holds no session and no stream of its own', async () => {
    const headers = { authorization: `Bearer ${bench.admin.accessToken}`, accept: 'text/event-stream' };
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${bench.address}/mcp`, { method, headers });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it('answers odd requests with what the OpenAPI document says of it', async () => {
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
    const said = await Promise.all(
      odd.map(async ([method, headers, body]) => {
        const answer = await fetch(`${bench.address}/mcp`, { method, headers, ...(body !== undefined && { body }) });
        return { method, headers, body, status: answer.status, text: await answer.text() };
      }),
    );
    const documented = ({ method, status }: { method: string; status: number }) =>
      String(status) in (paths['/mcp']?.[method.toLowerCase()]?.responses ?? {});
    expect(said.filter((answer) => !documented(answer))).toEqual([]);
    expect(new Set(said.map(({ status }) => status)).size).toBeGreaterThan(4);
  });

  it('drops an answer to what this person was never asked', async () => {
    const headers = { authorization: `Bearer ${bench.admin.accessToken}` };
    const answer = await post(headers, { jsonrpc: '2.0', id: 'guessed', result: { action: 'accept' } });
    expect(answer.status).toBe(202);
    expect(await bench.connection.collection('mcp_questions').countDocuments({ _id: 'guessed' as never })).toBe(0);
  });
});
