import { MongoClient, type Collection, type Document } from 'mongodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../testing/index.ts';

let database: TestDatabase;
let client: MongoClient;
let notes: Collection;

beforeEach(async () => {
  database = await startTestDatabase();
  client = await new MongoClient(database.uri).connect();
  notes = client.db('test').collection('notes');
  await notes.insertOne({ _id: 'early' as never, text: 'Invoices that were paid early', kind: 'a' });
  await notes.createIndex({ text: 'text' });
  await notes.insertMany([
    { _id: 'late' as never, text: 'The invoice is late. Invoice, invoice!', kind: 'b' },
    { _id: 'cafe' as never, text: 'Rechnung: Café Müller', kind: 'a' },
    { _id: 'none' as never, kind: 'a' },
  ]);
});

afterEach(async () => {
  await client.close();
  await database.stop();
});

async function found(search: string, more: Document = {}): Promise<string[]> {
  const hits = await notes
    .find({ $text: { $search: search }, ...more })
    .project({ score: { $meta: 'textScore' } })
    .sort({ score: { $meta: 'textScore' } })
    .limit(10)
    .toArray();
  for (const { score } of hits) expect(score).toBeGreaterThan(0);
  return hits.map(({ _id }) => String(_id));
}

test('words are stemmed alternatives without case and accents; phrases are required, excluded words forbidden', async () => {
  expect(await found('invoicing')).toEqual(['late', 'early']);
  expect(await found('cafe MULLER')).toEqual(['cafe']);
  expect(await found('the is')).toEqual([]);
  expect(await found('invoice cafe')).toHaveLength(3);
  expect(await found('"paid early"')).toEqual(['early']);
  expect(await found('invoice -late')).toEqual(['early']);
  expect(await found('invoice', { kind: 'a' })).toEqual(['early']);
  expect(await found('" OR NEAR( * ^ : AND')).toEqual([]);
  expect(await notes.countDocuments({ $text: { $search: 'invoice' } })).toBe(2);
});

test('follows the changes of a document and of the index', async () => {
  await notes.updateOne({ _id: 'late' as never }, { $set: { text: 'A receipt' } });
  await notes.deleteOne({ _id: 'early' as never });
  expect(await found('invoice')).toEqual([]);
  expect(await found('receipts')).toEqual(['late']);
  await expect(notes.createIndex({ kind: 'text' })).rejects.toThrow('only one text index');
  await notes.createIndex({ text: 'text' });
  expect(await notes.indexes()).toContainEqual(expect.objectContaining({ name: 'text_text', weights: { text: 1 } }));
  await notes.dropIndex('text_text');
  await expect(found('receipt')).rejects.toThrow('text index required');
});
