import mongoose, { type Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createChunkRepository } from './chunk-repository.ts';
import { createSearchService } from './search-service.ts';

const { AggregationCursor, MongoServerError } = mongoose.mongo;
const collectionId = 'places';
const document_id = new mongoose.Types.ObjectId().toHexString();

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => connection.close());

function refuse(code: number) {
  const refusal = new MongoServerError({ message: 'refused', code, ok: 0 });
  vi.spyOn(AggregationCursor.prototype, 'toArray').mockRejectedValueOnce(refusal);
}

async function createSearch() {
  const chunks = createChunkRepository(connection);
  await chunks.prepare(collectionId);
  await chunks.replace(collectionId, document_id, [{ page_num: 1, start: 0, end: 4, text: 'rent of a house' }]);
  const warn = vi.fn();
  const service = createSearchService({
    searchOf: async () => ({ embeddings: { model: 'm', dimensions: 256 }, languages: ['english'] }),
    chunks,
    embeddingsFor: () => ({ model: 'm', embed: async () => ({ vectors: [new Float32Array(256)] }) }) as never,
    documentNames: async () => new Map([[document_id, 'lease.pdf']]),
    log: { warn },
  });
  const actor = { organizationId: new mongoose.Types.ObjectId().toHexString() } as never;
  return { search: () => service(actor)(collectionId, { query: 'rent', top_k: 5 }), warn };
}

// SearchNotEnabled of MongoDB 8, the errors of 7 and 6, an unreachable search process, and an unknown stage.
test.each([31_082, 6_047_401, 40_324, 6, 2])(
  'a search uses words if the database answers $vectorSearch with %i',
  async (code) => {
    const { search, warn } = await createSearch();
    refuse(code);
    expect(await search()).toMatchObject({ mode: 'lexical', results: [{ document_name: 'lease.pdf' }] });
    expect(warn).toHaveBeenCalledOnce();
  },
);

test('a search fails on any other database error', async () => {
  const { search } = await createSearch();
  refuse(13);
  await expect(search()).rejects.toMatchObject({ code: 13 });
});
