import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../test-app.ts';
import { page } from './documented-use.ts';
import { shardedCollections, shardKeyOf, unshardedCollections } from './shard-keys.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => app.stop());

test('the unique indexes of each collection that grows begin with its shard key', async () => {
  expect(shardedCollections.length).toBeGreaterThan(10);
  for (const collection of shardedCollections) {
    const indexes = await app.connection.collection(collection).indexes();
    expect(indexes.length, collection).toBeGreaterThan(1);
    const key = shardKeyOf(collection)!;
    const others = indexes.filter(
      ({ unique, key: fields }) => unique === true && Object.keys(fields).slice(0, key.length).join() !== key.join(),
    );
    expect(others, collection).toEqual([]);
  }
});

test('each collection has a shard key, or the page says why it stays unsharded', () => {
  const growth = readFileSync(path.join(path.dirname(page), 'growth.md'), 'utf8');
  const all = [...growth.matchAll(/^\| (?<names>`[^|]+) \|/gmu)].flatMap(({ groups }) =>
    [...groups!['names']!.matchAll(/`([^`]+)`/gu)].map(([, name]) => name!),
  );
  expect(all.length).toBeGreaterThan(70);
  const named = [...shardedCollections, ...unshardedCollections];
  expect(all.filter((name) => named.filter((other) => other === name).length !== 1)).toEqual([]);
});

test('no index of a collection is declared twice', () => {
  const declared = Object.values(app.connection.models).flatMap(({ collection, schema }) =>
    schema.indexes().map(([fields]) => `${collection.name} ${JSON.stringify(fields)}`),
  );
  expect(declared.length).toBeGreaterThan(100);
  expect(declared.filter((index, at) => declared.indexOf(index) !== at)).toEqual([]);
});
