import type { Document, Prompt, Schema } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pendingRecords } from '../../testing/pending-records.ts';
import { startMcpTestBench, type McpTestBench } from '../../testing/mcp-test-bench.ts';
import { createOfferedPrompts } from '../pipeline-agent/offered-prompt-repository.ts';

let bench: McpTestBench;
beforeAll(async () => {
  bench = await startMcpTestBench();
});
afterAll(async () => bench.stop());

interface Operation {
  operationId?: string;
  parameters?: { name: string }[];
}
interface OpenApi {
  paths: Record<string, { get?: Operation; post?: Operation }>;
}

/** The name of pending objects, which lists must not show unless they are requested. */
const marked = 'Waiting for a review';

it('a pending object is in lists of the API only if it is requested', async () => {
  const { admin } = bench;
  const { id } = await bench.documentOf(admin);
  const { prompt, schema, tag } = await pendingRecords(bench, admin, marked);
  await admin.patch(`./documents/${id}`, { tag_ids: [tag.tag_id] });
  for (const list of [
    './schemas',
    './prompts',
    './schemas?name_search=waiting',
    './prompts?name_search=waiting',
    `./prompts?document_id=${id}`,
    `./prompts?tag_ids=${tag.tag_id}`,
  ]) {
    const { body, status } = await admin.get<{ total_count: number }>(list);
    expect([list, status, body.total_count]).toEqual([list, 200, 0]);
    const requested = await admin.get<{ total_count: number }>(
      `${list}${list.includes('?') ? '&' : '?'}review=pending`,
    );
    expect([list, requested.body.total_count]).toEqual([list, 1]);
  }
  expect((await admin.get('./prompts?review=accepted')).status).toBe(422);
  const found = await admin.get<Schema>(`./schemas/${schema.schema_revid}`);
  expect(found.body).toMatchObject({ name: marked, auto_created: true, review: 'pending' });
  const read = await admin.get<Prompt>(`./prompts/${prompt.prompt_revid}`);
  expect(read.body).toMatchObject({ name: marked, auto_created: true, review: 'pending' });
});

it('a pending object is in no list for a model: chat, MCP, pipelines and the facts of a turn', async () => {
  const client = await bench.addOrganization();
  const { id } = await bench.documentOf(client);
  const { tag } = await pendingRecords(bench, client, marked);
  await client.patch(`./documents/${id}`, { tag_ids: [tag.tag_id] });
  const { call, client: mcp } = await bench.connect(client);
  const { tools } = await mcp.listTools();
  const lists = tools.map(({ name }) => name).filter((name) => /^(?:list|find|search)_/u.test(name));
  expect(lists).toEqual(expect.arrayContaining(['list_schemas', 'list_prompts']));
  for (const name of lists) {
    const args = name === 'search_collection' ? { collection_id: id, query: marked } : {};
    expect(JSON.stringify((await call(name, args)).value)).not.toContain(marked);
  }
  expect(await createOfferedPrompts(bench.connection)(client.organizationId)).toEqual([]);

  const model = bench.script({ calls: [{ name: 'list_prompts', args: {} }] }, { text: 'None.' });
  await client.post(`./documents/${id}/chat`, { messages: [{ role: 'user', content: 'Which prompts are there?' }] });
  expect(JSON.stringify(model.requests)).not.toContain(marked);
});

/** Routes that can show pending objects, because they read one object by its id or list pending ones. */
const allowedRoutes = [
  /\/proposals/u,
  /\/documents\/\{document_id\}\/(?:extractions|auto_create|chat)/u,
  /\/(?:schemas|prompts)\/\{/u,
  // Logs show everything.
  /\/audit/u,
  /\/documents\/\{document_id\}\/history/u,
];

it('a pending object is shown by no other route of the OpenAPI document that lists or finds objects', async () => {
  const client = await bench.addOrganization();
  const { id } = await bench.documentOf(client);
  await expect
    .poll(async () => (await client.get<Document>(`./documents/${id}`)).body.state, { timeout: 20_000 })
    .toBe('ocr_completed');
  const { prompt, schema, tag } = await pendingRecords(bench, client, marked);
  await client.patch(`./documents/${id}`, { tag_ids: [tag.tag_id] });
  bench.script({ text: JSON.stringify({ total: 'marked 5' }) });
  const extracted = await client.post(`./documents/${id}/extractions`, { prompt_revid: prompt.prompt_revid });
  expect(extracted.status).toBe(201);
  const hidden = [marked, prompt.prompt_id, prompt.prompt_revid, schema.schema_id, schema.schema_revid, 'marked 5'];
  const spec = (await client.get<OpenApi>('/docs/json')).body;
  const checkedPaths: string[] = [];
  for (const [path, { get, post }] of Object.entries(spec.paths)) {
    if (!/^\/(?:v0|api\/v2)\//u.test(path) || allowedRoutes.some((route) => route.test(path))) continue;
    const values: Record<string, string> = { org_id: client.organizationId, document_id: id, tag_id: tag.tag_id };
    const names = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name!);
    if (names.some((name) => values[name] === undefined)) continue;
    const url = path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => values[name]!);
    const isStream = path.endsWith('/events') || /event-stream/u.test(JSON.stringify(get ?? {}));
    const isFinding = post?.operationId !== undefined && /^(?:find|list|search|match)/u.test(post.operationId);
    const answers = [
      ...(get && !isStream ? [await client.get(url)] : []),
      ...(!isStream && get?.parameters?.some(({ name }) => name === 'name_search')
        ? [await client.get(`${url}?name_search=${encodeURIComponent(marked)}`)]
        : []),
      ...(isFinding ? [await client.post(url, {})] : []),
    ];
    if (answers.length === 0) continue;
    checkedPaths.push(path);
    const text = JSON.stringify(answers.map(({ body }) => body));
    expect([path, hidden.filter((value) => text.includes(value))]).toEqual([path, []]);
  }
  for (const name of ['schemas', 'prompts', 'documents', 'tags', 'review', 'approvals', 'runs', 'documents/trash']) {
    expect(checkedPaths).toContain(`/v0/orgs/{org_id}/${name}`);
  }
  expect(checkedPaths.length).toBeGreaterThan(30);
});

it('a pending object counts as a use of others, and is accepted once another prompt uses it', async () => {
  const client = await bench.addOrganization();
  const { schema, tag } = await pendingRecords(bench, client, marked);
  const inUse = await client.delete(`./schemas/${schema.schema_id}`);
  expect([inUse.status, inUse.error?.code]).toEqual([400, 'schema_in_use']);
  expect((await client.delete(`./tags/${tag.tag_id}`)).error?.code).toBe('tag_in_use');
  await client.post('./prompts', { name: 'Mine', content: 'Take the total.', schema_id: schema.schema_id });
  const schemas = await client.get<{ schemas: Schema[] }>('./schemas');
  expect(schemas.body.schemas).toMatchObject([{ name: marked }]);
  expect(schemas.body.schemas[0]).not.toHaveProperty('review');
  expect((await client.get<{ prompts: Prompt[] }>('./prompts')).body.prompts).toMatchObject([{ name: 'Mine' }]);
});
