import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newId } from '../../platform/database/object-id.ts';
import { logCommands } from '../../testing/database-use/command-log.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createClaimRepository, type ClaimedRun, type ClaimRepository, type RunOutcome } from './claim-repository.ts';
import { documentRunModel } from './document-run-model.ts';
import { createDocumentRunRepository, type DocumentRunRepository } from './document-run-repository.ts';
import { createHeadlessWorker, type HeadlessWorker, type WorkerLimits } from './headless-worker.ts';
import type { RunControl } from './run-document.ts';
import { stopReasonOf } from './run-stop.ts';

const limits: WorkerLimits = { runs: 4, runsOfOrganization: 3, renewEveryMs: 20, giveUpAfterMs: 1_500 };
const leaseMs = 2_500;
const done: RunOutcome = { state: 'succeeded', error: null, proposal: null, log: [], spuUsed: 0 };
const noop = async () => undefined;
const log = { warn: () => undefined, error: () => undefined };

let connection: Connection;
let runs: DocumentRunRepository;
let claims: ClaimRepository;
let workers: HeadlessWorker[];
beforeEach(async () => {
  connection = await connectTestDatabase();
  await documentRunModel(connection).createIndexes();
  runs = createDocumentRunRepository(connection);
  claims = createClaimRepository(connection, leaseMs);
  workers = [];
});
afterEach(async () => {
  vi.useRealTimers();
  for (const worker of workers) await worker.stop();
  await connection.close();
});

type RunDocument = (run: ClaimedRun, control: RunControl) => Promise<boolean>;

function startWorker(runDocument: RunDocument, changed: Partial<ClaimRepository> = {}): HeadlessWorker {
  const own = { ...claims, ...changed };
  const worker = createHeadlessWorker({
    claims: own,
    runDocument,
    onStarted: noop,
    onEnded: noop,
    limits,
    log,
  });
  workers.push(worker);
  worker.start();
  return worker;
}

async function queue(organizationId: string, count = 1): Promise<void> {
  const input = { kind: 'agent' as const, organizationId, requestedBy: newId(), role: 'member' as const };
  for (let at = 0; at < count; at += 1) await runs.insert({ ...input, documentId: newId() });
}

const untilStopped = (control: RunControl) =>
  new Promise<void>((resolve) => control.signal.addEventListener('abort', () => resolve()));

it('executes each run once, whatever the number of workers', async () => {
  await queue(newId(), 40);
  const startedIds: string[] = [];
  const work: RunDocument = async (run) => {
    startedIds.push(run.id);
    await sleep(1);
    return await claims.finish(run, done);
  };
  for (let at = 0; at < 3; at += 1) startWorker(work);
  await expect
    .poll(() => documentRunModel(connection).countDocuments({ state: 'succeeded' }), { timeout: 10_000 })
    .toBe(40);
  expect([startedIds.length, new Set(startedIds).size]).toEqual([40, 40]);
});

it('gives a dead worker’s run to another, and serves a small organization before a large one', async () => {
  const [many, few] = [newId(), newId()];
  await queue(many, 20);
  await claims.claimNext([]);
  await queue(few);
  const order: { organizationId: string; attempts: number }[] = [];
  startWorker(async (run) => {
    order.push(run);
    return await claims.finish(run, done);
  });
  await expect.poll(() => order.length, { timeout: 10_000 }).toBe(21);
  expect(order.findIndex(({ organizationId }) => organizationId === few)).toBeLessThan(3);
  expect(order.at(-1)).toMatchObject({ attempts: 2 });
});

it('a living worker keeps its run, whatever the clocks say, and ends it when the lease is lost', async () => {
  await queue(newId());
  let isHeldUp = false;
  const ends: string[] = [];
  const held: RunDocument = async (_, control) => {
    await untilStopped(control);
    ends.push(String(stopReasonOf(control.signal)));
    await expect(control.requireLease()).rejects.toThrow();
    return false;
  };
  const renew: ClaimRepository['renew'] = async (run) => {
    if (isHeldUp) throw new Error('The database does not answer.');
    return await claims.renew(run);
  };
  const claimNext: ClaimRepository['claimNext'] = async (without) =>
    isHeldUp ? undefined : await claims.claimNext(without);
  startWorker(held, { renew, claimNext });
  await sleep(100);
  const taken: ClaimedRun[] = [];
  startWorker(async (run) => {
    taken.push(run);
    return await claims.finish(run, done);
  });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 365 * 24 * 3_600_000 });
  await sleep(leaseMs * 1.2);
  expect(taken).toEqual([]);
  isHeldUp = true;
  await expect.poll(() => taken.length, { timeout: 10_000 }).toBe(1);
  expect(ends).toEqual(['lost']);
  expect(taken[0]).toMatchObject({ attempts: 2 });
});

it('requeues running work when its process stops, without counting the attempt', async () => {
  await queue(newId());
  const worker = startWorker(async (run, control) => {
    await untilStopped(control);
    await claims.release(run);
    return false;
  });
  await expect.poll(() => documentRunModel(connection).countDocuments({ state: 'running' })).toBe(1);
  await worker.stop();
  expect(await claims.claimNext([])).toMatchObject({ attempts: 1 });
});

it('a poll of a worker without work is one read', async () => {
  startWorker(async () => true);
  await expect.poll(() => claims.hasOthers([])).toBe(false);
  const logged = logCommands(connection);
  // A claim of before can still be under way.
  const lastThree = () => logged.commands.slice(-3).map(({ name }) => name);
  await expect.poll(lastThree).toEqual(['find', 'find', 'find']);
  logged.stop();
});
