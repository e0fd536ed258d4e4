import { MongoClient, type AnyClientBulkWriteModel, type Document } from 'mongodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../testing/index.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let database: TestDatabase;
let client: MongoClient;
beforeAll(async () => {
  database = await startTestDatabase();
  client = await new MongoClient(database.uri).connect();
});
afterAll(async () => {
  await client.close();
  await database.stop();
});

const insert = (namespace: string, _id: number): AnyClientBulkWriteModel<Document> => ({
  name: 'insertOne',
  namespace,
  document: { _id } as Document,
});
const idsIn = async (db: string, name: string) =>
  (await client.db(db).collection(name).find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id as unknown);

test('bulkWrite writes to several collections and databases in order, and counts what it did', async () => {
  const result = await client.bulkWrite(
    [
      insert('one.a', 1),
      insert('two.a.b', 1),
      { name: 'updateOne', namespace: 'one.a', filter: { _id: 1 }, update: { $set: { x: 1 } } } as never,
      {
        name: 'updateOne',
        namespace: 'one.a',
        filter: { _id: 2 },
        update: [{ $set: { x: 2 } }],
        upsert: true,
      } as never,
      { name: 'replaceOne', namespace: 'one.a', filter: { _id: 2 }, replacement: { x: 3 } } as never,
      insert('two.a.b', 2),
      { name: 'deleteMany', namespace: 'two.a.b', filter: {} },
    ],
    { verboseResults: true },
  );
  expect(result).toMatchObject({
    insertedCount: 3,
    matchedCount: 2,
    modifiedCount: 2,
    upsertedCount: 1,
    deletedCount: 2,
  });
  expect(result.updateResults?.get(3)).toMatchObject({ didUpsert: true, upsertedId: 2 });
  expect(await client.db('one').collection('a').find().toArray()).toEqual([
    { _id: 1, x: 1 },
    { _id: 2, x: 3 },
  ]);
  expect(await idsIn('two', 'a.b')).toEqual([]);
});

test.each([
  [true, [1], [1]],
  [false, [1, 3], [1, 2]],
])('bulkWrite stops at its first error if it is ordered (%s)', async (ordered, first, second) => {
  const [a, b] = [`a${ordered}`, `b${ordered}`];
  const writes = [
    insert(`errors.${a}`, 1),
    insert(`errors.${b}`, 1),
    insert(`errors.${a}`, 1),
    insert(`errors.${b}`, 2),
  ];
  const error = await client.bulkWrite([...writes, insert(`errors.${a}`, 3)], { ordered }).catch((thrown) => thrown);
  expect([...error.writeErrors].map(([index, { code }]: [number, { code: number }]) => [index, code])).toEqual([
    [2, 11_000],
  ]);
  expect([await idsIn('errors', a), await idsIn('errors', b)]).toEqual([first, second]);
});

test('bulkWrite refuses an unknown operation and a place without a namespace', async () => {
  const admin = client.db('admin');
  const command = (op: object) => admin.command({ bulkWrite: 1, ops: [op], nsInfo: [{ ns: 'one.a' }] });
  await expect(command({ move: 0 })).rejects.toThrow("no operation 'move'");
  await expect(command({ delete: 1, filter: {}, multi: false })).rejects.toThrow("no index of 'nsInfo'");
});

test('$unionWith finds what its pipeline selects first by an index', async () => {
  const db = client.db('unions');
  await db.collection('few').insertOne({ _id: 0 as never });
  await db.collection('many').insertMany(Array.from({ length: 50 }, (_, number) => ({ number, kind: number % 2 })));
  await db.collection('many').createIndex({ number: 1 });
  const pipeline = [
    { $match: { kind: 1 } },
    { $sort: { number: -1 } },
    { $skip: 1 },
    { $limit: 2 },
    { $project: { _id: 0, number: 1 } },
  ];
  const found = await db
    .collection('few')
    .aggregate([{ $unionWith: { coll: 'many', pipeline } }])
    .toArray();
  expect(found).toEqual([{ _id: 0 }, { number: 47 }, { number: 45 }]);
});
