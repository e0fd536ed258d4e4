import { MongoClient, type Collection } from 'mongodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../testing/index.ts';

interface Note {
  _id: number;
  owner: string | null;
  folder: number;
  text: string;
  language?: string;
}

let database: TestDatabase;
let client: MongoClient;
let notes: Collection<Note>;

beforeEach(async () => {
  database = await startTestDatabase();
  client = await new MongoClient(database.uri).connect();
  notes = client.db('test').collection('notes');
  await notes.insertOne({ _id: 1, owner: 'a', folder: 1, text: 'Invoices that were paid early' });
  await notes.createIndex({ owner: 1, folder: 1, text: 'text' });
  await notes.insertMany([
    { _id: 2, owner: 'a', folder: 2, text: 'An invoice' },
    { _id: 3, owner: 'b', folder: 1, text: 'An invoice, paid early' },
    { _id: 4, owner: 'a', folder: 1, text: 'Rechnungen und Häuser', language: 'german' },
    { _id: 5, owner: 'a', folder: 1, text: 'A receipt' },
  ]);
});

afterEach(async () => {
  await client.close();
  await database.stop();
});

async function found(owner: string | null, folder: number, $search: string, language?: string): Promise<number[]> {
  const $text = { $search, ...(language !== undefined && { $language: language }) };
  const hits = await notes
    .find({ owner, folder: { $eq: folder }, $text, ...(language !== undefined && { language }) })
    .sort({ score: { $meta: 'textScore' } })
    .toArray();
  return hits.map(({ _id }) => _id);
}

test('a search finds the documents with its values of the fields before the texts only', async () => {
  expect(await found('a', 1, 'invoice receipt')).toHaveLength(2);
  expect(await found('a', 2, 'invoice')).toEqual([2]);
  expect(await found('b', 1, '"paid early" -receipt')).toEqual([3]);
  expect(await found('b', 1, 'invoice -early')).toEqual([]);
  expect(await found('a', 1, 'haus', 'german')).toEqual([4]);
  expect(await found('b', 1, 'haus', 'german')).toEqual([]);
  expect(await found('c', 1, 'invoice')).toEqual([]);
  await expect(notes.findOne({ owner: 'a', $text: { $search: 'invoice' } })).rejects.toMatchObject({ code: 291 });
});

test('a document that changes its fields before the texts is found by the new ones', async () => {
  await notes.updateOne({ _id: 2 }, { $set: { folder: 1 } });
  expect(await found('a', 2, 'invoice')).toEqual([]);
  expect(await found('a', 1, 'invoice')).toHaveLength(2);
  await notes.updateOne({ _id: 2 }, { $set: { owner: null } });
  expect(await found(null, 1, 'invoice')).toEqual([2]);
  await notes.deleteMany({ owner: 'b' });
  await notes.insertOne({ _id: 6, owner: 'c', folder: 1, text: 'A lease' });
  expect(await found('b', 1, 'invoice')).toEqual([]);
  expect(await found('c', 1, 'invoice lease')).toEqual([6]);
  await expect(notes.updateOne({ _id: 2 }, { $set: { owner: ['a'] as never } })).rejects.toMatchObject({
    code: 16_675,
  });
});

test('words count by how rare they are among the documents with these values, as in an index of these alone', async () => {
  const words = ['rent', 'deposit', 'tenant', 'house', 'month'];
  const textAt = (at: number) =>
    words
      .flatMap((word, place) => (at % (place + 2) === 0 ? Array.from({ length: (at % 3) + 1 }, () => word) : ['x']))
      .join(' ');
  const made = Array.from({ length: 60 }, (_, at) => ({ _id: 100 + at, owner: 'one', folder: 1, text: textAt(at) }));
  // In these, other words are rare.
  const others = Array.from({ length: 300 }, (_, at) => ({
    _id: 1_000 + at,
    owner: 'x',
    folder: 1,
    text: textAt(at * 12),
  }));
  await notes.insertMany([...made, ...others]);
  const alone = client.db('test').collection<Note>('alone');
  await alone.createIndex({ text: 'text' });
  await alone.insertMany(made);
  const scores = async (from: Collection<Note>, filter: object, $search: string) => {
    const score = { score: { $meta: 'textScore' } } as const;
    const hits = await from
      .find<Note & { score: number }>({ ...filter, $text: { $search } }, { projection: score })
      .sort(score)
      .toArray();
    return new Map(hits.map(({ _id, score: value }) => [_id, value]));
  };
  for (const search of ['rent deposit', 'rent tenant month', '"deposit" house', 'house month -rent']) {
    const [expected, given] = [
      await scores(alone, {}, search),
      await scores(notes, { owner: 'one', folder: 1 }, search),
    ];
    expect(given.size).toBeGreaterThan(5);
    expect(new Set(given.keys())).toEqual(new Set(expected.keys()));
    // The mean length of a text is that of all documents.
    for (const [id, score] of given) expect(score / expected.get(id)!).toBeCloseTo(1, 0);
  }
});

test('the index is listed as MongoDB lists it', async () => {
  expect(await notes.indexes()).toContainEqual(
    expect.objectContaining({
      name: 'owner_1_folder_1_text_text',
      key: { owner: 1, folder: 1, _fts: 'text', _ftsx: 1 },
      weights: { text: 1 },
    }),
  );
  await notes.createIndex({ owner: 1, folder: 1, text: 'text' });
  await notes.dropIndex('owner_1_folder_1_text_text');
  await expect(notes.createIndex({ text: 'text', owner: 1 })).rejects.toMatchObject({ code: 67 });
});
