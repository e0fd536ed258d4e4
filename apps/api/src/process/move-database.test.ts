import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo, type EmbeddedMongo } from '@docwright/embedded-mongo';
import { Binary, Decimal128, Double, GridFSBucket, Int32, Long, MongoClient, ObjectId, type Db } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseName } from '../platform/database/connection.ts';
import { definitionOf, moveDatabase } from './move-database.ts';

const folders: string[] = [];
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-moved-'));
  folders.push(folder);
  return folder;
}

/** In the place of a MongoDB server. */
let server: EmbeddedMongo;
beforeAll(async () => {
  server = await startEmbeddedMongo({ dataDir: await newFolder() });
});
afterAll(async () => {
  await server.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const addressOf = (name: string) => server.uri.replace(/^(mongodb:\/\/[^/?]+)\/?[^?]*/u, `$1/${name}`);

async function use<Answer>(uri: string, work: (db: Db) => Promise<Answer>): Promise<Answer> {
  const client = await MongoClient.connect(uri);
  try {
    return await work(client.db(databaseName(uri)));
  } finally {
    await client.close();
  }
}

async function useFolder<Answer>(dataDir: string, work: (db: Db) => Promise<Answer>): Promise<Answer> {
  const database = await startEmbeddedMongo({ dataDir });
  try {
    return await use(database.uri, work);
  } finally {
    await database.stop();
  }
}

const _id = new ObjectId();
const record = {
  _id,
  text: 'größe \u0000 ✓',
  whole: new Int32(7),
  double: new Double(7),
  long: Long.fromString('9007199254740993'),
  exact: Decimal128.fromString('0.10'),
  bytes: new Binary(Buffer.from([0, 255])),
  at: new Date('2026-05-04T03:02:01.009Z'),
  nothing: null,
  list: [{ deep: [1, 'a'] }, []],
  pattern: /a+/iu,
};
const bytes = Buffer.alloc(700_000, 'page ');

async function fill(db: Db): Promise<void> {
  const items = db.collection('items');
  await items.createIndex({ name: 1 }, { unique: true, partialFilterExpression: { name: { $exists: true } } });
  await items.createIndex({ text: 'text' }, { default_language: 'none' });
  await items.createIndex({ at: 1 }, { expireAfterSeconds: 2_000_000_000 });
  const many = Array.from({ length: 1_200 }, (_, at) => ({ name: `n${at}`, at: new Date() }));
  await items.insertMany([record, ...many]);
  await db.createCollection('empty');
  const file = new GridFSBucket(db).openUploadStream('invoice.pdf');
  file.end(bytes);
  await once(file, 'finish');
}

/** Everything in a database, in its exact types. */
async function contentOf(db: Db) {
  const names = (await db.listCollections().toArray()).map(({ name }) => name).toSorted();
  const collections = await Promise.all(
    names.map(async (name) => {
      const found = await db.collection(name).find({}, { promoteValues: false }).sort({ _id: 1 }).toArray();
      const indexes = await db.collection(name).indexes();
      return [name, JSON.stringify(found), indexes.toSorted((a, b) => a.name!.localeCompare(b.name!))];
    }),
  );
  return collections;
}

it('moves everything to a server and back, with types, files and indexes', async () => {
  const [folder, back] = [await newFolder(), await newFolder()];
  const original = await useFolder(folder, async (db) => {
    await fill(db);
    return contentOf(db);
  });
  const uri = addressOf('moved');
  const lines: string[] = [];
  const moved = await moveDatabase({ dataDir: folder, uri, direction: 'to', log: (line) => lines.push(line) });
  expect(moved.collections).toBe(original.length);
  expect(lines).toContain('items: 1201');
  expect(await use(uri, contentOf)).toEqual(original);
  await moveDatabase({ dataDir: back, uri, direction: 'from' });
  const copy = await useFolder(back, async (db) => {
    const chunks = await new GridFSBucket(db).openDownloadStreamByName('invoice.pdf').toArray();
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    await expect(db.collection('items').insertOne({ name: 'n1' })).rejects.toThrow(/duplicate/iu);
    return contentOf(db);
  });
  expect(copy).toEqual(original);
});

it('refuses a target with records, and a source without any, and leaves both as they are', async () => {
  const folder = await newFolder();
  await useFolder(folder, fill);
  const uri = addressOf('taken');
  await use(uri, (db) => db.collection('theirs').insertOne({ theirs: true }));
  await expect(moveDatabase({ dataDir: folder, uri, direction: 'to' })).rejects.toThrow(/not empty \(theirs/u);
  expect(await use(uri, async (db) => (await db.listCollections().toArray()).map(({ name }) => name))).toEqual([
    'theirs',
  ]);
  await expect(moveDatabase({ dataDir: folder, uri, direction: 'from' })).rejects.toThrow(/has a database/u);
  const none = await newFolder();
  await expect(moveDatabase({ dataDir: none, uri, direction: 'to' })).rejects.toThrow(/No database exists/u);
  await expect(moveDatabase({ dataDir: none, uri: addressOf('nothing'), direction: 'from' })).rejects.toThrow(/empty/u);
});

it('empties the target again if the copy fails', async () => {
  const folder = await newFolder();
  await useFolder(folder, fill);
  const uri = addressOf('half');
  await use(uri, async (db) => {
    await db.collection('items').createIndex({ at: 1 }, { unique: true, name: 'in_the_way' });
  });
  await useFolder(folder, async (db) => {
    const at = new Date(0);
    await db.collection('items').insertMany([
      { name: 'x1', at },
      { name: 'x2', at },
    ]);
  });
  await expect(moveDatabase({ dataDir: folder, uri, direction: 'to' })).rejects.toThrow(/The copy failed/u);
  expect(await use(uri, async (db) => (await db.listCollections().toArray()).map(({ name }) => name))).toEqual([]);
});

it('creates a text index from the form in which a MongoDB server lists it', () => {
  const listed = {
    v: 2,
    name: 'words',
    key: { organization_id: 1, _fts: 'text', _ftsx: 1 },
    weights: { name: 2, text: 1 },
    default_language: 'none',
    language_override: 'language',
    textIndexVersion: 3,
  };
  expect(definitionOf(listed)).toEqual({
    name: 'words',
    key: { organization_id: 1, name: 'text', text: 'text' },
    weights: { name: 2, text: 1 },
    default_language: 'none',
    language_override: 'language',
  });
  expect(definitionOf({ v: 2, name: 'a_1', key: { a: 1 }, unique: true })).toEqual({
    name: 'a_1',
    key: { a: 1 },
    unique: true,
  });
});
