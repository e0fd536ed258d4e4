import { spawnSync } from 'node:child_process';
import { Schema, type Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { thisProcess } from '../../platform/leases/process-identity.ts';
import { newTestDatabase } from '../../testing/test-database.ts';
import { connectDatabase } from '../../platform/database/connection.ts';
import { describeLease } from '../../platform/leases/testing/lease-suite.ts';
import { latestOf, migrate, migrationLeases, ReleaseMismatchError } from './migrate.ts';
import { migrations, type Migration } from './migrations.ts';

let one: Connection;
let other: Connection;
beforeAll(async () => {
  const uri = newTestDatabase();
  [one, other] = await Promise.all([connectDatabase(uri), connectDatabase(uri)]);
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
});
beforeEach(async () => {
  await one.collection('migrations').deleteMany({});
});

const state = () => one.collection<{ _id: string; version: number }>('migrations').findOne({ _id: 'state' });
const recording = (runs: number[], versions: number[]): Migration[] =>
  versions.map((version) => ({
    version,
    phase: 'expand',
    name: `number ${version}`,
    async up() {
      await new Promise((resolve) => setTimeout(resolve, 50));
      runs.push(version);
    },
  }));

test('two concurrent starts run each migration once, in order', async () => {
  const runs: number[] = [];
  const migrations = recording(runs, [1, 2, 3]);
  expect(await Promise.all([migrate(one, migrations), migrate(other, migrations)])).toEqual([3, 3]);
  expect(runs).toEqual([1, 2, 3]);
  expect(await state()).toMatchObject({ version: 3 });
});

test('a later start runs only new migrations', async () => {
  const runs: number[] = [];
  await migrate(one, recording(runs, [1, 2]));
  await migrate(one, recording(runs, [1, 2, 3]));
  expect(runs).toEqual([1, 2, 3]);
});

test('a failed migration stops the start, keeps the previous version, and releases the lock', async () => {
  const runs: number[] = [];
  const failing: Migration = {
    version: 2,
    phase: 'expand',
    name: 'fails',
    async up() {
      throw new Error('broken');
    },
  };
  await expect(migrate(one, [...recording(runs, [1]), failing])).rejects.toThrow('broken');
  expect(await state()).toMatchObject({ version: 1 });
  expect(await migrate(other, recording(runs, [1, 2]))).toBe(2);
});

test("a killed process's lock is taken over when it expires", async () => {
  const dead = { version: 0, locked_by: 'dead', locked_until: new Date(Date.now() + 300) };
  await one.collection<{ _id: string }>('migrations').insertOne({ _id: 'state', ...dead });
  expect(await migrate(one, recording([], [1]))).toBe(1);
});

const states = () =>
  one.collection<{ _id: string; locked_by?: string; locked_until?: Date; version: number }>('migrations');

test('a killed process of this machine keeps no other one waiting', async () => {
  const ended = spawnSync(process.execPath, ['--version']).pid;
  const locked_by = JSON.stringify({ ...thisProcess, instance: 'ended', pid: ended, claim: 'a' });
  const locked_until = new Date(Date.now() + 3_600_000);
  await states().insertOne({ _id: 'state', version: 0, locked_by, locked_until });
  expect(await migrate(one, recording([], [1]))).toBe(1);
});

test('a process on another machine waits less than ten seconds after the holder was killed', async () => {
  let lastsMs = Infinity;
  const looking: Migration = {
    ...recording([], [1])[0]!,
    async up() {
      lastsMs = (await states().findOne({}))!.locked_until!.getTime() - Date.now();
    },
  };
  await migrate(one, [looking]);
  expect(lastsMs).toBeLessThan(10_000);
});

test('a process that stood still while another one took over writes nothing, and goes on when that one is done', async () => {
  const items = one.collection<{ _id: number; by: string }>('written');
  const schema = new Schema({ _id: Number, by: String }, { collection: 'written' });
  const model = (connection: Connection) => connection.model('Written', schema);
  const refused: unknown[] = [];
  let attempts = 0;
  const standing: Migration = {
    ...recording([], [1])[0]!,
    async up(connection) {
      attempts += 1;
      if (attempts > 1) return;
      await items.insertMany([1, 2, 3].map((_id) => ({ _id, by: 'nobody' })));
      // Another machine took over meanwhile, and has almost finished.
      const until = new Date(Date.now() + 300);
      await states().updateOne({}, { $set: { locked_by: 'another machine', locked_until: until } });
      vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
      const writes = [
        () => connection.collection<{ _id: number }>('written').updateOne({ _id: 1 }, { $set: { by: 'former' } }),
        () => model(connection).updateMany({}, { $set: { by: 'former' } }),
        () => model(connection).bulkWrite([{ deleteOne: { filter: { _id: 3 } } }]),
      ];
      for (const write of writes) await write().catch((error: unknown) => refused.push(error));
      vi.restoreAllMocks();
      throw refused.at(-1);
    },
  };
  expect(await migrate(one, [standing])).toBe(1);
  expect({ attempts, refused: refused.length }).toEqual({ attempts: 2, refused: 3 });
  expect(await items.find().toArray()).toMatchObject([1, 2, 3].map((_id) => ({ _id, by: 'nobody' })));
});

/** Takes away what only releases read that do not know `after`. */
const contracting = (runs: number[], version: number, after: number): Migration => ({
  ...recording(runs, [version])[0]!,
  phase: 'contract',
  after,
});

test('a release starts beside a newer one that has only extended the database, and learns its version', async () => {
  const runs: number[] = [];
  await migrate(one, recording(runs, [1, 2, 3]));
  expect(await migrate(other, recording(runs, [1, 2]))).toBe(3);
  expect(runs).toEqual([1, 2, 3]);
  expect(await state()).toMatchObject({ version: 3 });
});

test('a release that reads what was taken away changes nothing and names the cure', async () => {
  await migrate(one, [...recording([], [1, 2, 3]), contracting([], 4, 3)]);
  expect(await migrate(other, recording([], [1, 2, 3]))).toBe(4);
  const before = await state();
  const older = migrate(other, recording([], [1, 2]));
  await expect(older).rejects.toThrow(ReleaseMismatchError);
  await expect(older).rejects.toThrow(
    /at version 4 and needs a release that knows version 3; this release knows 2: .*restore the back-up/,
  );
  expect(await state()).toEqual(before);
});

test('nothing is taken away while a process runs that reads it', async () => {
  const runs: number[] = [];
  const newest = [...recording(runs, [1, 2, 3]), contracting(runs, 4, 3)];
  const identity = { machine: 'box', pid: 7, instance: 'i' };
  const running = (databaseVersion: number) => async () => [
    { release: '0.1.0', databaseVersion, servesApi: true, identity },
  ];
  await expect(migrate(one, newest, running(2))).rejects.toThrow(
    /^A process of release 0\.1\.0 runs \(process 7 on box\).*Stop the older release first/u,
  );
  expect(runs).toEqual([1, 2, 3]);
  expect(await migrate(one, newest, running(3))).toBe(4);
  expect(runs).toEqual([1, 2, 3, 4]);
});

test('a release takes away only what the release before no longer reads, and says so', () => {
  for (const migration of migrations) {
    if (migration.phase === 'contract') expect(migration.after).toBeLessThanOrEqual(migration.version);
  }
  expect(latestOf(migrations)).toBe(migrations.length);
});

test('the indexes of the models are created', async () => {
  one.model('Item', new Schema({ name: String }, { collection: 'items' }).index({ name: 1 }, { unique: true }));
  await migrate(one, []);
  await one.collection('items').insertOne({ name: 'a' });
  await expect(one.collection('items').insertOne({ name: 'a' })).rejects.toMatchObject({ code: 11_000 });
});

describeLease('the migrations', async () => {
  const job = { _id: 'state' };
  const states = one.collection<{ _id: string }>('migrations');
  await states.insertOne(job);
  return {
    claim: async () => (await migrationLeases(other).claim(job, { milliseconds: 60_000 }))?.token,
    renew: async (token) => (await migrationLeases(one).renew(job, token, 60_000)) !== undefined,
    write: async (token) => await migrationLeases(one).write(job, token, { $set: { version: 1 } }),
    release: async (token) => void (await migrationLeases(one).release(job, token)),
    expire: async () => void (await states.updateOne(job, { $set: { locked_until: new Date(0) } })),
  };
});
