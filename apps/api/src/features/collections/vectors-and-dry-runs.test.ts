import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LlmClient } from '@docwright/agent-core';
import { scriptedLlm } from '@docwright/agent-core/testing';
import type {
  Collection,
  Document,
  OrganizationUsage,
  Prompt,
  Schema,
  SearchAnswer,
  Source,
} from '@docwright/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { createIndexingRepository } from './indexing-repository.ts';
import { listPlugins } from '../plugins/index.ts';

// The machine runs other tests at the same time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let app: TestApp;
let service: Server;
let isDown = false;
const signal = new AbortController().signal;

/** Texts on the same subject have the same vector. */
const subjects = [/car|automobile|vehicle/i, /soup|dinner|menu/i, /rent|tenant|lease/i];
const dimensions = 256;
const embedding = (text: string) =>
  Array.from({ length: dimensions }, (_, at) => (subjects[at % 4]?.test(text) === true ? 1 : -0.1));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // The list of models is requested as well.
  if (request.method !== 'POST') return void response.writeHead(404).end();
  const { input } = (await json(request)) as { input: string[] };
  const data = input.map((text, index) => ({ index, object: 'embedding', embedding: embedding(text) }));
  response.writeHead(isDown ? 400 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ object: 'list', data, model: 'm', usage: { prompt_tokens: 7, total_tokens: 7 } }));
}

/** Answers the same for every document, save in a conversation with a script. */
let conversation: LlmClient | undefined;
const llm: LlmClient = {
  async *stream(request) {
    yield* (conversation ?? scriptedLlm([{ text: '{"total":"512 crowns"}' }])).stream(request);
  },
};

beforeAll(async () => {
  service = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  const llmEndpoint = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: undefined, model: 'none' };
  app = await startTestApp({ llmEndpoint, llm, settings: { LLM_EMBEDDING_MODEL: 'subjects' } });
});
afterAll(async () => {
  await app.stop();
  service.close();
});

const embedder = { plugin_id: 'openai_compatible' };
const pipeline = {
  parsers: [
    { extensions: ['txt'], plugin_id: 'plain' },
    { extensions: ['html'], plugin_id: 'html' },
    { extensions: ['csv'], plugin_id: 'docx', fallback_plugin_id: 'spreadsheet' },
  ],
  chunker: { plugin_id: 'recursive' },
  embedder: null as typeof embedder | null,
};

async function upload(client: TestClient, files: Record<string, string>): Promise<Document[]> {
  const documents = Object.entries(files).map(([name, text]) => ({
    name,
    content: Buffer.from(text).toString('base64'),
  }));
  const { body } = await client.post<{ documents: Document[] }>('./documents', { documents });
  await app.services.documents.textReading.readAll(signal);
  return body.documents;
}

async function apply(client: TestClient, given: object): Promise<string> {
  const { body } = await client.post<Source>('/api/v2/sources', { name: 'All' });
  const application = { source_id: body.id, name: 'Hybrid', pipeline: given };
  return (await app.services.pipelines.collections(client.actor).apply(application)).id;
}

it('fuses hits by meaning and by words and charges the usage; without the embeddings service it uses words', async () => {
  const client = await app.addOrganization();
  await upload(client, {
    'a.txt': 'An automobile was sold.',
    'b.txt': 'The soup of the day.',
    'c.txt': 'My car, the vehicle of choice.',
    'd.txt': 'Parking receipt for the number plate.',
  });
  const id = await apply(client, { ...pipeline, embedder });
  await app.services.pipelines.indexing.work(signal);
  const { body: ready } = await client.get<Collection>(`/api/v2/collections/${id}`);
  expect(ready).toMatchObject({ status: 'ready', search: { lexical: true, vectors: true }, progress: { indexed: 4 } });

  const ask = async (query: string) => {
    const { body } = await client.post<SearchAnswer>(`/api/v2/collections/${id}/search`, { query, top_k: 2 });
    return { mode: body.mode, names: body.results.map(({ document_name }) => document_name), results: body.results };
  };
  const car = await ask('car receipt');
  expect(car.mode).toBe('hybrid');
  expect(car.names[0]).toBe('c.txt');
  expect(car.results[0]).toMatchObject({ lexical_rank: expect.any(Number), vector_rank: expect.any(Number) });
  const similar = await ask('vehicles for dinner guests');
  expect(similar.results.some(({ lexical_rank }) => lexical_rank === undefined)).toBe(true);
  const usage = (await client.get<OrganizationUsage>('./usage')).body;
  expect(usage.by_model).toMatchObject([{ model: 'subjects', calls: 6, prompt_tokens: 42 }]);

  isDown = true;
  expect(await ask('soup')).toMatchObject({ mode: 'lexical', names: ['b.txt'] });
  const failing = await apply(client, { ...pipeline, embedder });
  await app.services.pipelines.indexing.work(signal);
  const { body: failed } = await client.get<Collection>(`/api/v2/collections/${failing}`);
  expect(failed).toMatchObject({ status: 'failed', progress: { failed: 4 } });
  expect(failed.failures[0]?.count).toBe(4);
  isDown = false;
});

it('finds passages for a question by their meaning, and none of a document that models may not see', async () => {
  const client = await app.addOrganization();
  const [, , hidden] = await upload(client, {
    'a.txt': 'An automobile was sold.',
    'b.txt': 'The soup of the day.',
    'c.txt': 'Another automobile was leased.',
  });
  const id = await apply(client, { ...pipeline, embedder });
  await app.services.pipelines.indexing.work(signal);
  expect((await client.patch(`./documents/${hidden!.id}`, { never_to_model: true })).status).toBe(200);

  const passagesFor = async (scope: object) => {
    const script = scriptedLlm([
      { calls: [{ name: 'search_passages', args: { query: 'vehicles', limit: 1 } }] },
      { text: 'Found.' },
    ]);
    conversation = script;
    expect((await client.post('./ask', { messages: [{ role: 'user', content: 'Cars?' }], scope })).status).toBe(200);
    conversation = undefined;
    const { content } = script.requests.at(-1)!.messages.findLast(({ role }) => role === 'tool')!;
    return JSON.parse(content) as { passages: { text: string; document_name: string }[] };
  };
  const found = { passages: [{ text: 'An automobile was sold.', document_name: 'a.txt', page_num: 1 }] };
  expect(await passagesFor({})).toMatchObject({ ...found, matched_documents: 1 });
  expect(await passagesFor({ collection_id: id })).toMatchObject(found);
  expect(JSON.stringify(await passagesFor({}))).not.toContain('leased');
});

it('extracts from each document once, and finds the extracted fields', async () => {
  const client = await app.addOrganization();
  const [document] = await upload(client, { 'a.txt': 'Paid in full.' });
  const properties = { total: { type: 'string', description: 'What was paid' } };
  const schema = { type: 'object', properties, required: ['total'], additionalProperties: false };
  const response_format = { type: 'json_schema', json_schema: { name: 'bill', strict: true, schema } };
  const { body: bill } = await client.post<Schema>('./schemas', { name: 'Bill', response_format });
  const given = { name: 'Bill', content: 'Read it.', schema_id: bill.schema_id };
  const { prompt_revid } = (await client.post<Prompt>('./prompts', given)).body;
  const extracting = { ...pipeline, extract: { prompt_revid } };

  const dryRun = app.services.pipelines.dryRun(client.actor);
  const before = await dryRun(extracting, [document!.id], signal);
  expect(before.documents[0]?.chunks).toHaveLength(1);
  const results = () => client.get<{ total_count: number }>(`./documents/${document!.id}/extractions`);
  expect((await results()).body.total_count).toBe(0);

  const id = await apply(client, extracting);
  await app.services.pipelines.indexing.work(signal);
  const { body } = await client.post<SearchAnswer>(`/api/v2/collections/${id}/search`, { query: 'crowns' });
  expect(body.results).toMatchObject([{ page_num: null, text: 'total: 512 crowns', document_name: 'a.txt' }]);
  await apply(client, extracting);
  await app.services.pipelines.indexing.work(signal);
  expect((await client.get<OrganizationUsage>('./usage')).body.by_model).toMatchObject([{ calls: 1 }]);
});

it('tries a pipeline without writing anything, and reports failures by category', async () => {
  const client = await app.addOrganization();
  const documents = await upload(client, {
    'a.txt': 'Lease of a flat.',
    'b.html': '<p>Rent</p>',
    'c.csv': 'name,amount\nrent,500\n',
    'd.eml': 'From: a@example.com\r\nTo: b@example.com\r\nSubject: Rent\r\n\r\nIt is due.',
  });
  const ids = documents.map(({ id }) => id);
  const dryRun = app.services.pipelines.dryRun(client.actor);
  const result = await dryRun(pipeline, ids, signal);
  expect(result).toMatchObject({
    tested: 4,
    succeeded: 3,
    failed: 1,
    categories: [{ category: 'no_parser', count: 1, examples: [{ document_id: ids[3] }] }],
  });
  expect(result.documents.map(({ parser }) => parser)).toEqual(['plain', 'html', 'spreadsheet', undefined]);
  expect(result.documents[2]?.chunks[0]?.text).toMatch(/rent\s+500/);
  expect(Object.keys(result.timings).toSorted()).toEqual(['chunk', 'parse']);
  expect((await client.get<{ total_count: number }>('/api/v2/collections')).body.total_count).toBe(0);
  const raw = { ...pipeline, parsers: [{ extensions: ['*'], plugin_id: 'plain' }] };
  expect((await dryRun(raw, [ids[1]!], signal)).documents[0]?.chunks[0]?.text).toBe('<p>Rent</p>');

  const sources = app.services.sources(client.actor);
  const { id } = await sources.create({ name: 'All' });
  expect(await sources.totals(id)).toHaveLength(4);
  expect(await sources.sample(id, 3)).toHaveLength(3);
});

it('gives the document of a dead worker to another one, and ignores the first one from then on', async () => {
  const client = await app.addOrganization();
  await upload(client, { 'a.txt': 'Text' });
  const id = await apply(client, pipeline);
  const [one, other] = [createIndexingRepository(app.connection, 50), createIndexingRepository(app.connection, 50)];
  const active = (await one.listActive()).find((collection) => collection.id === id)!;
  const { body } = await client.get<{ documents: Document[] }>('./documents');
  await one.addEntries(active, [body.documents[0]!.id]);
  const dead = await one.claim(active);
  expect(await other.claim(active)).toBeUndefined();
  await sleep(80);
  const taken = await other.claim(active);
  expect(taken).toMatchObject({ documentId: dead?.documentId, attempt: 2 });
  expect(await one.finish(dead!, { pages: 1, chunks: 1, extractionVersion: undefined })).toBe(false);
  expect(await other.finish(taken!, { pages: 1, chunks: 1, extractionVersion: undefined })).toBe(true);
});

it('lists every kind of plugin with the schema of its config', () => {
  const plugins = listPlugins();
  expect(new Set(plugins.map(({ kind }) => kind))).toEqual(
    new Set(['parser', 'extractor', 'chunker', 'embedder', 'index']),
  );
  expect(listPlugins('chunker')[0]?.config_schema).toMatchObject({
    type: 'object',
    properties: { max_characters: { type: 'integer', default: 1200 } },
  });
});
