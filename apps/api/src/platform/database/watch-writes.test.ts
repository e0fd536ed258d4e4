import type { Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { watchWrites } from './watch-writes.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());

let seen: string[];
let stop: () => void;
beforeEach(() => {
  seen = [];
  stop = watchWrites(connection, (collection) => seen.push(collection));
});
afterEach(() => stop());

it.each([
  ['an insert', () => connection.collection('files').insertOne({ a: 1 })],
  ['an update', () => connection.collection('files').updateOne({ a: 1 }, { $set: { a: 2 } }, { upsert: true })],
  ['a change that returns its record', () => connection.collection('files').findOneAndUpdate({}, { $set: { a: 3 } })],
  ['a removal', () => connection.collection('files').deleteMany({})],
])('%s is a write of its collection', async (_, write) => {
  await write();
  expect(seen).toEqual(['files']);
});

it('a command that writes to several collections is a write of each', async () => {
  const inserts = ['files', 'tags.old'].map((name) => ({
    name: 'insertOne' as const,
    namespace: `${connection.name}.${name}`,
    document: {},
  }));
  await connection.getClient().bulkWrite(inserts);
  expect(seen).toEqual(['files', 'tags.old']);
});

it('a read is no write, nor is a change that finds nothing or fails', async () => {
  const files = connection.collection('files');
  await files.insertOne({ _id: 1 as never });
  seen.length = 0;
  await files.find({}).toArray();
  await files.updateOne({ a: 'none' }, { $set: { a: 4 } });
  await files.findOneAndUpdate({ a: 'none' }, { $set: { a: 4 } });
  await files.deleteOne({ a: 'none' });
  await expect(files.updateOne({ _id: 1 as never }, { $set: { _id: 2 } })).rejects.toThrow();
  expect(seen).toEqual([]);
});

it('nothing is seen after the stop', async () => {
  stop();
  await connection.collection('files').insertOne({ a: 1 });
  expect(seen).toEqual([]);
});
