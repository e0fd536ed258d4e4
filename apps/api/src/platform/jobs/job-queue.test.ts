import { setTimeout as sleep } from 'node:timers/promises';
import { Agenda } from 'agenda';
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
function startProcess(
  options: { pollMs?: number; lockMs?: number; isPaused?: () => boolean; isQuiet?: () => boolean } = {},
): JobQueue {
  const database = () => openDatabase(connection);
  const queue = createJobQueue({ database, log, pollMs: 200, stopWithinMs: 300, ...options });
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
const waiting = (name: string) => connection.collection('jobs').countDocuments({ name, lockedAt: null });
const locked = (name: string) => connection.collection('jobs').countDocuments({ name, lockedAt: { $ne: null } });
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

test('a job that another process woke runs here', async () => {
  const ran = vi.fn<Job['run']>(async () => undefined);
  await startProcess().start([job(ran)]);
  const before = ran.mock.calls.length;
  await startProcess().wake('work');
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBe(before + 1);
});

test('no job starts during a pause, and its work is found afterwards', async () => {
  let isPaused = true;
  const ran = vi.fn<Job['run']>(async () => undefined);
  const worker = startProcess({ isPaused: () => isPaused });
  await worker.start([job(ran)]);
  await worker.wake('work');
  worker.poll('work');
  await sleep(600);
  expect(ran).not.toHaveBeenCalled();
  isPaused = false;
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(0);
});

test('a write wakes a job of its own process without a command, and is offered to all if that has no room', async () => {
  const ran = vi.fn<Job['run']>(async () => undefined);
  const own = job(ran, { wokenBy: ['apples'], concurrency: 1 });
  const worker = startProcess({ pollMs: 60_000 });
  await worker.start([own]);
  await expect.poll(() => worker.running()).toMatchObject([{ count: 0 }]);
  const before = ran.mock.calls.length;
  const commands: string[] = [];
  const note = ({ commandName, command }: mongo.CommandStartedEvent) => {
    // The sweep renews its lock meanwhile.
    if (Object.values(command)[0] === 'jobs' && !['find', 'update'].includes(commandName)) commands.push(commandName);
  };
  connection.getClient().on('commandStarted', note);
  const write = worker.wakeOnWrites([own]);
  write('apples');
  await expect.poll(() => ran.mock.calls.length).toBe(before + 1);
  connection.getClient().off('commandStarted', note);
  expect(commands).toEqual([]);

  let end = (): void => undefined;
  ran.mockImplementation(() => new Promise<void>((resolve) => (end = resolve)));
  worker.poll('work');
  await expect.poll(() => worker.running()).toMatchObject([{ count: 1 }]);
  const other = vi.fn<Job['run']>(async () => undefined);
  await startProcess().start([job(other)]);
  const otherBefore = other.mock.calls.length;
  write('apples');
  await expect.poll(() => other.mock.calls.length, { timeout: 10_000 }).toBe(otherBefore + 1);
  end();
});

test('a job that this process woke runs at once', async () => {
  const ran = vi.fn<Job['run']>(async () => undefined);
  const worker = startProcess({ pollMs: 60_000 });
  await worker.start([job(ran)]);
  const before = ran.mock.calls.length;
  await worker.wake('work');
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBe(before + 1);
  // It is done, so nothing waits for another process.
  await expect.poll(() => waiting('work')).toBe(0);
});

test('a run is a job of Agenda, locked while it runs', async () => {
  const worker = startProcess({ lockMs: 600 });
  await worker.start([job(untilAborted)]);
  await worker.wake('work');
  await expect.poll(() => locked('work')).toBe(1);
  const [before] = await connection.collection('jobs').find({ name: 'work' }).toArray();
  await expect
    .poll(async () => (await connection.collection('jobs').findOne({ _id: before!._id }))?.lockedAt?.getTime())
    .toBeGreaterThan(before!['lockedAt'].getTime());
  expect(worker.running()).toMatchObject([{ name: 'work', count: 2 }]);
});

test('without Agenda nothing runs after the start', async () => {
  vi.spyOn(Agenda.prototype, 'start').mockResolvedValue(undefined);
  const ran = vi.fn<Job['run']>(async () => undefined);
  const worker = startProcess();
  await worker.start([job(ran, { everyMs: 50 })]);
  vi.restoreAllMocks();
  await worker.wake('work');
  await sleep(400);
  expect(ran).toHaveBeenCalledTimes(1);
});

test('two processes do a job that was woken once one time', async () => {
  const ran = vi.fn<Job['run']>(async () => undefined);
  await startProcess().start([job(ran)]);
  await startProcess().start([job(ran)]);
  const before = ran.mock.calls.length;
  await startProcess().wake('work');
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBe(before + 1);
  await sleep(500);
  expect(ran.mock.calls.length).toBe(before + 1);
});

test('while no process starts or ends, the sweep is rare for jobs that only a lost wake-up leaves work for', async () => {
  let isQuiet = true;
  const [rare, usual] = [vi.fn<Job['run']>(async () => undefined), vi.fn<Job['run']>(async () => undefined)];
  await startProcess({ isQuiet: () => isQuiet }).start([
    job(rare, { name: 'rare', everyMs: 50, quietEveryMs: 3_600_000 }),
    job(usual, { everyMs: 50 }),
  ]);
  await expect.poll(() => usual.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(3);
  // Each looks once when the process starts.
  expect(rare).toHaveBeenCalledTimes(1);
  isQuiet = false;
  await expect.poll(() => rare.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(2);
});

test('of two processes, one sweeps', async () => {
  const runs = [vi.fn<Job['run']>(async () => undefined), vi.fn<Job['run']>(async () => undefined)];
  for (const run of runs) await startProcess().start([job(run, { everyMs: 100 })]);
  await sleep(600);
  const counts = runs.map((run) => run.mock.calls.length).toSorted((a, b) => a - b);
  // Each looks once when it starts.
  expect(counts[0]).toBe(1);
  expect(counts[1]).toBeGreaterThan(3);
});

test('another process sweeps when the one that did was killed', async () => {
  await startProcess({ lockMs: 500 }).start([]);
  const [record] = await connection.collection('jobs').find({ name: 'sweep' }).toArray();
  await queues.pop()!.stop();
  await connection.collection('jobs').updateOne({ _id: record!._id }, { $set: { lockedAt: new Date() } });
  const ran = vi.fn<Job['run']>(async () => undefined);
  await startProcess({ lockMs: 500 }).start([job(ran, { everyMs: 100 })]);
  await expect.poll(() => ran.mock.calls.length, { timeout: 5_000 }).toBeGreaterThan(2);
});

test('one query asks for the jobs of all names, and all that wait are found', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `work-${at}`);
  const ran: string[] = [];
  const jobs = names.map((name) => job(async () => void ran.push(name), { name }));
  await startProcess().start(jobs);
  await sleep(300);
  ran.length = 0;
  let commands = 0;
  const count = ({ command }: mongo.CommandStartedEvent) => {
    if (Object.values(command)[0] === 'jobs') commands += 1;
  };
  connection.getClient().on('commandStarted', count);
  await sleep(1_000);
  connection.getClient().off('commandStarted', count);
  // Five polls.
  expect(commands).toBeLessThan(names.length);
  const other = startProcess();
  await Promise.all(names.map((name) => other.wake(name)));
  await expect.poll(() => ran.toSorted(), { timeout: 10_000 }).toEqual(names.toSorted());
});

test('a repeating job of an older version does not stand for one that was woken', async () => {
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

test('waiting jobs do not pile up', async () => {
  const web = startProcess();
  for (let count = 0; count < 20; count += 1) await web.wake('work');
  expect(await waiting('work')).toBe(1);
});

test('a process whose runs all hang does not block another', async () => {
  const stuck = startProcess();
  const hang = vi.fn<Job['run']>(untilAborted);
  await stuck.start([job(hang, { everyMs: 200 })]);
  await stuck.wake('work');
  await expect.poll(() => stuck.running()).toMatchObject([{ name: 'work', count: 2 }]);
  const ran = vi.fn<Job['run']>(async () => undefined);
  await startProcess().start([job(ran)]);
  // The process that hangs has the sweep, and passes the job on.
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(2);
  expect(hang).toHaveBeenCalledTimes(2);
});

test('locks of a killed process and times from a clock that ran ahead keep no job from running', async () => {
  const far = new Date(Date.now() + 365 * 86_400_000);
  const record = { type: 'normal', priority: 0, data: {} };
  await connection.collection('jobs').insertMany([
    { ...record, name: 'sweep', repeatInterval: '15000', lockedAt: far, nextRunAt: new Date(0) },
    { ...record, name: 'work', lockedAt: new Date(0), nextRunAt: new Date(0) },
    { ...record, name: 'other', lockedAt: null, nextRunAt: far },
  ]);
  const ran = vi.fn<Job['run']>(async () => undefined);
  const other = vi.fn<Job['run']>(async () => undefined);
  await startProcess().start([job(ran, { everyMs: 200 }), job(other, { name: 'other' })]);
  await expect.poll(() => ran.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(3);
  expect(other.mock.calls.length).toBe(2);
});

test('a job that is woken during a run leads to one more run, which sees its cause', async () => {
  const gates: (() => void)[] = [];
  const ran = vi.fn<Job['run']>(() => new Promise<void>((resolve) => gates.push(resolve)));
  const worker = startProcess({ pollMs: 60_000 });
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
