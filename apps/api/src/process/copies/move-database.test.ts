import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo, type EmbeddedMongo } from '@docwright/embedded-mongo';
import { Binary, Decimal128, Double, GridFSBucket, Int32, Long, MongoClient, ObjectId, type Db } from 'mongodb';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { databaseName } from '../../platform/database/connection.ts';
import { unfinishedCopy } from '../../platform/database/unfinished-copy.ts';
import { copyDatabase, definitionOf } from './copy-database.ts';
import { moveDatabase } from './move-database.ts';

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
  // An object of JavaScript has 2026 before total.
  years: new Map<string, unknown>([
    ['total', 1],
    [
      '2026',
      [
        new Map([
          ['b', 1],
          ['7', 2],
        ]),
      ],
    ],
  ]),
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

async function filled(db: Db) {
  await fill(db);
  return contentOf(db);
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

it('names the collection and the first record that arrived changed, and puts it right when repeated', async () => {
  const folder = await newFolder();
  await useFolder(folder, async (source) => {
    await fill(source);
    await use(addressOf('changed'), async (target) => {
      const command = vi.spyOn(target, 'command');
      command.mockImplementationOnce(async (sent) => {
        const { documents } = sent as { documents: { at: Date }[] };
        documents[7]!.at = new Date(0);
        command.mockRestore();
        return await target.command(sent);
      });
      const [, changed] = await source.collection('items').find().sort({ _id: 1 }).skip(6).limit(2).toArray();
      await source.collection('items').updateOne({ _id: changed!._id }, { $set: { 'seen.at': 1 } });
      const names = (await source.listCollections().toArray()).map(({ name }) => name);
      for (const name of names.filter((each) => each !== 'items')) await source.collection(name).drop();
      const copying = copyDatabase({ target, source });
      await expect(copying).rejects.toThrow(
        new RegExp(
          `items differs: 1201 records were read and 1201 arrived.*${changed!._id.toHexString()}.*Repeat`,
          'u',
        ),
      );
      await copyDatabase({ target, source });
      expect(await contentOf(target)).toEqual(await contentOf(source));
    });
  });
});

it('goes on after an error in the middle of a collection, and keeps what is whole', async () => {
  const folder = await newFolder();
  await useFolder(folder, async (source) => {
    await fill(source);
    await use(addressOf('half'), async (target) => {
      const items = target.collection('items');
      await items.createIndex({ text: 1 }, { unique: true, sparse: true, name: 'in_the_way' });
      await source.collection('items').insertMany([{ text: 'twice' }, { text: 'twice' }]);
      await expect(copyDatabase({ target, source })).rejects.toThrow(/The copy failed: items: .*Repeat the command/u);
      expect(await items.countDocuments()).toBeGreaterThan(500);
      await items.dropIndex('in_the_way');
      const lines: string[] = [];
      await copyDatabase({ target, source, log: (line) => lines.push(line) });
      expect(lines).toEqual(expect.arrayContaining(['fs.files: 1 (copied before)', 'items: 1203']));
      expect(await contentOf(target)).toEqual(await contentOf(source));
    });
  });
});

it.each(['to', 'from'] as const)('a move %s a server that was killed goes on, and ends alike', async (direction) => {
  const [full, fresh] = [await newFolder(), await newFolder()];
  const uri = addressOf(`killed_${direction}`);
  const dataDir = direction === 'to' ? full : fresh;
  const original = await (direction === 'to' ? useFolder(full, filled) : use(uri, filled));
  const script = `import { moveDatabase } from ${JSON.stringify(new URL('./move-database.ts', import.meta.url).href)};
    await moveDatabase({ ...${JSON.stringify({ dataDir, uri, direction })}, log: (line) => line.startsWith('fs.chunks') && process.kill(process.pid, 'SIGKILL') });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  const lines: string[] = [];
  await moveDatabase({ dataDir, uri, direction, log: (line) => lines.push(line) });
  expect(lines.filter((line) => line.endsWith('(copied before)'))).toEqual([
    'empty: 0 (copied before)',
    'fs.chunks: 3 (copied before)',
  ]);
  expect(await (direction === 'to' ? use(uri, contentOf) : useFolder(fresh, contentOf))).toEqual(original);
});

it('says which collection of the source changed during the copy', async () => {
  const folder = await newFolder();
  await useFolder(folder, async (source) => {
    await source.collection('first').insertOne({ text: 'before' });
    await source.collection('second').insertOne({});
    await use(addressOf('written'), async (target) => {
      const command = vi.spyOn(target, 'command');
      // The first is read before it is inserted.
      command.mockImplementationOnce(async (sent) => {
        await source.collection('first').updateOne({}, { $set: { text: 'after' } });
        command.mockRestore();
        return await target.command(sent);
      });
      const changing = copyDatabase({ target, source });
      await expect(changing).rejects.toThrow(/first changed during the copy: stop all servers/u);
      expect(await target.collection(unfinishedCopy).countDocuments()).toBe(1);
      await copyDatabase({ target, source });
      expect(await contentOf(target)).toEqual(await contentOf(source));
    });
  });
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
