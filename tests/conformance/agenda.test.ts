import { MongoBackend } from '@agendajs/mongo-backend';
import { startTestDatabase, type TestDatabase } from '@docwright/embedded-mongo/testing';
import { Agenda, type Job } from 'agenda';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

let database: TestDatabase;
let client: MongoClient;
let agendas: Agenda[];
let tests = 0;
/** Commands without an answer. */
let open = 0;
/** One for each test: a stopped worker can still have a poll on its way, which a dropped collection would fail. */
let name: string;

beforeAll(async () => {
  database = await startTestDatabase();
  client = new MongoClient(database.uri, { monitorCommands: true });
  client.on('commandStarted', () => (open += 1));
  for (const end of ['commandSucceeded', 'commandFailed'] as const) client.on(end, () => (open -= 1));
  await client.connect();
});

afterAll(async () => {
  // A poll that a stopped worker still has on its way would fail, which nobody waits for.
  await vi.waitFor(() => expect(open).toBe(0), 5_000);
  await client.close();
  await database.stop();
});

beforeEach(() => {
  agendas = [];
  name = `agenda-${(tests += 1)}`;
});

afterEach(async () => {
  await Promise.all(agendas.map((agenda) => agenda.stop()));
});

async function startWorker(run: (job: Job<{ n: number }>) => void): Promise<Agenda> {
  const agenda = new Agenda({ backend: new MongoBackend({ mongo: client.db(name) }), processEvery: 50 });
  agenda.on('error', (error) => {
    throw error;
  });
  agenda.define('work', run);
  await agenda.start();
  agendas.push(agenda);
  return agenda;
}

test('jobs run now, later and repeatedly', async () => {
  const ran: number[] = [];
  const agenda = await startWorker((job) => {
    ran.push(job.attrs.data.n);
  });
  await agenda.now('work', { n: 1 });
  await agenda.schedule(new Date(Date.now() + 200), 'work', { n: 2 });
  await agenda.every('0.3 seconds', 'work', { n: 3 });
  await expect.poll(() => [1, 2, 3].filter((n) => ran.includes(n)), { timeout: 5000 }).toEqual([1, 2, 3]);
  await expect.poll(() => ran.filter((n) => n === 3).length, { timeout: 5000 }).toBeGreaterThan(2);
});

test('of several workers, one takes each job', async () => {
  const ran: number[] = [];
  const run = (job: Job<{ n: number }>): void => {
    ran.push(job.attrs.data.n);
  };
  const [agenda] = await Promise.all([startWorker(run), startWorker(run), startWorker(run)]);
  const wanted = Array.from({ length: 40 }, (_, n) => n);
  await Promise.all(wanted.map((n) => agenda.now('work', { n })));
  await expect.poll(() => ran.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(wanted.length);
  expect([...ran].sort((a, b) => a - b)).toEqual(wanted);
});

test('a failed job stays stored with the reason', async () => {
  const agenda = await startWorker(() => {
    throw new Error('no paper');
  });
  agenda.removeAllListeners('error');
  await agenda.now('work', { n: 1 });
  await expect
    .poll(async () => (await agenda.queryJobs({ name: 'work' })).jobs[0]?.failReason, { timeout: 5000 })
    .toContain('no paper');
  expect(await agenda.cancel({ name: 'work' })).toBe(1);
});
