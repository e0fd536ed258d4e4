import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, mongo } from 'mongoose';
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

/** A queue as another process on the database would have it. */
function startProcess(): JobQueue {
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

test('a wake-up reaches the processes that run the job, also from a process that does not', async () => {
  const ran = vi.fn<Job['run']>(async () => undefined);
  await startProcess().start([job(ran)]);
  const before = ran.mock.calls.length;
  await startProcess().wake('work');
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBe(before + 1);
});

test('one poll asks for the wake-ups of all jobs, and finds all of them', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `work-${at}`);
  const ran: string[] = [];
  const jobs = names.map((name) => job(async () => void ran.push(name), { name }));
  await startProcess().start(jobs);
  ran.length = 0;
  let claims = 0;
  const count = ({ commandName, command }: mongo.CommandStartedEvent) => {
    if (commandName === 'findAndModify' && command['findAndModify'] === 'jobs') claims += 1;
  };
  connection.getClient().on('commandStarted', count);
  await sleep(1_000);
  connection.getClient().off('commandStarted', count);
  // Five polls.
  expect(claims).toBeLessThan(names.length);
  const other = startProcess();
  await Promise.all(names.map((name) => other.wake(name)));
  await expect.poll(() => ran.toSorted(), { timeout: 1_500 }).toEqual(names.toSorted());
});

test('a repeating job of an older version does not replace a wake-up', async () => {
  const repeated = {
    name: 'work',
    type: 'single',
    repeatInterval: '1 minute',
    nextRunAt: new Date(Date.now() + 60_000),
  };
  await connection.collection('jobs').insertOne({ ...repeated, lockedAt: null, priority: 0 });
  const ran = vi.fn<Job['run']>(async () => undefined);
  await startProcess().start([job(ran)]);
  const before = ran.mock.calls.length;
  await startProcess().wake('work');
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBe(before + 1);
});

test('pending wake-ups do not pile up', async () => {
  const web = startProcess();
  for (let count = 0; count < 20; count += 1) await web.wake('work');
  expect(await connection.collection('jobs').countDocuments()).toBe(1);
});

test('a process whose runs all hang does not block another', async () => {
  const stuck = startProcess();
  const hang = vi.fn<Job['run']>(untilAborted);
  await stuck.start([job(hang)]);
  await stuck.wake('work');
  expect(stuck.running()).toMatchObject([{ name: 'work', count: 2 }]);
  const ran = vi.fn<Job['run']>(async () => undefined);
  await startProcess().start([job(ran, { everyMs: 500 })]);
  const before = ran.mock.calls.length;
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(before);
  expect(hang).toHaveBeenCalledTimes(2);
});

test('locks of a killed process and times from a clock that ran ahead do not stop the polling', async () => {
  const ran = vi.fn<Job['run']>(async () => undefined);
  await startProcess().start([job(ran, { everyMs: 200 })]);
  const wakeUp = { name: 'wake-up', data: { job: 'work' }, type: 'normal', priority: 0 };
  const far = new Date(Date.now() + 365 * 86_400_000);
  await connection.collection('jobs').insertMany([
    { ...wakeUp, lockedAt: new Date(), nextRunAt: new Date(0) },
    { ...wakeUp, lockedAt: null, nextRunAt: far },
  ]);
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(2);
});

test('a wake-up during a run leads to one more run, which sees its cause', async () => {
  const gates: (() => void)[] = [];
  const ran = vi.fn<Job['run']>(() => new Promise<void>((resolve) => gates.push(resolve)));
  const worker = startProcess();
  await worker.start([job(ran, { concurrency: 1 })]);
  await worker.wake('work');
  await sleep(50);
  expect(ran).toHaveBeenCalledTimes(1);
  gates[0]?.();
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBe(2);
  await sleep(50);
  for (const open of gates) open();
});

test('a failed run is logged and the job continues', async () => {
  const ran = vi.fn<Job['run']>().mockRejectedValueOnce(new Error('broken')).mockResolvedValue(undefined);
  await startProcess().start([job(ran, { everyMs: 200 })]);
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(1);
  expect(log.error).toHaveBeenCalledWith(expect.objectContaining({ job: 'work' }), 'a job failed');
});

test('a stop does not wait for ever for a hanging run', async () => {
  const worker = startProcess();
  await worker.start([job(() => new Promise<void>(() => undefined))]);
  const startedAt = performance.now();
  await worker.stop();
  queues = [];
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  expect(log.warn).toHaveBeenCalledWith(expect.anything(), 'jobs did not end in time and are abandoned');
});
