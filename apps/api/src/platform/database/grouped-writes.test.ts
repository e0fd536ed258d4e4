import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import mongoose, { type Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { connectDatabase, isDatabaseUnavailable, isDuplicateKey } from './connection.ts';
import { createGroupedWrites } from './grouped-writes.ts';

interface Note {
  _id: number;
  text?: string | undefined;
}

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => connection.close());

function notes(name: string) {
  const model = connection.model<Note>(name, new mongoose.Schema<Note>({ _id: Number }, { collection: name }));
  const write = createGroupedWrites(model);
  const insert = (_id: number, text?: string) => write([{ insertOne: { document: { _id, text } } }]);
  const ids = async () => (await model.find().sort({ _id: 1 }).lean()).map(({ _id }) => _id);
  return { model, write, insert, ids, commands: vi.spyOn(model.collection, 'bulkWrite') };
}

it('batches the writes of one moment, and those requested during a command', async () => {
  const { insert, ids, commands } = notes('together');
  await Promise.all(Array.from({ length: 250 }, (_, index) => insert(index)));
  expect(commands.mock.calls.map(([operations]) => operations.length)).toEqual([100, 100, 50]);
  expect(await ids()).toHaveLength(250);
  await insert(250);
  expect(commands).toHaveBeenCalledTimes(4);
});

it('rejects exactly the writes that failed, wherever they stand in the batch', async () => {
  const { write, insert, ids } = notes('failures');
  await insert(5);
  const settled = await Promise.allSettled([
    insert(0),
    insert(1),
    write([{ insertOne: { document: { _id: 2 } } }, { insertOne: { document: { _id: 5 } } }]),
    insert(3),
    insert(1),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'rejected']);
  for (const result of settled) if (result.status === 'rejected') expect(isDuplicateKey(result.reason)).toBe(true);
  expect(await ids()).toEqual([0, 1, 2, 3, 5]);
});

it('rejects the whole batch if the command fails, and continues with the next', async () => {
  const { insert, ids, commands } = notes('broken');
  commands.mockRejectedValueOnce(new Error('gone'));
  const next = setImmediate().then(() => insert(3));
  const settled = await Promise.allSettled([insert(1), insert(2), next]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(await ids()).toEqual([3]);
});

it('reports a killed database as unavailable', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'docwright-test-'));
  const lost = await startEmbeddedMongo({ dataDir });
  const away = await connectDatabase(lost.uri);
  const write = createGroupedWrites(away.model<Note>('away', new mongoose.Schema<Note>({ _id: Number })));
  await write([{ insertOne: { document: { _id: 1 } } }]);
  const writing = write([{ insertOne: { document: { _id: 2 } } }]).catch((reason: unknown) => reason);
  process.kill(lost.pid, 'SIGKILL');
  expect(isDatabaseUnavailable(await writing)).toBe(true);
  await away.close();
  // The database has restarted itself by now; it would write into the folder during the removal.
  await lost.stop();
  await rm(dataDir, { recursive: true, force: true });
});

it('omits undefined fields', async () => {
  const { model, insert } = notes('undefined');
  await insert(1);
  expect(await model.findOne().lean()).toEqual({ _id: 1 });
});
