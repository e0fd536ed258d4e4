import type { Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { RunningProcesses } from './running-process-repository.ts';
import { shareOf } from './share-of.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});
beforeEach(async () => {
  await connection.collection('processes').deleteMany({});
});

const onFailure = vi.fn<(error: unknown) => void>();

function processOn(
  machine: string,
  { servesApi = true, runsJobs = true, databaseVersion = 15, pid = 1, instance = machine } = {},
) {
  const identity = { machine, pid, instance };
  return new RunningProcesses(connection, { release: '0.2.0', databaseVersion, servesApi, runsJobs }, identity);
}

test('it is quiet once no process has started or ended for a minute', async () => {
  let nowMs = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const [first, second] = [processOn('a'), processOn('a', { pid: process.pid, instance: 'second' })];
  await first.announce();
  expect(first.isQuiet).toBe(false);
  nowMs += 61_000;
  await first.announce();
  expect(first.isQuiet).toBe(true);
  for (const change of [() => second.announce(), () => second.stop()]) {
    await change();
    await first.announce();
    expect(first.isQuiet).toBe(false);
    nowMs += 61_000;
    expect(first.isQuiet).toBe(true);
  }
  // The end of one on another machine is known too late.
  await processOn('b').announce();
  nowMs += 61_000;
  await first.announce();
  nowMs += 61_000;
  expect(first.isQuiet).toBe(false);
  clock.mockRestore();
});

test('processes count those that serve the API and those that run jobs, until one ends', async () => {
  const [first, second, worker] = [
    processOn('a', { runsJobs: false }),
    processOn('b'),
    processOn('c', { servesApi: false }),
  ];
  expect(first.apiCount).toBe(1);
  for (const started of [first, second, worker]) await started.start(onFailure);
  await first.announce();
  expect([first.apiCount, second.apiCount, worker.apiCount]).toEqual([2, 2, 2]);
  expect([first.workerCount, worker.workerCount]).toEqual([2, 2]);
  expect(await first.others()).toEqual([
    {
      identity: { machine: 'b', pid: 1, instance: 'b' },
      release: '0.2.0',
      databaseVersion: 15,
      servesApi: true,
      runsJobs: true,
    },
    {
      identity: { machine: 'c', pid: 1, instance: 'c' },
      release: '0.2.0',
      databaseVersion: 15,
      servesApi: false,
      runsJobs: true,
    },
  ]);
  await second.stop();
  await first.announce();
  expect(first.apiCount).toBe(1);
  await Promise.all([first.stop(), worker.stop()]);
});

test('a process that was killed is not counted: on this machine at once, on another one when its time is over', async () => {
  const [first, killed] = [processOn('a'), processOn('b')];
  await killed.announce();
  // Its process id is taken by a process that runs now.
  const successor = new RunningProcesses(
    connection,
    { release: '0.2.0', databaseVersion: 15, servesApi: true, runsJobs: true },
    { machine: 'b', pid: 1, instance: 'successor' },
  );
  await successor.announce();
  expect(successor.apiCount).toBe(1);
  await first.announce();
  expect(first.apiCount).toBe(3);
  // A process of a release that does not say it may run jobs.
  await connection.collection('processes').updateMany({}, { $unset: { runs_jobs: 1 } });
  await first.announce();
  expect(first.workerCount).toBe(3);
  await connection
    .collection<{ _id: string; alive_until: Date }>('processes')
    .updateOne({ _id: 'b' }, { $set: { alive_until: new Date(0) } });
  await first.announce();
  expect(first.apiCount).toBe(2);
});

test('the records of processes that ended without a word are removed at the next start', async () => {
  await connection
    .collection<{ _id: string; alive_until: Date }>('processes')
    .insertOne({ _id: 'gone', alive_until: new Date(0) });
  const started = processOn('a');
  await started.start(onFailure);
  const ids = (await connection.collection('processes').find().toArray()).map(({ _id }) => String(_id));
  expect(ids).toEqual(['a']);
  await started.stop();
});

test.each([
  [50, 1, 50],
  [50, 3, 16],
  [2, 3, 1],
])('of a limit of %i, each of %i processes grants %i', (limit, processes, share) => {
  expect(shareOf(limit, processes)).toBe(share);
});
