import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MongoClient, type Collection, type Document } from 'mongodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeDocument } from '../../bson/encode.ts';
import { Storage } from '../../storage/storage.ts';
import { FullTextIndex } from '../../storage/text-index.ts';
import { startTestDatabase, type TestDatabase } from '../../testing/index.ts';

interface Note {
  _id: string;
  text?: string;
  language?: string;
}

let database: TestDatabase;
let client: MongoClient;
let notes: Collection<Note>;

beforeEach(async () => {
  database = await startTestDatabase();
  client = await new MongoClient(database.uri).connect();
  notes = client.db('test').collection('notes');
  await notes.createIndex({ text: 'text' });
  await notes.insertMany([
    { _id: 'de', text: 'Die Häuser der Société wurden verkauft.', language: 'german' },
    { _id: 'de2', text: 'Ein Haus', language: 'de' },
    { _id: 'fr', text: 'Les factures de la société', language: 'french' },
    { _id: 'en', text: 'The invoices die hard: Rechnung' },
    { _id: 'zh', text: '本合同的付款条件是在收到发票后三十天内付款。', language: 'none' },
    { _id: 'ja', text: '契約書の支払条件（ドラフト）', language: 'none' },
  ]);
});

afterEach(async () => {
  await client.close();
  await database.stop();
});

async function found($search: string, $language?: string, filter: Document = {}): Promise<string[]> {
  const $text = $language === undefined ? { $search } : { $search, $language };
  const hits = await notes
    .find({ ...filter, $text })
    .project({ _id: 1 })
    .sort({ score: { $meta: 'textScore' } })
    .toArray();
  return hits.map(({ _id }) => String(_id)).toSorted();
}

test('a document is stemmed in its language, and a search in the language that it names', async () => {
  expect(await found('häusern rechnungen', 'german')).toEqual(['de', 'de2', 'en']);
  expect(await found('Haus', 'de', { language: 'german' })).toEqual(['de']);
  expect(await found('Haus', 'german', { language: 'de' })).toEqual(['de2']);
  expect(await found('haus', 'german', { language: { $in: ['german', 'de'] } })).toEqual(['de', 'de2']);
  expect(await found('haus', 'german', { language: 'klingon' })).toEqual([]);
  expect(await found('häusern')).toEqual([]);
  expect(await found('facture societe', 'french', { language: 'french' })).toEqual(['fr']);
  expect(await found('die', 'german')).toEqual([]);
  expect(await found('die', 'english', { _id: 'en' })).toEqual(['en']);
  expect(await found('"haus" -hard', 'german')).toEqual(['de', 'de2']);
  expect(await found('german §german language')).toEqual([]);
  await notes.updateOne({ _id: 'de' }, { $set: { language: 'english' } });
  expect(await found('haus', 'german')).toEqual(['de2']);
  await notes.deleteOne({ _id: 'de2' });
  expect(await found('haus', 'german')).toEqual([]);
});

test('scripts without spaces are found by two adjacent characters, and exactly as a phrase', async () => {
  expect(await found('付款条件', 'none')).toEqual(['ja', 'zh']);
  expect(await found('"付款条件"', 'none')).toEqual(['zh']);
  expect(await found('書', 'none')).toEqual(['ja']);
  expect(await found('支払 -契約', 'none')).toEqual([]);
  expect(await found('条約', 'none')).toEqual([]);
  expect(await found('ドラフト', 'none')).toEqual(['ja']);
});

test('no search text causes an error', async () => {
  for (const search of ['', '-a', '-', '"', '""', '"" -', '\0', '😀', '( NEAR * ^ :', '" "', '-"a b']) {
    expect(await found(search)).toEqual([]);
  }
  expect(await found('"invoices')).toEqual(['en']);
  expect(await found('invoices\0hard')).toEqual(['en']);
  expect(await found('AND OR NOT NEAR(invoices)')).toEqual(['en']);
  const words = Array.from({ length: 3000 }, (_, at) => `word${at}`).join(' ');
  expect(await found(`${words} invoice`)).toEqual(['en']);
  expect(await found(`${'付款'.repeat(500)}条`, 'none')).toEqual(['zh']);
  expect(await found(`invoice ${words.replaceAll('word', '-word')}`)).toEqual(['en']);
  expect(await found(`"invoices" ${words.replaceAll(/word\d+/g, (word) => `"${word}"`)}`)).toEqual([]);
});

test("an unknown language is rejected with MongoDB's error", async () => {
  await expect(notes.insertOne({ _id: 'x', text: 'x', language: 'klingon' })).rejects.toMatchObject({ code: 17_262 });
  await expect(notes.insertOne({ _id: 'x', language: 3 as never })).rejects.toMatchObject({ code: 17_261 });
  await expect(found('x', 'klingon')).rejects.toMatchObject({ code: 17_007 });
  const other = client.db('test').collection('other');
  await expect(other.createIndex({ text: 'text' }, { default_language: 'klingon' })).rejects.toMatchObject({
    code: 67,
  });
  await other.createIndex({ text: 'text' }, { default_language: 'spanish', language_override: 'idioma' });
  await other.insertMany([
    { text: 'Las facturas', language: 'klingon' },
    { text: 'The invoices', idioma: 'english' },
  ]);
  expect(await other.countDocuments({ $text: { $search: 'factura' } })).toBe(1);
  expect(await other.countDocuments({ $text: { $search: 'invoice', $language: 'english' } })).toBe(1);
});

test('an index of an earlier release is rebuilt', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-text-'));
  const file = path.join(folder, 'database');
  try {
    const specification = new Map<string, never>(
      Object.entries({
        name: 'text_text',
        default_language: 'english',
        language_override: 'language',
        textIndexVersion: 3,
      }) as [string, never][],
    );
    specification.set('weights', new Map([['text', 1]]) as never);
    const storage = new Storage(file, 'off');
    const made = storage.ensure('test', 'notes');
    made.addSearchTable(specification, (id) => new FullTextIndex(storage, id, specification));
    const document = new Map<string, string>([
      ['_id', 'a'],
      ['text', 'Häuser'],
      ['language', 'german'],
    ]);
    made.insert(encodeDocument(document), document);
    storage.close();
    const sqlite = new DatabaseSync(file);
    const { id } = sqlite.prepare(`SELECT max(id) AS id FROM indexes`).get() as { id: number };
    sqlite.exec(`DROP TABLE t${id}; PRAGMA user_version = 3;
      CREATE VIRTUAL TABLE t${id} USING fts5(f0, content='', contentless_delete=1, tokenize='porter unicode61')`);
    sqlite.close();
    const again = new Storage(file, 'off');
    expect(
      again.find('test', 'notes')?.textIndex?.search({ words: [['haus']], phrases: [], unwanted: [], prefix: [] }, 10),
    ).toHaveLength(1);
    again.close();
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});
