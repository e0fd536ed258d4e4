import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  collectionPath,
  startCollectionsTestBench,
  testPipeline,
  type CollectionsTestBench,
} from '../../testing/collections-test-bench.ts';
import { createFileRepository } from '../documents/index.ts';
import { createPipelineServices } from './pipeline-services.ts';

// The machine runs other tests at the same time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let bench: CollectionsTestBench;
let service: Server;
/** The dimensions of the vectors of each model. */
const lengths: Record<string, number> = { first: 16, second: 12 };

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { input, model } = (await json(request)) as { input: string[]; model: string };
  if (lengths[model] === undefined) return void response.writeHead(400).end();
  const numbers = (text: string) => Array.from({ length: lengths[model]! }, (_, at) => (text.length % (at + 2)) - 0.5);
  const data = input.map((text, index) => ({ index, embedding: numbers(text) }));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ data, usage: { prompt_tokens: 1 } }));
}

beforeAll(async () => {
  service = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(service, 'listening');
  bench = await startCollectionsTestBench();
});
afterAll(async () => {
  await bench.app.stop();
  service.close();
});

/** The services with this embeddings model. */
function withModel(embeddingModel: string) {
  const { app } = bench;
  const { port } = service.address() as AddressInfo;
  return createPipelineServices({
    connection: app.connection,
    files: createFileRepository(app.connection),
    extractions: () => undefined as never,
    endpoint: { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: undefined, embeddingModel },
    meterEmbeddings: (client) => client,
    isEndpointLocal: async () => false,
    wakeIndexing: async () => undefined,
    log: { warn: () => undefined, error: () => undefined },
  });
}

it('never compares vectors of different models, and an update replaces them', async () => {
  const client = await bench.app.addOrganization();
  await bench.upload(client, { 'a.txt': 'The first text.', 'b.txt': 'Another text, a longer one.' });
  await bench.read();
  const { signal } = new AbortController();
  const before = withModel('first');
  const source = await bench.source(client);
  const embedding = { ...testPipeline, embedder: { plugin_id: 'openai_compatible' } };
  const { id } = await before
    .collections(client.actor)
    .apply({ source_id: source.id, name: 'Texts', pipeline: embedding });
  await before.indexing.work(signal);
  const ask = (services: typeof before) => services.search(client.actor)(id, { query: 'longer text', top_k: 5 });
  expect(await ask(before)).toMatchObject({ mode: 'hybrid', results: [{}, {}] });

  const after = withModel('second');
  expect(await ask(after)).toMatchObject({ mode: 'lexical', results: [{}, {}] });
  const { changes } = await after.collections(client.actor).get(id);
  expect(changes).toEqual({ added: 0, removed: 0, changed: 2, failed: 0 });
  await after.collections(client.actor).update(id);
  await after.indexing.work(signal);
  expect(await after.collections(client.actor).get(id)).toMatchObject({
    status: 'ready',
    progress: { indexed: 2 },
    changes: { changed: 0 },
  });
  const found = await ask(after);
  expect(found).toMatchObject({
    mode: 'hybrid',
    results: [{ vector_rank: expect.any(Number) }, { vector_rank: expect.any(Number) }],
  });
  expect((await client.get(collectionPath(id))).status).toBe(200);

  // An unknown model: documents lose their vectors, but are still found by words.
  const broken = withModel('third');
  await broken.collections(client.actor).update(id);
  await broken.indexing.work(signal);
  expect(await broken.collections(client.actor).get(id)).toMatchObject({ progress: { failed: 2, chunks: 2 } });
  expect(await ask(broken)).toMatchObject({ mode: 'lexical', results: [{}, {}] });
  await after.collections(client.actor).update(id);
  await after.indexing.work(signal);
  expect(await ask(after)).toMatchObject({ mode: 'hybrid', results: [{}, {}] });

  // The same name, but vectors of another length.
  lengths['second'] = 20;
  expect((await ask(after)).mode).toBe('lexical');
  await bench.upload(client, { 'c.txt': 'One more.' });
  await bench.read();
  await after.collections(client.actor).update(id);
  await after.indexing.work(signal);
  const { failures } = await after.collections(client.actor).get(id);
  expect(failures).toMatchObject([{ category: 'other_embeddings', count: 1 }]);
});
