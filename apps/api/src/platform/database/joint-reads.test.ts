import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { mongo, Schema, type Connection } from 'mongoose';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { logCommands } from '../../testing/database-use/command-log.ts';
import { readTogether } from './joint-reads.ts';

interface Item {
  number: number;
  owner: string;
}

let connection: Connection;
const modelOf = (name: string) =>
  connection.model<Item>(name, new Schema<Item>({ number: Number, owner: String }), name);

beforeAll(async () => {
  connection = await connectTestDatabase();
  const items = Array.from({ length: 5 }, (_, number) => ({ number, owner: number % 2 === 0 ? 'a' : 'b' }));
  await modelOf('apples').insertMany(items);
  await modelOf('pears').insertMany(items.slice(0, 2));
});
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

it('reads what starts in one turn of the event loop with one command, each with its own filter, order and fields', async () => {
  const log = logCommands(connection);
  const [apples, pears, none, all] = await Promise.all([
    readTogether(
      modelOf('apples'),
      { owner: 'a' },
      { sort: { number: -1 }, limit: 2, projection: { _id: 0, number: 1 } },
    ),
    Promise.resolve().then(() => readTogether(modelOf('pears'), {}, { projection: { owner: 0, __v: 0, _id: 0 } })),
    readTogether(modelOf('plums'), { owner: 'a' }),
    readTogether(modelOf('apples'), {}),
  ]);
  log.stop();
  expect(apples).toEqual([{ number: 4 }, { number: 2 }]);
  expect(pears).toEqual([{ number: 0 }, { number: 1 }]);
  expect(none).toEqual([]);
  expect(new Set(all.map(({ number }) => number))).toEqual(new Set([0, 1, 2, 3, 4]));
  expect(log.commands.map(({ name, collections }) => [name, ...collections])).toEqual([
    ['aggregate', 'apples', 'plums', 'apples', 'pears'],
  ]);
});

it('sees the writes before its request, and fails only the reads that the database refuses', async () => {
  await modelOf('apples').updateOne({ number: 0 }, { owner: 'c' });
  const [refused, changed] = await Promise.allSettled([
    readTogether(modelOf('pears'), { number: { $unknown: 1 } } as never),
    readTogether(modelOf('apples'), { owner: 'c' }),
  ]);
  expect(refused.status).toBe('rejected');
  expect(changed).toMatchObject({ status: 'fulfilled', value: [{ number: 0, owner: 'c' }] });
});

it('asks an unreachable database only once', async () => {
  const apples = modelOf('apples');
  const away = new mongo.MongoNetworkError('away');
  const aggregate = vi.spyOn(apples.collection, 'aggregate').mockImplementation(() => {
    throw away;
  });
  const find = vi.spyOn(apples.collection, 'find');
  const reads = await Promise.allSettled([readTogether(apples, { owner: 'a' }), readTogether(apples, { owner: 'b' })]);
  expect(reads).toEqual([1, 2].map(() => ({ status: 'rejected', reason: away })));
  expect([aggregate.mock.calls.length, find.mock.calls.length]).toEqual([1, 0]);
  vi.restoreAllMocks();
});

it('fails only the read whose filter cannot be made', async () => {
  const broken = () => {
    throw new Error('No filter.');
  };
  const [refused, found] = await Promise.allSettled([
    readTogether(modelOf('pears'), broken),
    readTogether(modelOf('pears'), {}),
  ]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { message: 'No filter.' } });
  expect(found).toMatchObject({ status: 'fulfilled', value: [{ number: 0 }, { number: 1 }] });
});
