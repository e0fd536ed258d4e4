import type { Collection, Document, SearchAnswer, Source } from '@docwright/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import type { TestClient } from '../testing/test-client.ts';

// A machine with other work to do may take its time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let app: TestApp;
const signal = new AbortController().signal;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const pipeline = {
  parsers: [
    { extensions: ['txt', 'md'], plugin_id: 'plain' },
    { extensions: ['*'], plugin_id: 'spreadsheet' },
  ],
  chunker: { plugin_id: 'recursive', config: { max_characters: 200, overlap: 40 } },
};

async function upload(client: TestClient, files: Record<string, string>): Promise<Document[]> {
  const documents = Object.entries(files).map(([name, text]) => ({
    name,
    content: Buffer.from(text).toString('base64'),
  }));
  const { body } = await client.post<{ documents: Document[] }>('./documents', { documents });
  return body.documents;
}

const read = () => app.services.documents.textReading.readAll(signal);
const index = () => app.services.pipelines.indexing.work(signal);

async function source(client: TestClient, body: object = {}): Promise<Source> {
  const { status, body: made } = await client.post<Source>('/api/v2/sources', { name: 'All', ...body });
  expect(status).toBe(201);
  return made;
}

async function apply(client: TestClient, from: Source, given: object = pipeline): Promise<Collection> {
  const application = { source_id: from.id, name: 'Searchable', pipeline: given };
  return await app.services.pipelines.collections(client.actor).apply(application);
}

const at = (id: string) => `/api/v2/collections/${id}`;
const get = async (client: TestClient, id: string) => (await client.get<Collection>(at(id))).body;
const search = async (client: TestClient, id: string, query: string, top_k = 10) =>
  (await client.post<SearchAnswer>(`${at(id)}/search`, { query, top_k })).body;

it('indexes a source while documents are still being read, and finds each chunk at its place', async () => {
  const client = await app.addOrganization();
  const other = await app.addOrganization();
  const lease = `The tenant pays rent on the first day of each month.\n\n${'Nothing to see here. '.repeat(30)}\n\nWidgets are delivered by drone.`;
  const [leaseDocument] = await upload(client, { 'lease.txt': lease, 'menu.md': '# Menu\n\nSoup of the day' });
  await read();
  const [late] = await upload(client, { 'late.txt': 'Drones deliver widgets to tenants.' });
  await upload(client, { 'page.html': '<h1>Title</h1><p>Text</p>' });
  const all = await source(client);
  expect(all.document_count).toBe(4);
  const { id, status } = await apply(client, all);
  expect(status).toBe('indexing');

  await index();
  expect(await get(client, id)).toMatchObject({
    status: 'indexing',
    progress: { documents: 4, waiting: 2, indexed: 2 },
  });
  await read();
  await index();
  const ready = await get(client, id);
  expect(ready).toMatchObject({
    status: 'ready',
    search: { lexical: true, vectors: false },
    progress: { documents: 4, waiting: 0, indexed: 3, failed: 1 },
    failures: [{ category: 'wrong_type', count: 1 }],
  });

  const { mode, results } = await search(client, id, 'delivery of a widget');
  expect(mode).toBe('lexical');
  expect(results.map(({ document_name }) => document_name).toSorted()).toEqual(['late.txt', 'lease.txt']);
  const hit = results.find(({ document_id }) => document_id === leaseDocument?.id);
  const { body } = await client.get<{ pages: { text: string }[] }>(`./documents/${leaseDocument?.id}/text?page_num=1`);
  expect(body.pages[0]?.text.slice(hit?.start, hit?.end)).toBe(hit?.text);
  expect(hit?.text).toContain('Widgets are delivered by drone.');

  expect((await other.get(at(id))).status).toBe(404);
  expect((await other.post(`${at(id)}/search`, { query: 'widget' })).status).toBe(404);
  await client.delete(`./documents/${late?.id}`);
  expect((await search(client, id, 'widgets')).results.map(({ document_name }) => document_name)).toEqual([
    'lease.txt',
  ]);
  expect((await get(client, id)).progress.documents).toBe(3);

  expect((await client.delete(at(id))).status).toBe(204);
  expect((await client.get(at(id))).status).toBe(404);
});

it('indexes each document once, whoever and however many work, and goes on where one stopped', async () => {
  const client = await app.addOrganization();
  const files = Object.fromEntries(Array.from({ length: 24 }, (_, at) => [`n${at}.txt`, `Note number${at} on zebras`]));
  await upload(client, files);
  await read();
  const { id } = await apply(client, await source(client));
  const stopped = new AbortController();
  const first = app.services.pipelines.indexing.work(stopped.signal);
  await expect.poll(async () => (await get(client, id)).progress.indexed, { interval: 5 }).toBeGreaterThan(0);
  stopped.abort();
  await first;
  expect((await get(client, id)).status).toBe('indexing');
  await Promise.all([index(), index(), index()]);
  expect(await get(client, id)).toMatchObject({ status: 'ready', progress: { indexed: 24, chunks: 24 } });
  const { results } = await search(client, id, 'zebra', 100);
  expect(new Set(results.map(({ document_id }) => document_id)).size).toBe(24);
  expect(results).toHaveLength(24);
});

it('stops, and says what cannot be applied', async () => {
  const client = await app.addOrganization();
  const empty = await source(client, { name_search: 'nothing is named so' });
  await expect(apply(client, empty)).rejects.toMatchObject({ code: 'source_empty' });
  await upload(client, { 'a.txt': 'Text', 'b.txt': 'Text' });
  await read();
  const all = await source(client, { name_search: '.TXT' });
  const parsers = pipeline.parsers;
  for (const [code, given] of [
    ['invalid_pipeline', { parsers: [] }],
    ['invalid_pipeline', { ...pipeline, parsers: [...parsers, { extensions: ['md'], plugin_id: 'plain' }] }],
    ['unknown_plugin', { ...pipeline, chunker: { plugin_id: 'magic' } }],
    ['invalid_plugin_config', { ...pipeline, chunker: { plugin_id: 'page', config: { max_characters: 1 } } }],
    ['embeddings_not_configured', { ...pipeline, embedder: { plugin_id: 'openai_compatible' } }],
    ['unknown_reference', { ...pipeline, extract: { prompt_revid: '0'.repeat(24) } }],
  ] as const) {
    await expect(apply(client, all, given)).rejects.toMatchObject({ code });
  }
  const { id } = await apply(client, all);
  expect((await client.post<Collection>(`${at(id)}/stop`)).body.status).toBe('stopped');
  expect((await client.post(`${at(id)}/stop`)).error?.code).toBe('not_indexing');
  await index();
  expect((await get(client, id)).progress.indexed).toBe(0);
  expect((await search(client, id, 'text')).results).toEqual([]);
  const viewer = await app.addPerson('viewer', client.organizationId);
  expect((await viewer.request('DELETE', at(id), { headers: { 'x-org-id': client.organizationId } })).status).toBe(403);
});
