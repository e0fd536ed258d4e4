import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import { expect, test, vi } from 'vitest';
import { createReadiness } from '../platform/http/readiness.ts';
import { keepReserve, watchDatabase } from './watch-database.ts';

/** A connection whose writes are the test's, on a server that answers every other command. */
function connectionWith(
  write: () => Promise<unknown>,
  integrity: object | (() => object) = { state: 'sound' },
): Connection {
  const db = {
    collection: () => ({ updateOne: write }),
    admin: () => ({ command: async () => (typeof integrity === 'function' ? integrity() : integrity) }),
  };
  return { db } as unknown as Connection;
}

const refusal = (code: number) => async () => {
  throw new mongoose.mongo.MongoServerError({ message: 'refused', code, ok: 0 });
};

test.each([
  ['a full disk', connectionWith(refusal(14_031)), 'disk'],
  ['a gateway without its database', connectionWith(refusal(6)), 'database'],
  ['a damaged file', connectionWith(async () => undefined, { state: 'damaged', problem: 'row missing' }), 'database'],
])('/ready reports %s', async (_name, connection, part) => {
  const readiness = createReadiness([]);
  const log = { error: vi.fn(), info: vi.fn() };
  const stop = watchDatabase(connection, readiness, log, { everyMs: 5 });
  await expect.poll(() => readiness.missing()).toEqual([part]);
  await stop();
  // Logged once, not at every probe.
  expect(log.error).toHaveBeenCalledOnce();
});

test('a recovered database is ready again', async () => {
  let isFull = true;
  const readiness = createReadiness([]);
  const log = { error: vi.fn(), info: vi.fn() };
  const connection = connectionWith(async () => (isFull ? await refusal(14_031)() : undefined));
  const stop = watchDatabase(connection, readiness, log, { everyMs: 5 });
  await expect.poll(() => readiness.missing()).toEqual(['disk']);
  isFull = false;
  await expect.poll(() => readiness.missing()).toEqual([]);
  await stop();
  expect(log.info).toHaveBeenCalledOnce();
});

test('a sound file is asked about now and then, and damage that is found later is reported', async () => {
  const readiness = createReadiness([]);
  const [write, ask] = [vi.fn(async () => undefined), vi.fn(() => ({ state: 'sound' }))];
  const stop = watchDatabase(connectionWith(write, ask), readiness, { error: vi.fn(), info: vi.fn() }, { everyMs: 1 });
  await expect.poll(() => write.mock.calls.length).toBeGreaterThan(60);
  expect(ask.mock.calls.length).toBeLessThan(write.mock.calls.length / 6);
  ask.mockReturnValue({ state: 'damaged' });
  await expect.poll(() => readiness.missing()).toEqual(['database']);
  await stop();
});

test('a reserve takes space while there is little, and gives it back for deletions', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'docwright-reserve-'));
  const megabytes = 1024 * 1024;
  try {
    await keepReserve(dataDir, 10_000 * megabytes);
    expect(await readdir(dataDir)).toEqual([]);
    await keepReserve(dataDir, 200 * megabytes);
    expect((await stat(path.join(dataDir, 'reserve'))).size).toBe(16 * megabytes);
    await keepReserve(dataDir, 40 * megabytes);
    expect(await readdir(dataDir)).toEqual(['reserve']);
    await keepReserve(dataDir, 31 * megabytes);
    expect(await readdir(dataDir)).toEqual([]);
    // It does not take the space back before there is some.
    await keepReserve(dataDir, 47 * megabytes);
    expect(await readdir(dataDir)).toEqual([]);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
