import { BSON, Decimal128, Double, Int32, Long, MongoClient, Timestamp, type Collection, type Document } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestDatabase, WireClient, type TestDatabase } from '../testing/index.ts';

// A busy machine can be slow.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let database: TestDatabase;
let client: MongoClient;
let things: Collection;

beforeAll(async () => {
  database = await startTestDatabase();
  client = await new MongoClient(database.uri).connect();
});

afterAll(async () => {
  await client.close();
  await database.stop();
});

beforeEach(async () => {
  things = client.db('test').collection(`things-${Math.random()}`);
});

/** Returns the stored bytes, because a JavaScript object would change their order of fields. */
async function bytesOf(filter: Document, options = {}): Promise<string> {
  const [raw] = await things.find(filter, { raw: true, ...options }).toArray();
  return Buffer.from(raw as unknown as Uint8Array).toString('hex');
}

const hexOf = (entries: [string, unknown][]): string => Buffer.from(BSON.serialize(new Map(entries))).toString('hex');

test('updates and projections do not reorder names that look like integers', async () => {
  const inner = new Map<string, unknown>([
    ['b', 1],
    ['2', 'two'],
    ['1', 'one'],
  ]);
  await things.insertOne(
    new Map<string, unknown>([
      ['_id', 1],
      ['z', inner],
      ['10', 1],
      ['9', 1],
    ]),
  );
  expect(await bytesOf({})).toBe(
    hexOf([
      ['_id', 1],
      ['z', inner],
      ['10', 1],
      ['9', 1],
    ]),
  );
  await things.updateOne({ _id: 1 } as Document, { $set: { 'z.b': 5 }, $inc: { 10: 1 } });
  inner.set('b', 5);
  expect(await bytesOf({})).toBe(
    hexOf([
      ['_id', 1],
      ['z', inner],
      ['10', 2],
      ['9', 1],
    ]),
  );
  expect(await bytesOf({}, { projection: { 9: 0 } })).toBe(
    hexOf([
      ['_id', 1],
      ['z', inner],
      ['10', 2],
    ]),
  );
  expect(await things.findOne({ z: inner })).toMatchObject({ _id: 1 });
  expect(await things.findOne({ z: new Map([...inner].reverse()) })).toBe(null);
});

test('storing, updating and grouping preserve the type of numbers', async () => {
  await things.insertMany([
    {
      _id: 1,
      int: new Int32(1),
      long: Long.fromBigInt(2n ** 60n),
      double: new Double(2),
      decimal: Decimal128.fromString('0.10'),
    },
    {
      _id: 2,
      int: new Int32(2),
      long: Long.fromBigInt(1n),
      double: new Double(3),
      decimal: Decimal128.fromString('0.2'),
    },
  ] as never);
  await things.updateMany({}, { $inc: { int: 1, long: 1, double: 1, decimal: Decimal128.fromString('1') } });
  const options = { promoteValues: false } as const;
  expect(await things.findOne({ _id: 1 } as Document, options)).toMatchObject({
    int: new Int32(2),
    long: Long.fromBigInt(2n ** 60n + 1n),
    double: new Double(3),
    decimal: Decimal128.fromString('1.10'),
  });
  const sums = {
    int: { $sum: '$int' },
    long: { $sum: '$long' },
    double: { $sum: '$double' },
    decimal: { $sum: '$decimal' },
  };
  const [grouped] = await things
    .aggregate([{ $group: { _id: null, ...sums, average: { $avg: '$decimal' } } }], options)
    .toArray();
  expect(grouped).toMatchObject({
    int: new Int32(5),
    long: Long.fromBigInt(2n ** 60n + 3n),
    double: new Double(7),
    decimal: Decimal128.fromString('2.30'),
    average: Decimal128.fromString('1.15'),
  });
});

test('an empty timestamp becomes the current one', async () => {
  await things.insertOne({ at: new Timestamp(0n) });
  expect((await things.findOne())!['at'].isZero()).toBe(false);
});

test('a long scan and a large group do not block other commands', async () => {
  const documents = Array.from({ length: 40_000 }, (_, index) => ({
    group: `g${index % 20_000}`,
    text: 'x'.repeat(100),
  }));
  await things.insertMany(documents);
  const work = Promise.all([
    things.countDocuments({ 'text.none': { $exists: true } }),
    things
      .aggregate([{ $group: { _id: '$group', count: { $sum: 1 } } }, { $sort: { count: -1, _id: 1 } }, { $limit: 1 }])
      .toArray(),
    things
      .find({}, { sort: { text: 1, group: -1 } })
      .limit(1)
      .toArray(),
  ]);
  const state = { working: true };
  void work.finally(() => {
    state.working = false;
  });
  const waits: number[] = [];
  // The test and the server share one event loop, so a client waits as long as the process computes. The test measures
  // processor time, because the load of the machine must not count.
  const processorMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  while (state.working) {
    const start = processorMs();
    await client.db('test').command({ ping: 1 });
    waits.push(processorMs() - start);
  }
  await work;
  waits.sort((a, b) => a - b);
  // A server that did each of the three pieces of work in one turn would answer four times at most, on any machine.
  expect(waits.length).toBeGreaterThan(6);
  expect(waits[Math.floor(waits.length / 2)]).toBeLessThan(100);
});

test('other commands are answered while indexes are built, and a second command for the same ones waits', async () => {
  await things.insertMany(Array.from({ length: 30_000 }, (_, index) => ({ index, tags: [index % 7, 'all'] })));
  const building = { ends: false };
  const build = things.createIndexes([{ key: { index: 1 }, unique: true }, { key: { tags: 1, index: -1 } }]);
  const second = things.createIndex({ index: 1 }, { unique: true });
  void build.finally(() => {
    building.ends = true;
  });
  let answers = 0;
  for (; !building.ends; answers++) await client.db('test').command({ ping: 1 });
  expect(await Promise.all([build, second])).toEqual([['index_1', 'tags_1_index_-1'], 'index_1']);
  // A server that builds them in one turn answers twice at most, on any machine.
  expect(answers).toBeGreaterThan(4);
  expect(await things.countDocuments({ index: { $lt: 10 } }, { hint: 'index_1' })).toBe(10);
});

test('maxTimeMS ends a scan', async () => {
  await things.insertMany(Array.from({ length: 20_000 }, (_, index) => ({ index })));
  await expect(things.find({ $expr: { $eq: ['$index', -1] } }, { maxTimeMS: 2 }).toArray()).rejects.toMatchObject({
    code: 50,
  });
});

test('a scan fails when its collection is dropped', async () => {
  await things.insertMany(Array.from({ length: 20_000 }, (_, index) => ({ index })));
  const scan = things.countDocuments({ index: -1 });
  await things.drop();
  await expect(scan).rejects.toMatchObject({ code: 175 });
});

test('all concurrent increments are applied, and only one upsert inserts', async () => {
  await things.createIndex({ name: 1 }, { unique: true });
  await Promise.all(
    Array.from({ length: 100 }, () =>
      things.findOneAndUpdate({ name: 'counter', group: 'all' }, { $inc: { count: 1 } }, { upsert: true }),
    ),
  );
  expect(await things.find({}, { projection: { _id: 0 } }).toArray()).toEqual([
    { name: 'counter', group: 'all', count: 100 },
  ]);
});

test('unacknowledged writes are executed without a reply', async () => {
  await things.insertOne({ a: 1 }, { writeConcern: { w: 0 } });
  await expect.poll(() => things.countDocuments()).toBe(1);
  const wire = await WireClient.connect(database.uri);
  expect(await wire.command({ ping: 1, $db: 'test' })).toMatchObject({ ok: 1 });
  await wire.close();
});

test('a result larger than a message is sent in batches', async () => {
  const text = 'x'.repeat(1_000_000);
  for (let _id = 0; _id < 40; _id++) await things.insertOne({ _id, text } as never);
  const found = await things.find().toArray();
  expect(found.map(({ _id }) => Number(_id))).toEqual(Array.from({ length: 40 }, (_, index) => index));
});

test('a write with j: true is acknowledged', async () => {
  const durable = await startTestDatabase({ synchronous: 'normal' });
  const other = await new MongoClient(durable.uri).connect();
  const writes = Array.from({ length: 20 }, (_, n) =>
    other
      .db('test')
      .collection('journaled')
      .insertOne({ n }, { writeConcern: { w: 1, journal: true } }),
  );
  expect((await Promise.all(writes)).every(({ acknowledged }) => acknowledged)).toBe(true);
  await other.close();
  await durable.stop();
});

test('an empty array sorts before null, other arrays by their least element ascending and by their greatest descending', async () => {
  await things.insertMany([{ n: null }, { n: [] }, { n: [1, 9] }, { n: 5 }]);
  const sorted = async (direction: 1 | -1): Promise<unknown[]> =>
    (await things.find().sort({ n: direction }).toArray()).map(({ n }) => n);
  expect(await sorted(1)).toEqual([[], null, [1, 9], 5]);
  expect(await sorted(-1)).toEqual([[1, 9], 5, null, []]);
});

test('arrays of more than a hundred thousand elements can be pushed, unwound and looked up', async () => {
  const many = Array.from({ length: 150_000 }, (_, at) => at);
  await things.insertOne({ _id: 1 as never, all: [] });
  await things.updateOne({ _id: 1 as never }, { $push: { all: { $each: many } } } as never);
  const [counted] = await things.aggregate([{ $unwind: '$all' }, { $count: 'elements' }]).toArray();
  expect(counted).toEqual({ elements: many.length });
  const name = things.collectionName;
  const join = { from: name, localField: 'all', foreignField: '_id', as: 'found' };
  const joined = await things.aggregate([{ $lookup: join }, { $project: { found: { $size: '$found' } } }]).toArray();
  expect(joined).toEqual([{ _id: 1, found: 1 }]);
  expect(await things.countDocuments({ all: 149_999 })).toBe(1);
});

test('$elemMatch matches the fields of a DBRef', async () => {
  await things.insertMany([
    { _id: 1 as never, to: [{ $ref: 'others', $id: 7 }] },
    { _id: 2 as never, to: [{ $ref: 'others', $id: 8 }] },
  ]);
  const idsOf = async (filter: Document) => (await things.find(filter).toArray()).map(({ _id }) => _id as unknown);
  expect(await idsOf({ to: { $elemMatch: { $id: 7 } } })).toEqual([1]);
  expect(await idsOf({ to: { $elemMatch: { $id: { $in: [8, 9] } } } })).toEqual([2]);
  expect(await idsOf({ to: { $elemMatch: { $ref: 'others', $id: 8 } } })).toEqual([2]);
});

test('an unsupported MongoDB feature is reported as unsupported, not as unknown', async () => {
  const notSupported = (name: string) => ({ code: 238, message: expect.stringContaining(`${name} is not supported`) });
  await expect(things.findOne({ at: { $near: [1, 2] } })).rejects.toMatchObject(notSupported('$near'));
  await expect(things.findOne({ $where: 'true' })).rejects.toMatchObject(notSupported('$where'));
  const project = (expression: Document) => things.aggregate([{ $project: { it: expression } }]).toArray();
  await expect(project({ $zip: { inputs: [] } })).rejects.toMatchObject(notSupported('$zip'));
  await expect(project({ $zap: 1 })).rejects.toMatchObject({ code: 168, message: "Unrecognized expression '$zap'" });
  const group = (accumulator: Document) => things.aggregate([{ $group: { _id: null, it: accumulator } }]).toArray();
  await expect(group({ $stdDevPop: '$a' })).rejects.toMatchObject(notSupported('$stdDevPop'));
  await expect(things.aggregate([{ $graphLookup: {} }]).toArray()).rejects.toMatchObject(notSupported('$graphLookup'));
});

test('records that a TTL index expires are kept if the server is told so', async () => {
  const servers = await Promise.all(
    [false, true].map((keepsExpired) => startTestDatabase({ expiryIntervalMs: 10, keepsExpired })),
  );
  const clients = await Promise.all(servers.map(({ uri }) => new MongoClient(uri).connect()));
  try {
    const [removing, keeping] = clients.map((each) => each.db('test').collection('old')) as [Collection, Collection];
    const expired = async (old: Collection) => old.insertOne({ at: new Date(0) });
    await Promise.all([removing, keeping].map((old) => old.createIndex({ at: 1 }, { expireAfterSeconds: 1 })));
    await expired(keeping);
    // The other one has cleaned up several times meanwhile.
    for (let round = 0; round < 3; round += 1) {
      await expired(removing);
      await expect.poll(() => removing.countDocuments(), { timeout: 30_000 }).toBe(0);
    }
    expect(await keeping.countDocuments()).toBe(1);
  } finally {
    await Promise.all(clients.map((each) => each.close()));
    await Promise.all(servers.map((each) => each.stop()));
  }
});
