import mongoose, { type Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { connectTestDatabase } from '../../../testing/test-database.ts';
import { createChunkRepositories } from './chunk-repository.ts';
import { createSearchService } from '../search-service.ts';

const { AggregationCursor, MongoServerError } = mongoose.mongo;
const collectionId = new mongoose.Types.ObjectId().toHexString();
const organizationId = new mongoose.Types.ObjectId().toHexString();
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
  const chunksOf = createChunkRepositories(connection);
  const chunks = chunksOf(organizationId);
  await chunks.prepare(collectionId);
  await chunks.replace(collectionId, document_id, [{ page_num: 1, start: 0, end: 4, text: 'rent of a house' }]);
  const warn = vi.fn();
  const service = createSearchService({
    searchOf: async () => ({ embeddings: { model: 'm', dimensions: 256 }, languages: ['english'] }),
    chunksOf,
    embeddingsFor: () => ({ model: 'm', embed: async () => ({ vectors: [new Float32Array(256)] }) }) as never,
    documentNames: async () => new Map([[document_id, 'lease.pdf']]),
    log: { warn },
  });
  const actor = { organizationId } as never;
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

test('two collections and two organizations with the same words and vectors find their own only', async () => {
  const ids = Array.from({ length: 3 }, () => new mongoose.Types.ObjectId().toHexString()) as [string, string, string];
  const chunksOf = createChunkRepositories(connection);
  const other = new mongoose.Types.ObjectId().toHexString();
  const places = [
    [organizationId, ids[0]],
    [organizationId, ids[1]],
    [other, ids[2]],
  ] as const;
  const vector = new Float32Array(8).fill(1);
  for (const [organization, id] of places) {
    const chunks = chunksOf(organization);
    await chunks.prepare(id);
    expect(await chunks.prepareVectors(id, 8)).toBe(true);
    const text = `The deposit of ${id}`;
    // The same document stands in several collections, and is indexed twice.
    for (let count = 0; count < 2; count += 1)
      await chunks.replace(id, document_id, [{ page_num: 1, start: 0, end: 4, text }], [vector]);
  }
  for (const [organization, id] of places) {
    const byWords = await chunksOf(organization).findByWords(id, 'deposit', ['english'], 10);
    const byVector = await chunksOf(organization).findByVector(id, vector, 10);
    for (const found of [byWords, byVector]) expect(found?.map(({ text }) => text)).toEqual([`The deposit of ${id}`]);
  }
  // The id of a collection of another organization finds nothing.
  expect(await chunksOf(other).findByWords(ids[0], 'deposit', ['english'], 10)).toEqual([]);
  expect(await chunksOf(other).findByVector(ids[0], vector, 10)).toEqual([]);
  await chunksOf(other).removeDocument(ids[0], document_id);
  await chunksOf(organizationId).removeDocument(ids[1], document_id);
  expect(await chunksOf(organizationId).findByWords(ids[0], 'deposit', ['english'], 10)).toHaveLength(1);
  expect(await chunksOf(organizationId).findByWords(ids[1], 'deposit', ['english'], 10)).toEqual([]);
});

test('a damaged chunk leaves the others of its collection found', async () => {
  const id = new mongoose.Types.ObjectId().toHexString();
  const chunks = createChunkRepositories(connection)(organizationId);
  await chunks.prepare(id);
  await chunks.prepareVectors(id, 8);
  const vector = new Float32Array(8).fill(1);
  const texts = ['the deposit', 'a deposit', 'deposits'];
  const made = texts.map((text) => ({ page_num: 1, start: 0, end: 4, text, boxes: [] }));
  await chunks.replace(id, document_id, made, [vector, vector, vector]);
  const stored = connection.collection<{ _id: string }>('chunks');
  await stored.updateOne({ _id: `${id}-${document_id}-0` }, { $set: { boxes: 7, page_num: 'one' } });
  await stored.updateOne({ _id: `${id}-${document_id}-1` }, { $set: { text: ['deposit'] } });
  for (const found of [
    await chunks.findByWords(id, 'deposit', ['english'], 10),
    await chunks.findByVector(id, vector, 10),
  ])
    expect(found?.map(({ text }) => text).toSorted()).toEqual(['deposits', 'the deposit']);
});
