import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../test-app.ts';
import { shardedCollections, shardKeyOf } from './shard-keys.ts';

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

test('no index of a collection is declared twice', () => {
  const declared = Object.values(app.connection.models).flatMap(({ collection, schema }) =>
    schema.indexes().map(([fields]) => `${collection.name} ${JSON.stringify(fields)}`),
  );
  expect(declared.length).toBeGreaterThan(100);
  expect(declared.filter((index, at) => declared.indexOf(index) !== at)).toEqual([]);
});
