import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { Yielder } from '../event-loop/yielder.ts';
import { findHits } from '../execution/find.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import type { StoredCollection } from './collection.ts';
import { IndexBuild } from './index-build.ts';
import { Storage } from './storage.ts';

let directory: string;
let storage: Storage;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'docwright-index-build-'));
  storage = new Storage(join(directory, 'database.sqlite'), 'off');
});
afterEach(() => {
  storage.close();
  rmSync(directory, { recursive: true });
});

const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));
const specification = doc({ v: 2, key: doc({ tags: 1 }), name: 'tags_1' });
const unique = doc({ v: 2, key: doc({ code: 1 }), name: 'code_1', unique: true });
const documentOf = (id: number, more: Record<string, BsonValue> = {}) =>
  doc({ _id: id, tags: [`tag ${id % 7}`, 'all'], code: id, ...more });

function filled(count: number): StoredCollection {
  const collection = storage.ensure('test', 'things');
  for (let id = 1; id <= count; id++) insert(collection, documentOf(id));
  return collection;
}
function insert(collection: StoredCollection, document: BsonDocument): void {
  collection.insert(encodeDocument(document), document);
}
/** The rows of a new collection are the ids. */
function change(collection: StoredCollection, id: number, more: Record<string, BsonValue>): void {
  collection.update(id, documentOf(id), encodeDocument(documentOf(id, more)), documentOf(id, more));
}
async function idsBy(collection: StoredCollection, hint: string, filter: BsonDocument): Promise<BsonValue[]> {
  const hits = await findHits(collection, { filter, hint }, new Yielder());
  return hits.map(({ bytes }) => decodeDocument(bytes!).get('_id')!);
}
const indexTables = () =>
  storage.sqlite.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'x[0-9]*'`).all();

test('indexes that are built in steps know what was inserted, changed and removed meanwhile, and are used once they have all', async () => {
  const collection = filled(300);
  const build = new IndexBuild(collection, [specification, unique]);
  collection.indexBuild = build;
  expect(build.step(100)).toBe(true);
  expect(collection.indexes.map(({ name }) => name)).toEqual(['_id_']);
  for (const id of [50, 200]) change(collection, id, { tags: ['changed'], code: id + 1_000 });
  for (const id of [60, 210]) collection.remove(id, documentOf(id));
  insert(collection, documentOf(301, { tags: ['changed'] }));
  storage.commit();
  while (build.step(100));
  build.finish();
  collection.indexBuild = undefined;
  storage.commit();
  expect(await idsBy(collection, 'tags_1', doc({ tags: 'changed' }))).toEqual([50, 200, 301]);
  expect(await idsBy(collection, 'tags_1', doc({ tags: 'all' }))).toHaveLength(300 - 2 - 2);
  expect(await idsBy(collection, 'code_1', doc({ code: doc({ $gte: 1_000 }) }))).toEqual([50, 200]);
  expect(() => insert(collection, documentOf(400, { code: 301 }))).toThrow('E11000');
  // The file says the same.
  storage.close();
  storage = new Storage(join(directory, 'database.sqlite'), 'off');
  const stored = storage.find('test', 'things')!;
  expect(stored.indexes.map(({ name, isMultikey }) => [name, isMultikey])).toEqual([
    ['_id_', false],
    ['tags_1', true],
    ['code_1', false],
  ]);
  expect(await idsBy(stored, 'tags_1', doc({ tags: 'changed' }))).toEqual([50, 200, 301]);
});

test('a build that the end of the process interrupts leaves nothing', () => {
  const build = new IndexBuild(filled(300), [specification]);
  build.step(100);
  storage.close();
  storage = new Storage(join(directory, 'database.sqlite'), 'off');
  expect(indexTables()).toEqual([]);
  storage.find('test', 'things')!.addIndex(specification);
  expect(indexTables()).toHaveLength(1);
});

test('a build ends, and leaves nothing, when two documents have one key or the collection is dropped meanwhile', async () => {
  const collection = filled(300);
  change(collection, 250, { code: 1 });
  await expect(new IndexBuild(collection, [specification, unique]).run(new Yielder())).rejects.toMatchObject({
    code: 11000,
  });
  expect(collection.indexes).toHaveLength(1);
  expect(collection.indexBuild).toBeUndefined();
  expect(indexTables()).toEqual([]);

  // Yields after each step.
  class Eager extends Yielder {
    override get isDue(): boolean {
      return true;
    }
  }
  const building = new IndexBuild(collection, [specification]).run(new Eager());
  storage.drop(collection);
  await expect(building).rejects.toMatchObject({ codeName: 'QueryPlanKilled' });
  expect(indexTables()).toEqual([]);
});
