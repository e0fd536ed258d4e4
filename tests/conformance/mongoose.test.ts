import { startTestDatabase, type TestDatabase } from '@docwright/embedded-mongo/testing';
import mongoose, { Schema, type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';

let database: TestDatabase;
let connection: Connection;

beforeAll(async () => {
  database = await startTestDatabase({ expiryIntervalMs: 100 });
  connection = await mongoose.createConnection(database.uri, { dbName: 'mongoose' }).asPromise();
});

afterAll(async () => {
  await connection.close();
  await database.stop();
});

const lineSchema = new Schema({ text: String, amount: Schema.Types.Decimal128 });
const documentSchema = new Schema(
  {
    name: { type: String, required: true },
    organization: { type: Schema.Types.ObjectId, index: true },
    tags: [String],
    lines: [lineSchema],
    size: { type: Number, default: 0 },
    total: Schema.Types.BigInt,
    bytes: Buffer,
    counts: { type: Map, of: Number },
    anything: Schema.Types.Mixed,
  },
  { timestamps: true, optimisticConcurrency: true },
);
documentSchema.index({ organization: 1, name: 1 }, { unique: true });

const model = () => connection.model('Document', documentSchema);

test('documents of every schema type are read back as they were saved', async () => {
  const Document = model();
  await Document.init();
  const saved = await Document.create({
    name: 'invoice.pdf',
    organization: new mongoose.Types.ObjectId(),
    tags: ['a', 'b'],
    lines: [{ text: 'first', amount: '12.50' }],
    size: 1.5,
    total: 9_007_199_254_740_993n,
    bytes: Buffer.from('bytes'),
    counts: { pages: 3 },
    anything: { '2': 'two', '1': 'one', deep: [{ x: null }] },
  });
  const found = await Document.findById(saved._id).orFail();
  expect(found.toObject()).toEqual(saved.toObject());
  expect(found.get('total')).toBe(9_007_199_254_740_993n);
});

test('changes of arrays and subdocuments are saved, a stale version is refused', async () => {
  const Document = model();
  const { _id } = await Document.create({ name: 'changes', tags: ['a'], lines: [{ text: 'x' }, { text: 'y' }] });
  const [one, other] = [await Document.findById(_id).orFail(), await Document.findById(_id).orFail()];
  one.get('tags').push('b', 'c');
  one.get('lines')[1]!.text = 'z';
  one.get('lines').pull(one.get('lines')[0]!._id);
  await one.save();
  expect((await Document.findById(_id).lean<{ tags: string[]; lines: { text: string }[] }>())!).toMatchObject({
    tags: ['a', 'b', 'c'],
    lines: [{ text: 'z' }],
  });
  other.set('name', 'too late');
  await expect(other.save()).rejects.toThrow(/No matching document|version/);
});

test('a unique index refuses a duplicate and names its key', async () => {
  const Document = model();
  const organization = new mongoose.Types.ObjectId();
  await Document.create({ name: 'same', organization });
  await expect(Document.create({ name: 'same', organization })).rejects.toMatchObject({
    code: 11000,
    keyPattern: { organization: 1, name: 1 },
    keyValue: { organization, name: 'same' },
  });
});

test('queries, upserts, bulk writes and aggregation', async () => {
  const Document = model();
  const organization = new mongoose.Types.ObjectId();
  await Document.insertMany(
    Array.from({ length: 30 }, (_, index) => ({ name: `n${index}`, organization, size: index })),
  );
  const page = await Document.find({ organization, size: { $gte: 10 } })
    .sort({ size: -1 })
    .skip(5)
    .limit(3)
    .select('size');
  expect(page.map((document) => document.get('size'))).toEqual([24, 23, 22]);
  const upserted = await Document.findOneAndUpdate(
    { organization, name: 'new' },
    { $set: { size: 5 }, $setOnInsert: { tags: ['made'] } },
    { upsert: true, returnDocument: 'after' },
  );
  expect(upserted?.toObject()).toMatchObject({ size: 5, tags: ['made'] });
  const written = await Document.bulkWrite([
    { updateMany: { filter: { organization, size: { $lt: 3 } }, update: { $inc: { size: 100 } } } },
    { deleteOne: { filter: { organization, name: 'n29' } } },
  ]);
  expect([written.modifiedCount, written.deletedCount]).toEqual([3, 1]);
  const groups = await Document.aggregate([
    { $match: { organization } },
    { $group: { _id: { $gte: ['$size', 100] }, count: { $sum: 1 }, largest: { $max: '$size' } } },
    { $sort: { _id: 1 } },
  ]);
  expect(groups).toEqual([
    { _id: false, count: 27, largest: 28 },
    { _id: true, count: 3, largest: 102 },
  ]);
  expect(await Document.countDocuments({ organization })).toBe(30);
  expect(await Document.exists({ organization, name: 'none' })).toBe(null);
});

test('populate and a cursor', async () => {
  const Author = connection.model('Author', new Schema({ name: String }));
  const Book = connection.model('Book', new Schema({ authors: [{ type: Schema.Types.ObjectId, ref: 'Author' }] }));
  const authors = await Author.create([{ name: 'A' }, { name: 'B' }]);
  await Book.create({ authors: authors.map(({ _id }) => _id) });
  const names: unknown[] = [];
  for await (const book of Book.find().populate<{ authors: { name: string }[] }>('authors').cursor({ batchSize: 1 })) {
    names.push(book.authors.map(({ name }) => name));
  }
  expect(names).toEqual([['A', 'B']]);
});

test('a TTL index makes documents expire', async () => {
  const Session = connection.model('Session', new Schema({ at: { type: Date, expires: 1 } }));
  await Session.init();
  await Session.create([{ at: new Date(Date.now() - 5000) }, { at: new Date(Date.now() + 60_000) }, {}]);
  await expect.poll(() => Session.countDocuments(), { timeout: 3000 }).toBe(2);
});
