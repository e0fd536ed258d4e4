import type { Collection } from '@docwright/contract';
import { buildPdf, line } from '@docwright/documents/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  collectionPath as at,
  startCollectionsTestBench,
  testPipeline as pipeline,
} from '../../testing/collections-test-bench.ts';
import type { CollectionsTestBench } from '../../testing/collections-test-bench.ts';

// The machine runs other tests at the same time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let bench: CollectionsTestBench;
let app: CollectionsTestBench['app'];

beforeAll(async () => {
  bench = await startCollectionsTestBench();
  ({ app } = bench);
});
afterAll(() => app.stop());

it('indexes a source while documents are still being read, and returns the place of each chunk', async () => {
  const client = await app.addOrganization();
  const other = await app.addOrganization();
  const lease = `The tenant pays rent on the first day of each month.\n\n${'Nothing to see here. '.repeat(30)}\n\nWidgets are delivered by drone.`;
  const [leaseDocument] = await bench.upload(client, { 'lease.txt': lease, 'menu.md': '# Menu\n\nSoup of the day' });
  await bench.read();
  const [late] = await bench.upload(client, { 'late.txt': 'Drones deliver widgets to tenants.' });
  await bench.upload(client, { 'page.html': '<h1>Title</h1><p>Text</p>' });
  const all = await bench.source(client);
  expect(all.document_count).toBe(4);
  const { id, status } = await bench.apply(client, all);
  expect(status).toBe('indexing');

  await bench.index();
  expect(await bench.get(client, id)).toMatchObject({
    status: 'indexing',
    progress: { documents: 4, waiting: 2, indexed: 2 },
  });
  await bench.read();
  await bench.index();
  const ready = await bench.get(client, id);
  expect(ready).toMatchObject({
    status: 'ready',
    search: { lexical: true, vectors: false },
    progress: { documents: 4, waiting: 0, indexed: 3, failed: 1 },
    failures: [{ category: 'wrong_type', count: 1 }],
  });

  const { mode, results } = await bench.search(client, id, 'delivery of a widget');
  expect(mode).toBe('lexical');
  expect(results.map(({ document_name }) => document_name).toSorted()).toEqual(['late.txt', 'lease.txt']);
  const hit = results.find(({ document_id }) => document_id === leaseDocument?.id);
  const { body } = await client.get<{ pages: { text: string }[] }>(`./documents/${leaseDocument?.id}/text?page_num=1`);
  expect(body.pages[0]?.text.slice(hit?.start, hit?.end)).toBe(hit?.text);
  expect(hit?.text).toContain('Widgets are delivered by drone.');

  expect((await other.get(at(id))).status).toBe(404);
  expect((await other.post(`${at(id)}/search`, { query: 'widget' })).status).toBe(404);
  await client.delete(`./documents/${late?.id}`);
  expect((await bench.search(client, id, 'widgets')).results.map(({ document_name }) => document_name)).toEqual([
    'lease.txt',
  ]);
  expect((await bench.get(client, id)).progress.documents).toBe(3);

  expect((await client.delete(at(id))).status).toBe(204);
  expect((await client.get(at(id))).status).toBe(404);
});

it('indexes each document once with several workers, and continues after one was stopped', async () => {
  const client = await app.addOrganization();
  const files = Object.fromEntries(Array.from({ length: 24 }, (_, at) => [`n${at}.txt`, `Note number${at} on zebras`]));
  await bench.upload(client, files);
  await bench.read();
  const { id } = await bench.apply(client, await bench.source(client));
  const stopped = new AbortController();
  const first = app.services.pipelines.indexing.work(stopped.signal);
  await expect.poll(async () => (await bench.get(client, id)).progress.indexed, { interval: 5 }).toBeGreaterThan(0);
  stopped.abort();
  await first;
  expect((await bench.get(client, id)).status).toBe('indexing');
  await Promise.all([bench.index(), bench.index(), bench.index()]);
  expect(await bench.get(client, id)).toMatchObject({ status: 'ready', progress: { indexed: 24, chunks: 24 } });
  const { results } = await bench.search(client, id, 'zebra', 100);
  expect(new Set(results.map(({ document_id }) => document_id)).size).toBe(24);
  expect(results).toHaveLength(24);
});

it('stops indexing, and refuses invalid pipelines', async () => {
  const client = await app.addOrganization();
  const empty = await bench.source(client, { name_search: 'nothing is named so' });
  await expect(bench.apply(client, empty)).rejects.toMatchObject({ code: 'source_empty' });
  await bench.upload(client, { 'a.txt': 'Text', 'b.txt': 'Text' });
  await bench.read();
  const all = await bench.source(client, { name_search: '.TXT' });
  const parsers = pipeline.parsers;
  for (const [code, given] of [
    ['invalid_pipeline', { parsers: [] }],
    ['invalid_pipeline', { ...pipeline, parsers: [...parsers, { extensions: ['md'], plugin_id: 'plain' }] }],
    ['unknown_plugin', { ...pipeline, chunker: { plugin_id: 'magic' } }],
    ['invalid_plugin_config', { ...pipeline, chunker: { plugin_id: 'page', config: { max_characters: 1 } } }],
    ['embeddings_not_configured', { ...pipeline, embedder: { plugin_id: 'openai_compatible' } }],
    ['unknown_reference', { ...pipeline, extract: { prompt_revid: '0'.repeat(24) } }],
  ] as const) {
    await expect(bench.apply(client, all, given)).rejects.toMatchObject({ code });
  }
  const { id } = await bench.apply(client, all);
  expect((await client.post<Collection>(`${at(id)}/stop`)).body.status).toBe('stopped');
  expect((await client.post(`${at(id)}/stop`)).error?.code).toBe('not_indexing');
  await bench.index();
  expect((await bench.get(client, id)).progress.indexed).toBe(0);
  expect((await bench.search(client, id, 'text')).results).toEqual([]);
  const viewer = await app.addUser('viewer', client.organizationId);
  expect((await viewer.request('DELETE', at(id), { headers: { 'x-org-id': client.organizationId } })).status).toBe(403);
});

it('returns boxes for hits in PDFs, and none for hits in text files', async () => {
  const client = await app.addOrganization();
  const at = (text: string, y: number) => line(text, 40, y);
  const lines = Array.from({ length: 30 }, (_, row) => at(`Row ${row} of nothing in particular`, 740 - row * 20));
  const pages = [{ content: lines.join('') }, { content: at('The walrus pays', 400) + at('every month.', 380) }];
  await bench.upload(client, { 'lease.pdf': buildPdf({ pages }), 'walrus.txt': 'A walrus' });
  await bench.read();
  const parsers = [
    { extensions: ['*'], plugin_id: 'plain' },
    { extensions: ['pdf'], plugin_id: 'pdf_text' },
  ];
  const { id } = await bench.apply(client, await bench.source(client), { ...pipeline, parsers });
  await bench.index();
  const { results } = await bench.search(client, id, 'walrus');
  const hit = results.find(({ document_name }) => document_name === 'lease.pdf');
  expect(hit?.boxes).toHaveLength(2);
  expect(hit?.boxes[0]).toMatchObject({
    page_num: 2,
    x0: expect.closeTo(40 / 612, 2),
    y1: expect.closeTo(1 - 400 / 792, 1),
  });
  expect(hit?.boxes[1]!.y0).toBeGreaterThan(hit!.boxes[0]!.y1);
  expect(results.find(({ document_name }) => document_name === 'walrus.txt')?.boxes).toEqual([]);
});
