import type { Connection } from 'mongoose';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newId } from '../../platform/database/object-id.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createClaimRepository, type ClaimRepository, type RunOutcome } from './claim-repository.ts';
import { documentRunModel } from './document-run-model.ts';
import { createDocumentRunRepository, type DocumentRunRepository } from './document-run-repository.ts';
import { createHeadlessWorker, defaultWorkerLimits, type HeadlessWorker } from './headless-worker.ts';

const organization = newId();
const [ada, ben] = [newId(), newId()];
const many = 500;
const done: RunOutcome = { state: 'succeeded', error: null, proposal: null, log: [], spuUsed: 0 };
const noop = async () => undefined;
const log = { warn: () => undefined, error: () => undefined };

let connection: Connection;
let runs: DocumentRunRepository;
let claims: ClaimRepository;
let worker: HeadlessWorker | undefined;
beforeEach(async () => {
  connection = await connectTestDatabase();
  await documentRunModel(connection).createIndexes();
  runs = createDocumentRunRepository(connection);
  claims = createClaimRepository(connection);
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await connection.close();
});

async function queue(requestedBy: string, count: number, runId?: string, organizationId = organization) {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const input = { kind: 'extraction' as const, organizationId, requestedBy, role: 'member' as const, runId };
    ids.push((await runs.insert({ ...input, documentId: newId() }))!.id);
  }
  return ids;
}

/** Starts a worker whose runs last until they are let go, and returns the ids of what it has started. */
function startWorker() {
  const started: string[] = [];
  const running = new Map<string, () => void>();
  worker = createHeadlessWorker({
    claims,
    async runDocument(run, { signal }) {
      started.push(run.id);
      await new Promise<void>((resolve) => {
        running.set(run.id, resolve);
        signal.addEventListener('abort', () => resolve());
      });
      running.delete(run.id);
      return signal.aborted ? false : await claims.finish(run, done);
    },
    onStarted: noop,
    onEnded: noop,
    limits: defaultWorkerLimits,
    log,
  });
  worker.start();
  return {
    started,
    /** Ends so many of the running ones. */
    end: (count: number) => {
      for (const resolve of [...running.values()].slice(0, count)) resolve();
    },
    running,
  };
}

it.each([
  ['the user of a large run', ada, organization],
  ['another user of its organization', ben, organization],
  ['a user of another organization', ben, newId()],
])('starts what %s waits for although none of the runs in progress ends', async (_who, user, organizationId) => {
  await queue(ada, many, newId());
  const { started, running, end } = startWorker();
  // The first few of a run start as a small run does.
  await expect.poll(() => running.size, { timeout: 10_000 }).toBeGreaterThanOrEqual(5);
  for (let round = 0; round < 3; round += 1) {
    const before = started.length;
    end(8);
    await expect.poll(() => started.length, { timeout: 10_000 }).toBeGreaterThan(before);
  }
  const before = started.length;
  const [own] = await queue(user, 1, undefined, organizationId);
  worker!.wake();
  await expect.poll(() => started.slice(before), { timeout: 10_000 }).toContain(own);
  expect(started.slice(before).indexOf(own!)).toBeLessThan(3);
});

it('starts a run of one document next, however many documents of a run wait', async () => {
  await queue(ada, many, newId());
  for (let at = 0; at < 20; at += 1) await claims.finish((await claims.claimNext([]))!, done);
  const [own] = await queue(ada, 1, newId());
  const next = [(await claims.claimNext([]))!.id, (await claims.claimNext([]))!.id];
  expect(next).toContain(own);
});
