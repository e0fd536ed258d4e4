import mongoose, { type Connection } from 'mongoose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createChunkRepositories } from './chunks/chunk-repository.ts';
import { createChunkWork } from './chunk-work-repository.ts';
import { collectionModel, entryModel } from './collection-model.ts';

const newId = () => new mongoose.Types.ObjectId();
const vector = (axis: number) => Float32Array.from({ length: 8 }, (_, at) => (at === axis ? 1 : 0));
const { signal } = new AbortController();

let connection: Connection;
let organization_id: mongoose.Types.ObjectId;
beforeEach(async () => {
  connection = await connectTestDatabase();
  organization_id = newId();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await connection.close();
});

const warn = vi.fn();
const work = (stop = signal) => createChunkWork({ connection, log: { warn, error: () => undefined } }).work(stop);
const chunksOf = () => createChunkRepositories(connection)(organization_id.toHexString());
const stored = () => connection.collection('chunks');
const names = async () =>
  (await connection.db!.listCollections({}, { nameOnly: true }).toArray())
    .map(({ name }) => name)
    .filter((name) => name.startsWith('chunks_'));

/** A collection of documents without chunks. */
async function addCollection(documents: number) {
  const _id = newId();
  const document_ids = Array.from({ length: documents }, newId);
  const embeddings = { model: 'm', dimensions: 8 };
  await collectionModel(connection).collection.insertOne({ _id, organization_id, embeddings, languages: ['english'] });
  if (documents > 0) {
    const entry = { organization_id, collection_id: _id, state: 'indexed' };
    const entries = document_ids.map((document_id) => ({ ...entry, document_id }));
    await entryModel(connection).collection.insertMany(entries);
  }
  return { id: _id.toHexString(), documents: document_ids.map((id) => id.toHexString()) };
}

/** A collection as former releases store it: each document has two chunks in a database collection of its own. */
async function addFormer(documents: number) {
  const collection = await addCollection(documents);
  const former = connection.collection<{ _id: string }>(`chunks_${collection.id}`);
  await former.createIndex({ document_id: 1 });
  await former.createIndex({ text: 'text' }, { default_language: 'english', language_override: '_language' });
  const field = { type: 'vector', path: 'embedding', numDimensions: 8, similarity: 'cosine' };
  await former.createSearchIndex({ name: 'embedding_8', type: 'vectorSearch', definition: { fields: [field] } });
  for (const [axis, document_id] of collection.documents.entries()) {
    const chunk = { document_id, page_num: 1, start: 0, end: 9, _language: 'english' };
    const embedding = mongoose.mongo.Binary.fromFloat32Array(vector(axis));
    await former.insertMany(
      [0, 1].map((at) => ({ _id: `${document_id}-${at}`, ...chunk, text: `rent ${axis} part ${at}`, embedding })),
    );
  }
  return { ...collection, former };
}

const textsOf = async (id: string, query = 'rent') =>
  (await chunksOf().findByWords(id, query, ['english'], 100)).map(({ text }) => text).toSorted();
const allTexts = (documents: number) =>
  Array.from({ length: documents }, (_, at) => [`rent ${at} part 0`, `rent ${at} part 1`]).flat();

test('a move that a kill cuts short at any step loses and doubles nothing, and is found throughout', async () => {
  const { id, documents } = await addFormer(3);
  const empty = await addFormer(0);
  let isKilled = true;
  for (let kill = 1; isKilled; kill += 1) {
    isKilled = false;
    let writes = 0;
    const killed = (original: (...given: unknown[]) => unknown) =>
      function (this: unknown, ...given: unknown[]) {
        if ((writes += 1) !== kill) return original.apply(this, given);
        isKilled = true;
        return Promise.reject(new Error('killed'));
      };
    const { prototype } = mongoose.mongo.Collection;
    for (const name of ['deleteMany', 'insertMany', 'drop', 'deleteOne'] as const) {
      const original = prototype[name] as (...given: unknown[]) => unknown;
      vi.spyOn(prototype, name).mockImplementation(killed(original) as never);
    }
    await work().catch(() => undefined);
    vi.restoreAllMocks();
    expect(await textsOf(id)).toEqual(allTexts(3));
    await connection.collection('chunk_tasks').updateMany({}, { $unset: { lease: 1 } });
  }
  await work();
  expect(await names()).toEqual([]);
  expect(empty.documents).toEqual([]);
  expect(await textsOf(id)).toEqual(allTexts(3));
  expect(await stored().countDocuments({})).toBe(6);
  expect(await connection.collection('chunk_tasks').countDocuments({})).toBe(0);
  const [first, second] = (await chunksOf().findByVector(id, vector(1), 10)) ?? [];
  expect([first?.document_id, second?.document_id]).toEqual([documents[1], documents[1]]);
});

test('chunks that a former release writes after a move are moved as well', async () => {
  const again = createChunkWork({ connection, log: { warn, error: () => undefined } });
  await again.work(signal);
  const { id } = await addFormer(1);
  await again.work(signal);
  expect(await names()).toEqual([]);
  expect(await textsOf(id)).toEqual(allTexts(1));
});

test('what cannot be read of a former release stays apart, and the rest is moved', async () => {
  const { id, documents, former } = await addFormer(1);
  const damaged = [
    { _id: 'a', document_id: documents[0], text: 5 },
    { _id: 'b', document_id: 'none', text: 'rent' },
    { _id: 'c', text: 'rent' },
    { _id: 'd', document_id: documents[0], page_num: 1, start: 0, end: 1, text: 'rent' },
  ];
  await former.insertMany(damaged);
  await work();
  expect(await stored().countDocuments({})).toBe(3);
  expect((await former.find().toArray()).map(({ _id }) => _id)).toEqual(['a', 'b', 'c']);
  expect(warn).toHaveBeenCalledWith({ collection_id: id, chunks: 3 }, expect.any(String));
});

test('chunks of a document that left the collection, and of a removed collection, are not moved', async () => {
  const { id, documents } = await addFormer(2);
  const gone = await addFormer(1);
  await entryModel(connection).collection.deleteOne({ document_id: new mongoose.Types.ObjectId(documents[0]) });
  await collectionModel(connection).collection.deleteOne({ _id: new mongoose.Types.ObjectId(gone.id) });
  await work();
  expect(await names()).toEqual([]);
  expect(await textsOf(id)).toEqual(['rent 1 part 0', 'rent 1 part 1']);
  expect(await stored().countDocuments({})).toBe(2);
});

test('beside a process of a former release, chunks stay where it finds them', async () => {
  const { id } = await addFormer(1);
  const added = await addCollection(1);
  const alive_until = new Date(Date.now() + 600_000);
  const { insertedId } = await connection.collection('processes').insertOne({ database_version: 17, alive_until });
  const chunks = chunksOf();
  await chunks.prepare(added.id);
  expect(await chunks.prepareVectors(added.id, 8)).toBe(true);
  const chunk = { page_num: 1, start: 0, end: 4, text: 'rent 0 part 0' };
  await chunks.replace(added.id, added.documents[0]!, [chunk], [vector(0)]);
  await work();
  expect(await stored().countDocuments({})).toBe(0);
  for (const one of [id, added.id]) {
    expect((await textsOf(one))[0]).toBe('rent 0 part 0');
    expect(await chunksOf().findByVector(one, vector(0), 1)).toHaveLength(1);
  }
  await connection.collection('processes').deleteOne({ _id: insertedId });
  await work();
  expect(await names()).toEqual([]);
  expect(await textsOf(added.id)).toEqual(['rent 0 part 0']);
  expect(await textsOf(id)).toEqual(allTexts(1));
});

test('a removal ends at a stop, goes on later, and keeps others found; one that was not noted is found', async () => {
  const [removed, kept] = [await addCollection(1), await addCollection(1)];
  const chunk = (at: number) => ({ page_num: 1, start: 0, end: 4, text: `rent ${at}` });
  for (const [{ id, documents }, count] of [[removed, 2_500] as const, [kept, 3] as const]) {
    await chunksOf().prepare(id);
    await chunksOf().replace(
      id,
      documents[0]!,
      Array.from({ length: count }, (_, at) => chunk(at)),
    );
  }
  await collectionModel(connection).collection.deleteOne({ _id: new mongoose.Types.ObjectId(removed.id) });
  const stop = new AbortController();
  const { prototype } = mongoose.mongo.Collection;
  const deleteMany = Reflect.get(prototype, 'deleteMany') as (...given: unknown[]) => unknown;
  vi.spyOn(prototype, 'deleteMany').mockImplementationOnce(async function (this: unknown, ...given: unknown[]) {
    const result = await deleteMany.apply(this, given);
    stop.abort();
    return result as never;
  } as never);
  await work(stop.signal).catch(() => undefined);
  expect(await stored().countDocuments({})).toBe(1_503);
  expect(await textsOf(kept.id)).toHaveLength(3);
  await work();
  expect(await stored().countDocuments({})).toBe(3);
  expect(await textsOf(kept.id)).toHaveLength(3);
});

test('a database that was copied has its indexes of vectors after the first start', async () => {
  const { id, documents } = await addCollection(1);
  const own = { organization_id, collection_id: new mongoose.Types.ObjectId(id) };
  const document_id = new mongoose.Types.ObjectId(documents[0]);
  const embedding = mongoose.mongo.Binary.fromFloat32Array(vector(0));
  await stored().insertOne({
    _id: 'a' as never,
    ...own,
    document_id,
    page_num: 1,
    start: 0,
    end: 4,
    text: 'rent',
    embedding,
  });
  expect(await chunksOf().findByVector(id, vector(0), 1)).toEqual([]);
  await work();
  expect(await chunksOf().findByVector(id, vector(0), 1)).toHaveLength(1);
  expect(await textsOf(id)).toEqual(['rent']);
});
