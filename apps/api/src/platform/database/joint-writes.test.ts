import { mongo, Schema, type Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { logCommands } from '../../testing/database-use/command-log.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { isDuplicateKey } from './connection.ts';
import { createJointWrites, writeOf } from './joint-writes.ts';

interface Note {
  _id: number;
  text?: string | undefined;
  count?: number;
}

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

function notes(name: string) {
  const [first, second] = [`${name}_1`, `${name}_2`].map((collection) =>
    connection.model<Note>(collection, new Schema<Note>({ _id: Number, text: String, count: Number }), collection),
  );
  const insert = (model: typeof first, _id: number, text?: string) =>
    writeOf(model!, { insertOne: { document: { _id, text } } });
  const all = async (model: typeof first) => (await model!.find().sort({ _id: 1 }).lean()).map(({ _id }) => _id);
  return { first: first!, second: second!, insert, all };
}

/** Lets the server answer as one before MongoDB 8. */
function withoutBulkWrite(): void {
  const unknown = new mongo.MongoClientBulkWriteError({ message: 'failed' });
  const cause = new mongo.MongoServerError({ message: "no such command: 'bulkWrite'", code: 59 });
  vi.spyOn(connection.getClient(), 'bulkWrite').mockRejectedValue(Object.assign(unknown, { cause }));
}

it('writes to several collections in order with one command', async () => {
  const { first, second, insert, all } = notes('together');
  const write = createJointWrites(connection);
  const log = logCommands(connection);
  await Promise.all([
    write([
      insert(first, 1, 'one'),
      insert(second, 2),
      writeOf(first, { updateOne: { filter: { _id: 1 }, update: { $set: { text: 'changed' } } } }),
      writeOf(second, { updateOne: { filter: { _id: 3 }, update: [{ $set: { count: 1 } }], upsert: true } }),
    ]),
    write([insert(second, 4), writeOf(second, { deleteOne: { filter: { _id: 2 } } })]),
  ]);
  log.stop();
  expect(log.commands.map(({ name }) => name)).toEqual(['bulkWrite']);
  expect(await first.find().lean()).toEqual([{ _id: 1, text: 'changed' }]);
  expect(await all(second)).toEqual([3, 4]);
  expect(await second.findById(4).lean()).toEqual({ _id: 4 });
});

it.each(['with', 'without'])(
  'tells each caller of its own failure, and applies nothing of it after that (%s bulkWrite)',
  async (kind) => {
    if (kind === 'without') withoutBulkWrite();
    const { first, second, insert, all } = notes(`failures_${kind}`);
    const write = createJointWrites(connection);
    await write([insert(first, 5)]);
    const settled = await Promise.allSettled([
      write([insert(first, 1), insert(second, 1)]),
      write([insert(second, 2), insert(first, 5), insert(second, 3)]),
      write([insert(second, 4), insert(first, 4)]),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(settled[1]?.status === 'rejected' && isDuplicateKey(settled[1].reason)).toBe(true);
    expect([await all(first), await all(second)]).toEqual([
      [1, 4, 5],
      [1, 2, 4],
    ]);
  },
);

it.each(['with', 'without'])(
  'a write that is too large to be sent fails its caller only, and nothing is written twice (%s bulkWrite)',
  async (kind) => {
    if (kind === 'without') withoutBulkWrite();
    const { first, second, insert, all } = notes(`large_${kind}`);
    const write = createJointWrites(connection);
    const large = 'x'.repeat(17 * 1024 * 1024);
    const counted = (_id: number) =>
      writeOf(second, { updateOne: { filter: { _id }, update: { $inc: { count: 1 } }, upsert: true } });
    const settled = await Promise.allSettled([
      write([insert(first, 1), counted(1)]),
      write([insert(second, 2), insert(first, 2, large)]),
      write([counted(3), insert(first, 3)]),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await all(first)).toEqual([1, 3]);
    expect(await second.find({ count: { $exists: true } }).lean()).toEqual([
      { _id: 1, count: 1 },
      { _id: 3, count: 1 },
    ]);
  },
);

it('applies an upsert again whose insert lost a race, and nothing before it twice', async () => {
  const { first, second } = notes('race');
  const write = createJointWrites(connection);
  const add = (model: typeof first, _id: number) =>
    writeOf(model, {
      updateOne: { filter: { _id, count: { $gte: 0 } }, update: { $inc: { count: 1 } }, upsert: true },
    });
  await write([add(second, 1)]);
  // The record that the filter does not find appears as one that another process has inserted meanwhile.
  await second.updateOne({ _id: 1 }, { $unset: { count: 1 } });
  const lost = write([add(first, 1), add(second, 1)]);
  await expect(lost).rejects.toThrow();
  expect(await first.findById(1).lean()).toMatchObject({ count: 1 });
});
