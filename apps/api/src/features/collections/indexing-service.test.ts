import { DomainError } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createDocumentRepositories } from '../documents/records/document-repository.ts';
import { createChunkRepositories } from './chunks/chunk-repository.ts';
import {
  startCollectionsTestBench,
  testPipeline,
  type CollectionsTestBench,
} from '../../testing/collections-test-bench.ts';
import { createIndexingRepository } from './indexing-repository.ts';
import { createIndexingService } from './indexing-service.ts';
import { createSourceRepositories } from '../sources/source-repository.ts';

// The machine runs other tests at the same time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let bench: CollectionsTestBench;
beforeAll(async () => {
  bench = await startCollectionsTestBench();
});
afterAll(() => bench.app.stop());

it('does not remove chunks that another worker has indexed meanwhile, at whatever stage the first one failed', async () => {
  const client = await bench.app.addOrganization();
  const [document] = await bench.upload(client, { 'a.txt': 'Found by its words.' });
  await bench.read();
  const { id } = await bench.apply(client, await bench.source(client));
  const { signal } = new AbortController();
  const { connection } = bench.app;
  const indexing = createIndexingRepository(connection);
  const slow = createIndexingService({
    indexing,
    chunksOf: createChunkRepositories(connection),
    sourcesOf: createSourceRepositories(connection),
    documentOf: async () => ({ ...document!, state: 'ocr_completed' }),
    actorOf: async () => client.actor,
    processingFor: () => ({
      async storedPages() {
        // The worker stalls until its claim is lost, then continues with a broken connection.
        const entries = connection.collection('collection_documents');
        await entries.updateOne({ document_id: { $exists: true } }, { $set: { lease: null } });
        await bench.index();
        throw new DomainError('unprocessable', 'model_failed', 'The connection was lost.');
      },
      bytes: async () => new Uint8Array(),
      extraction: async () => undefined,
      embeddings: undefined,
    }),
    embeddingModel: undefined,
    log: { warn: () => undefined, error: () => undefined },
  });
  await slow.work(signal);
  expect(await bench.get(client, id)).toMatchObject({ status: 'ready', progress: { indexed: 1, failed: 0 } });
  expect((await bench.search(client, id, 'words')).results).toHaveLength(1);
});

it('continues with the next collection after one document if a document takes long', async () => {
  const client = await bench.app.addOrganization();
  const files = Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`${at}.txt`, 'Text']));
  await bench.upload(client, files);
  await bench.read();
  const source = await bench.source(client);
  const slow = await bench.apply(client, source);
  const other = await bench.apply(client, source);
  const indexedFor: string[] = [];
  const { connection } = bench.app;
  const documents = createDocumentRepositories(connection)(client.organizationId);
  const service = createIndexingService({
    indexing: createIndexingRepository(connection),
    chunksOf: createChunkRepositories(connection),
    sourcesOf: createSourceRepositories(connection),
    documentOf: async (_, id) => await documents.get(id),
    async actorOf({ id }) {
      indexedFor.push(id);
      return client.actor;
    },
    processingFor: () => ({
      storedPages: async () => [],
      bytes: async () => new Uint8Array(),
      extraction: async () => undefined,
      embeddings: undefined,
    }),
    embeddingModel: undefined,
    turnMs: 0,
    log: { warn: () => undefined, error: () => undefined },
  });
  await service.work(new AbortController().signal);
  expect(indexedFor).toEqual([slow.id, other.id, slow.id, other.id, slow.id, other.id]);
});

it('logs no error for a collection that is deleted while it is being indexed', async () => {
  const client = await bench.app.addOrganization();
  await bench.upload(client, { 'a.txt': 'Text' });
  await bench.read();
  const { id } = await bench.apply(client, await bench.source(client), {
    ...testPipeline,
    parsers: [{ extensions: ['*'], plugin_id: 'plain' }],
  });
  const { connection } = bench.app;
  const collections = connection.collection('collections');
  await collections.updateOne(
    { name: 'Searchable', status: 'indexing' },
    { $set: { 'pipeline.embedder': { plugin_id: 'openai_compatible', config: {} } } },
  );
  const documents = createDocumentRepositories(connection)(client.organizationId);
  const chunksOf = createChunkRepositories(connection);
  const error = vi.fn();
  const service = createIndexingService({
    indexing: createIndexingRepository(connection),
    chunksOf,
    sourcesOf: createSourceRepositories(connection),
    documentOf: async (_, documentId) => await documents.get(documentId),
    actorOf: async () => client.actor,
    processingFor: () => ({
      storedPages: async () => [
        { page_num: 1, width: 0, height: 0, text: 'Text', words: [], hidden_text: 0, needs_ocr: false },
      ],
      bytes: async () => new Uint8Array(),
      extraction: async () => undefined,
      embeddings: {
        model: 'm',
        async embed() {
          await bench.app.services.pipelines.collections(client.actor).delete(id);
          return {
            vectors: [new Float32Array(8).fill(1)],
            usage: { prompt_tokens: 1, completion_tokens: 0, estimated: false },
          };
        },
      },
    }),
    embeddingModel: 'm',
    log: { warn: () => undefined, error },
  });
  await service.work(new AbortController().signal);
  expect(error).not.toHaveBeenCalled();
  await bench.app.services.pipelines.chunkWork.work(new AbortController().signal);
  expect(await connection.collection('chunks').countDocuments({ collection_id: new mongoose.Types.ObjectId(id) })).toBe(
    0,
  );
});
