import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from '../database/connection.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createJobQueue, type JobQueue } from './job-queue.ts';
import type { Job } from './job-runner.ts';

vi.setConfig({ testTimeout: 30_000 });

let connection: Connection;
const log = { warn: vi.fn<() => void>(), error: vi.fn<() => void>() };
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());

let queues: JobQueue[];
beforeEach(() => {
  queues = [];
});
afterEach(async () => {
  await Promise.all(queues.map((queue) => queue.stop()));
  await connection.collection('jobs').deleteMany({});
});

/** One process among several on the database. */
function aProcess(): JobQueue {
  const queue = createJobQueue({ database: () => openDatabase(connection), log, pollMs: 200, stopWithinMs: 300 });
  queues.push(queue);
  return queue;
}

const job = (run: Job['run'], rest: Partial<Job> = {}): Job => ({
  name: 'work',
  everyMs: 3_600_000,
  concurrency: 2,
  run,
  ...rest,
});
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

test('a wake reaches the processes that run the job, from one that runs none too', async () => {
  const ran = vi.fn<Job['run']>(async () => undefined);
  await aProcess().start([job(ran)]);
  const before = ran.mock.calls.length;
  await aProcess().wake('work');
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBe(before + 1);
});

test('what an older version repeated takes the place of no wake', async () => {
  const repeated = {
    name: 'work',
    type: 'single',
    repeatInterval: '1 minute',
    nextRunAt: new Date(Date.now() + 60_000),
  };
  await connection.collection('jobs').insertOne({ ...repeated, lockedAt: null, priority: 0 });
  const ran = vi.fn<Job['run']>(async () => undefined);
  await aProcess().start([job(ran)]);
  const before = ran.mock.calls.length;
  await aProcess().wake('work');
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBe(before + 1);
});

test('wakes that nobody takes do not pile up', async () => {
  const web = aProcess();
  for (let count = 0; count < 20; count += 1) await web.wake('work');
  expect(await connection.collection('jobs').countDocuments()).toBe(1);
});

test('a process all of whose runs hang holds up no other', async () => {
  const stuck = aProcess();
  const hang = vi.fn<Job['run']>(untilAborted);
  await stuck.start([job(hang)]);
  await stuck.wake('work');
  expect(stuck.running()).toMatchObject([{ name: 'work', count: 2 }]);
  const ran = vi.fn<Job['run']>(async () => undefined);
  await aProcess().start([job(ran, { everyMs: 500 })]);
  const before = ran.mock.calls.length;
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(before);
  expect(hang).toHaveBeenCalledTimes(2);
});

test('what a killed process has locked, or a clock that was ahead has put off, is looked at all the same', async () => {
  const ran = vi.fn<Job['run']>(async () => undefined);
  await aProcess().start([job(ran, { everyMs: 200 })]);
  const far = new Date(Date.now() + 365 * 86_400_000);
  await connection.collection('jobs').insertMany([
    { name: 'work', type: 'normal', lockedAt: new Date(), nextRunAt: new Date(0), priority: 0 },
    { name: 'work', type: 'normal', lockedAt: null, nextRunAt: far, priority: 0 },
  ]);
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(2);
});

test('a wake while the last run may not see its cause leads to one more run', async () => {
  const gates: (() => void)[] = [];
  const ran = vi.fn<Job['run']>(() => new Promise<void>((resolve) => gates.push(resolve)));
  const worker = aProcess();
  await worker.start([job(ran, { concurrency: 1 })]);
  await worker.wake('work');
  await sleep(50);
  expect(ran).toHaveBeenCalledTimes(1);
  gates[0]?.();
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBe(2);
  await sleep(50);
  for (const open of gates) open();
});

test('a run that fails is logged and the job goes on', async () => {
  const ran = vi.fn<Job['run']>().mockRejectedValueOnce(new Error('broken')).mockResolvedValue(undefined);
  await aProcess().start([job(ran, { everyMs: 200 })]);
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(1);
  expect(log.error).toHaveBeenCalledWith(expect.objectContaining({ job: 'work' }), 'a job failed');
});

test('a stop does not wait for ever for a run that does not end', async () => {
  const worker = aProcess();
  await worker.start([job(() => new Promise<void>(() => undefined))]);
  const began = performance.now();
  await worker.stop();
  queues = [];
  expect(performance.now() - began).toBeLessThan(3_000);
  expect(log.warn).toHaveBeenCalledWith(expect.anything(), 'jobs did not end in time and are left');
});
