import type { Prompt, Source } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestClient } from '../../testing/test-client.ts';
import { startMcpTestBench, type McpTestBench } from '../../testing/mcp-test-bench.ts';

let bench: McpTestBench;
beforeAll(async () => {
  bench = await startMcpTestBench();
});
afterAll(async () => bench.stop());

const pipeline = {
  parsers: [{ extensions: ['*'], plugin_id: 'plain', config: {} }],
  chunker: { plugin_id: 'page', config: {} },
  embedder: null,
};

async function collectionOf(user: TestClient): Promise<string> {
  const { id: documentId } = await bench.documentOf(user);
  const headers = { 'x-org-id': user.organizationId };
  const { body } = await user.request<Source>('POST', '/api/v2/sources', { payload: { name: 'All' }, headers });
  const service = bench.services.pipelines.collections(user.actor);
  const { id } = await service.apply({ source_id: body.id, name: 'Invoices', pipeline });
  await expect.poll(async () => (await service.get(id)).status, { timeout: 20_000 }).toBe('ready');
  expect((await service.get(id)).progress).toMatchObject({ documents: 1, indexed: 1 });
  expect(documentId).toMatch(/^[0-9a-f]{24}$/u);
  return id;
}

const totalFormat = {
  type: 'json_schema',
  json_schema: {
    name: 'invoice',
    schema: { type: 'object', properties: { total: { type: ['number', 'null'] } }, required: ['total'] },
  },
};

it('searches collections, returns each chunk with its position, and nothing of other organizations', async () => {
  const user = await bench.addOrganization();
  const collection_id = await collectionOf(user);
  const { call } = await bench.connect(user);
  expect((await call('list_collections')).value).toEqual({
    collections: [
      { collection_id, name: 'Invoices', status: 'ready', documents: 1, failed_documents: 0, finds_by_meaning: false },
    ],
    total_count: 1,
    skip: 0,
    limit: 20,
  });
  const { value } = await call('search_collection', { collection_id, query: 'total', top_k: 1 });
  const found = {
    document_name: 'note.txt',
    page_num: 1,
    start: 0,
    end: expect.any(Number),
    text: expect.stringContaining('INV-1042'),
  };
  expect(value).toMatchObject({ mode: 'lexical', results: [found] });
  expect(JSON.stringify(value)).not.toContain('boxes');

  for (const [args, words] of [
    [{ collection_id, query: ' ' }, 'Say what to look for'],
    [{ collection_id, query: 'x', top_k: 21 }, 'do not fit search_collection'],
    [{ query: 'x' }, 'do not fit search_collection'],
  ] as const) {
    expect(await call('search_collection', args)).toMatchObject({
      isError: true,
      value: { error: expect.stringContaining(words) },
    });
  }
  const { call: strangers } = await bench.connect(await bench.addOrganization());
  expect((await strangers('list_collections')).value).toMatchObject({ collections: [], total_count: 0 });
  const refused = await strangers('search_collection', { collection_id, query: 'total' });
  expect(refused).toMatchObject({ isError: true, value: { error: expect.stringContaining('collection') } });
});

it('reads the results of a prompt with filters and totals, and nothing that is kept from models or of others', async () => {
  const user = await bench.addOrganization();
  const { body: schema } = await user.post<{ schema_id: string }>('./schemas', {
    name: 's',
    response_format: totalFormat,
  });
  const { schema_id } = schema;
  const { body: prompt } = await user.post<Prompt>('./prompts', { name: 'Invoice', content: 'Read.', schema_id });
  const { prompt_id, prompt_revid } = prompt;
  const ids: string[] = [];
  for (const total of [5, 70, 900]) {
    const { id } = await bench.documentOf(user, `Invoice ${total}`);
    bench.script({ text: JSON.stringify({ total }) });
    const extract = async () => (await user.post(`./documents/${id}/extractions`, { prompt_revid })).status;
    // Its text is read first.
    await expect.poll(extract, { timeout: 20_000 }).toBe(201);
    ids.push(id);
  }
  const { call } = await bench.connect(user);
  const { value } = await call('query_results', { prompt_id, where: 'total>=50', sort: '-total' });
  expect(value).toMatchObject({
    rows: [
      { document_id: ids[2], document_name: 'note.txt', fields: { total: 900 } },
      { document_id: ids[1], fields: { total: 70 } },
    ],
    columns: [{ path: 'total', kind: 'number' }],
    total_count: 2,
    next_cursor: null,
  });
  expect((await call('query_results', { prompt_id, sum: 'total' })).value).toMatchObject({
    totals: [{ key: [], sum: 975, count: 3, without_value: 0 }],
  });
  expect((await user.patch(`./documents/${ids[2]}`, { never_to_model: true })).status).toBe(200);
  expect((await call('query_results', { prompt_id, sum: 'total' })).value).toMatchObject({ totals: [{ sum: 75 }] });
  for (const [args, words] of [
    [{ prompt_id, where: 'total' }, 'must follow'],
    [{ prompt_id, sort: 'nope' }, 'no column'],
    [{ prompt_id, limit: 101 }, 'do not fit query_results'],
  ] as const) {
    const refused = await call('query_results', args);
    expect(refused).toMatchObject({ isError: true, value: { error: expect.stringContaining(words) } });
  }
  const { call: strangers } = await bench.connect(await bench.addOrganization());
  expect(await strangers('query_results', { prompt_id })).toMatchObject({ isError: true });
});

it('a deny rule stops a search, and so does an ask rule', async () => {
  const user = await bench.addOrganization();
  const collection_id = await collectionOf(user);
  const { call } = await bench.connect(user, { answer: () => 'accept' });
  for (const [effect, words] of [
    ['ask', 'page of the collection'],
    ['deny', 'not permitted'],
  ] as const) {
    const rule = { tool: 'search_collection', effect, scope: 'organization' };
    expect((await user.post('./permission_rules', rule)).status).toBe(201);
    const answer = await call('search_collection', { collection_id, query: 'total' });
    expect(answer).toMatchObject({ isError: true, value: { error: expect.stringContaining(words) } });
  }
});

it('the text of an extraction reports that its result is incomplete', async () => {
  const user = await bench.addOrganization();
  const rows = Array.from({ length: 12 }, (_, at) => `Item-${at + 10}     ${at + 20} pieces     ${at + 30}.50`);
  const { id } = await bench.documentOf(user, ['Name        Quantity      Price', ...rows].join('\n'));
  const { call, client } = await bench.connect(user, { answer: () => 'accept' });
  await expect.poll(async () => (await call('get_ocr_text', { document_id: id })).isError).toBe(false);
  const items = { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } };
  const json_schema = { name: 'items', schema: { type: 'object', properties: { items } } };
  const response_format = { type: 'json_schema', json_schema };
  const { schema_id } = (await user.post<{ schema_id: string }>('./schemas', { name: 's', response_format })).body;
  const { body } = await user.post<{ prompt_revid: string }>('./prompts', {
    name: 'p',
    content: 'Read.',
    schema_id,
  });
  const read = { items: rows.slice(0, 9).map((row) => ({ name: row.slice(0, 7) })) };
  bench.script(...Array.from({ length: 3 }, () => ({ text: JSON.stringify(read) })));
  const run = { document_id: id, prompt_revid: body.prompt_revid };
  const { content } = await client.callTool({ name: 'run_extraction', arguments: run });
  const incompleteText = /"is_complete":false,"incomplete":\[\{"code":"rows_missing","path":"items".*"result":/u;
  expect(content).toMatchObject([{ text: expect.stringMatching(incompleteText) }]);
  const { documents } = (await call('list_documents')).value;
  expect(documents).toMatchObject([{ incomplete_results: { count: 1, codes: ['rows_missing'] } }]);
});

it('goes on with a list behind the cursor of its page, and with no other list or filter', async () => {
  const user = await bench.addOrganization();
  const { call } = await bench.connect(user);
  const post = async (path: string, payload: object) => {
    const { status, text } = await user.request('POST', `/v0/orgs/${user.organizationId}/${path}`, { payload });
    expect([status < 300, text]).toEqual([true, text]);
  };
  const { name: of, schema } = totalFormat.json_schema;
  const json_schema = { name: of, strict: true, schema: { ...schema, additionalProperties: false } };
  const strictFormat = { type: 'json_schema', json_schema };
  const names = ['First', 'Second', 'Third'];
  for (const name of names) {
    await post('tags', { name, color: '#336699' });
    await post('schemas', { name, response_format: strictFormat });
    await post('prompts', { name, content: 'Take the total.' });
    await call('add_task', { title: name });
  }
  const cursors: string[] = [];
  for (const list of ['tags', 'schemas', 'prompts', 'tasks'] as const) {
    const found: string[] = [];
    for (let cursor: string | undefined; found.length < names.length;) {
      const { value } = await call(`list_${list}`, { limit: 1, ...(cursor && { cursor }) });
      const { [list]: page, next_cursor } = value as Record<string, unknown> & { next_cursor?: string };
      found.push(...(page as { name?: string; title?: string }[]).map(({ name, title }) => name ?? title ?? ''));
      if (cursor === undefined) cursors.push(next_cursor ?? '');
      expect(next_cursor === undefined).toBe(found.length === names.length);
      cursor = next_cursor;
    }
    expect(found.toSorted()).toEqual(names);
  }
  for (const args of [{ cursor: cursors[1] }, { cursor: cursors[0], name_search: 'First' }])
    expect(await call('list_tags', args)).toMatchObject({
      isError: true,
      value: { error: expect.stringContaining('The cursor is not of this list') },
    });
});
