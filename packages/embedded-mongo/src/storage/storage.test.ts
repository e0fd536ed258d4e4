import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { Yielder } from '../event-loop/yielder.ts';
import { findHits } from '../execution/find.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import type { StoredCollection } from './collection.ts';
import { Storage } from './storage.ts';

let storage: Storage;

beforeEach(() => {
  storage = new Storage(':memory:', 'off');
});

afterEach(() => storage.close());

const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));

function insert(collection: StoredCollection, fields: Record<string, BsonValue>): void {
  const document = doc(fields);
  collection.insert(encodeDocument(document), document);
}

function makeCollection(): StoredCollection {
  const collection = storage.ensure('test', 'things');
  collection.addIndex(doc({ v: 2, key: doc({ tags: 1 }), name: 'tags_1' }));
  collection.addIndex(doc({ v: 2, key: doc({ name: 1 }), name: 'name_1', unique: true }));
  return collection;
}

async function idsBy(collection: StoredCollection, hint: string, filter: BsonDocument): Promise<BsonValue[]> {
  const hits = await findHits(collection, { filter, hint }, new Yielder());
  return hits.map(({ bytes }) => decodeDocument(bytes!).get('_id')!);
}

test('a document that one index rejects leaves no entry in the others', async () => {
  const collection = makeCollection();
  insert(collection, { _id: 1, name: 'a', tags: ['x'] });
  expect(() => insert(collection, { _id: 2, name: 'a', tags: ['x', 'y'] })).toThrow('E11000');
  insert(collection, { _id: 3, name: 'b', tags: ['x'] });
  storage.commit();
  expect(await idsBy(collection, 'tags_1', doc({ tags: 'x' }))).toEqual([1, 3]);
  expect(await idsBy(collection, 'tags_1', doc({ tags: 'y' }))).toEqual([]);
  expect(collection.count()).toBe(2);
});

test('when the disk is full in the middle of a document, only that document is lost', async () => {
  const collection = makeCollection();
  insert(collection, { _id: 0, name: 'first', tags: [] });
  storage.commit();
  const pages = Number(storage.sqlite.prepare('PRAGMA page_count').get()!['page_count']);
  storage.sqlite.exec(`PRAGMA max_page_count = ${pages + 12}`);
  const tags = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(200, 'x'));
  let stored = 0;
  expect(() => {
    for (stored = 1; ; stored++) insert(collection, { _id: stored, name: `name ${stored}`, tags });
  }).toThrow(expect.objectContaining({ code: 14031 }));
  storage.commit();
  const now = storage.find('test', 'things')!;
  const ids = await idsBy(now, '_id_', doc({ _id: doc({ $gte: 0 }) }));
  expect(await idsBy(now, 'name_1', doc({ name: doc({ $gte: '' }) }))).toEqual(ids);
  expect(await idsBy(now, 'tags_1', doc({ tags: doc({ $gte: '' }) }))).toEqual(ids.slice(1));
});

test('a change of the catalogue that is undone in the file is undone in memory too', () => {
  insert(makeCollection(), { _id: 1, name: 'a' });
  expect(() =>
    storage.atomically(() => {
      storage.drop(storage.find('test', 'things')!);
      storage.ensure('test', 'other');
      throw new Error('the work failed');
    }),
  ).toThrow('the work failed');
  expect(storage.find('test', 'other')).toBeUndefined();
  expect(storage.find('test', 'things')!.count()).toBe(1);
  expect(storage.find('test', 'things')!.indexes.map(({ name }) => name)).toEqual(['_id_', 'tags_1', 'name_1']);
});

test('a unique index cannot be built on two equal values', () => {
  const collection = storage.ensure('test', 'twice');
  insert(collection, { _id: 1, a: 1 });
  insert(collection, { _id: 2, a: 1 });
  const build = (): void => collection.addIndex(doc({ v: 2, key: doc({ a: 1 }), name: 'a_1', unique: true }));
  expect(build).toThrow(expect.objectContaining({ code: 11000 }));
  expect(collection.indexes).toHaveLength(1);
  insert(collection, { _id: 3, a: 1 });
});

test.each(['', 'a$b', '.a', 'a.', 'a\0', 'x'.repeat(300)])('the collection name %j is rejected', (name) => {
  expect(() => storage.ensure('test', name)).toThrow(expect.objectContaining({ code: 73 }));
});

test.skipIf(process.platform === 'win32')(
  'lets only its own account read the file, also one of an older version',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'docwright-storage-'));
    const file = join(directory, 'database.sqlite');
    writeFileSync(file, '', { mode: 0o644 });
    const stored = new Storage(file, 'normal');
    const modes = readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777);
    expect(modes.length).toBeGreaterThan(0);
    expect(new Set(modes)).toEqual(new Set([0o600]));
    stored.close();
    rmSync(directory, { recursive: true });
  },
);
