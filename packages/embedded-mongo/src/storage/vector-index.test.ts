import { Binary, MongoClient, type Collection } from 'mongodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../testing/index.ts';

let database: TestDatabase;
let client: MongoClient;
let places: Collection<{ _id: number; at?: Binary | number[] }>;

beforeEach(async () => {
  database = await startTestDatabase();
  client = await new MongoClient(database.uri).connect();
  places = client.db('test').collection('places');
});

afterEach(async () => {
  await client.close();
  await database.stop();
});

/** A vector near to the direction of one axis. */
function vector(dimensions: number, axis: number, noise = 0): Float32Array {
  return Float32Array.from(
    { length: dimensions },
    (_, at) => (at % 16 === axis ? 1 : -0.05) + noise * Math.sin(at * 7),
  );
}

const index = (dimensions: number) =>
  places.createSearchIndex({
    name: 'at',
    type: 'vectorSearch',
    definition: { fields: [{ type: 'vector', path: 'at', numDimensions: dimensions, similarity: 'cosine' }] },
  });

const nearest = async (query: Float32Array, limit: number) =>
  (
    await places
      .aggregate([{ $vectorSearch: { index: 'at', path: 'at', queryVector: [...query], numCandidates: 20, limit } }])
      .toArray()
  ).map(({ _id }) => _id);

test.each([8, 300, 512])(
  'finds the nearest vectors of %d dimensions, and follows the changes of documents',
  async (dimensions) => {
    const stored = (axis: number, noise: number) => Binary.fromFloat32Array(vector(dimensions, axis, noise));
    await places.insertMany([
      { _id: 1, at: stored(1, 0.3) },
      { _id: 2, at: [...vector(dimensions, 1)] },
    ]);
    await index(dimensions);
    await expect(index(dimensions)).rejects.toMatchObject({ code: 68 });
    await places.insertMany([{ _id: 3, at: stored(5, 0) }, { _id: 4, at: [1, 2] }, { _id: 5 }]);
    expect(await nearest(vector(dimensions, 1), 3)).toEqual([2, 1, 3]);
    await places.updateOne({ _id: 2 }, { $set: { at: stored(7, 0) } });
    await places.deleteOne({ _id: 3 });
    expect(await nearest(vector(dimensions, 1), 3)).toEqual([1, 2]);
    await expect(nearest(vector(16, 1), 3)).rejects.toThrow(`takes ${dimensions} numbers`);
  },
);

test('a search with a filter finds the vectors with its values only', async () => {
  const named = client.db('test').collection<{ _id: number; owner: string; folder: number; at: Binary }>('places');
  const stored = (_id: number, owner: string, folder: number, noise: number) => ({
    _id,
    owner,
    folder,
    at: Binary.fromFloat32Array(vector(300, 1, noise)),
  });
  await named.insertOne(stored(1, 'a', 1, 0.3));
  await named.createSearchIndex({
    name: 'at',
    type: 'vectorSearch',
    definition: {
      fields: [
        { type: 'vector', path: 'at', numDimensions: 300, similarity: 'cosine' },
        { type: 'filter', path: 'owner' },
        { type: 'filter', path: 'folder' },
      ],
    },
  });
  await named.insertMany([stored(2, 'b', 1, 0), stored(3, 'a', 2, 0), stored(4, 'a', 1, 0.1)]);
  const within = async (filter: object) => {
    const search = { index: 'at', path: 'at', queryVector: [...vector(300, 1)], numCandidates: 20, limit: 5, filter };
    return (await named.aggregate([{ $vectorSearch: search }]).toArray()).map(({ _id }) => _id);
  };
  expect(await within({ owner: 'a', folder: 1 })).toEqual([4, 1]);
  expect(await within({ owner: 'b', folder: { $eq: 1 } })).toEqual([2]);
  expect(await within({ owner: 'c', folder: 1 })).toEqual([]);
  await named.updateOne({ _id: 4 }, { $set: { owner: 'b' } });
  await named.deleteOne({ _id: 1 });
  expect(await within({ owner: 'a', folder: 1 })).toEqual([]);
  expect(await within({ owner: 'b', folder: 1 })).toEqual([2, 4]);
  await expect(within({ owner: 'a' })).rejects.toMatchObject({ code: 238 });
});

test('rejects unsupported options', async () => {
  await places.insertOne({ _id: 1 });
  await expect(index(0)).rejects.toThrow('from 1 to 8192');
  const search = { name: 'words', definition: { mappings: { dynamic: true } } };
  await expect(places.createSearchIndex(search)).rejects.toMatchObject({ code: 31_082 });
  expect(await nearest(vector(8, 1), 3)).toEqual([]);
});
