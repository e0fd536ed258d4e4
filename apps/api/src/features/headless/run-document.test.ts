import mongoose from 'mongoose';
import { afterEach, expect, it, vi } from 'vitest';
import { backgroundWork } from '../../platform/jobs/background-work.ts';
import type { ClaimedRun, ClaimRepository, RunOutcome } from './claim-repository.ts';
import type { RunningAgent } from './run-agent.ts';
import { createRunDocument, type JobHandler } from './run-document.ts';
import { failureOf } from './run-failure.ts';

afterEach(() => vi.useRealTimers());

const done: RunningAgent = {
  progress: () => ({ rounds: [], text: '' }),
  ended: Promise.resolve({ rounds: [], text: 'Done.' }),
  abort: async () => undefined,
};

/** The outcome of the attempt, and its error code. */
async function outcomeOfAttempt(
  attempts: number,
  parkedTurn?: string,
  agent: RunningAgent | (() => RunningAgent) = done,
  reading: { polls: number; readingWaitMs?: number } = { polls: 0 },
): Promise<[RunOutcome['state'] | 'left', string?]> {
  const outcomes: RunOutcome[] = [];
  const claims: Partial<ClaimRepository> = {
    forgetTurns: async () => undefined,
    finish: async (_run, outcome) => outcomes.push(outcome) > 0,
  };
  const work: JobHandler = {
    isUndoneOnFailure: false,
    start: async () => (typeof agent === 'function' ? agent() : agent),
  };
  const runDocument = createRunDocument({
    claims: claims as ClaimRepository,
    jobHandlers: { agent: work, auto_create: work, extraction: work },
    undoWrites: async () => undefined,
    openTurn: async () => parkedTurn,
    resume: () => done,
    isBeingRead: async () => reading.polls-- > 0,
    ...(reading.readingWaitMs !== undefined && { readingWaitMs: reading.readingWaitMs }),
    timeoutMs: 10_000,
    takeSpending: () => 0,
    log: { warn: () => undefined, error: () => undefined },
  });
  const run = { kind: 'agent', attempts, parkedTurn, formerTurnIds: ['turn'], turnId: 'next', onAsk: 'park' };
  const control = { signal: new AbortController().signal, requireLease: async () => undefined };
  await runDocument(run as unknown as ClaimedRun, control);
  const [outcome] = outcomes;
  if (outcome === undefined) return ['left'];
  const { state, error } = outcome;
  return error === null ? [state] : [state, error.code];
}

it('abandons a document whose workers died three times', async () => {
  expect(await outcomeOfAttempt(3)).toEqual(['succeeded']);
  expect(await outcomeOfAttempt(4)).toEqual(['failed', 'worker_lost']);
});

it('resumes a decided run through many restarts, but not for ever', async () => {
  expect(await outcomeOfAttempt(20, 'turn')).toEqual(['succeeded']);
  expect(await outcomeOfAttempt(21, 'turn')).toEqual(['failed', 'worker_lost']);
});

it('leaves a run to the next attempt when the database was unavailable, and fails it for other errors', async () => {
  const failingWith = (cause: unknown): RunningAgent => {
    const ended = Promise.resolve({ rounds: [], text: '', error: failureOf(cause) });
    return { ...done, ended };
  };
  const cut = new mongoose.mongo.MongoNetworkError('connection closed');
  expect(await outcomeOfAttempt(1, undefined, failingWith(cut))).toEqual(['left']);
  const broken = failingWith(new TypeError('x is undefined'));
  expect(await outcomeOfAttempt(1, undefined, broken)).toEqual(['failed', 'internal_error']);
});

it('waits until the text of its document is read, and fails with the reason if that takes too long', async () => {
  expect(await outcomeOfAttempt(1, undefined, done, { polls: 1 })).toEqual(['succeeded']);
  const endless = { polls: 100, readingWaitMs: 0 };
  expect(await outcomeOfAttempt(1, undefined, done, endless)).toEqual(['failed', 'document_not_read_yet']);
  // A run that was decided goes on with what its model saw.
  expect(await outcomeOfAttempt(1, 'turn', done, { polls: 100, readingWaitMs: 0 })).toEqual(['succeeded']);
});

it('does not count the time that a run waits for a permit to call a model', async () => {
  vi.useFakeTimers();
  const permit = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const waiting = (): RunningAgent => {
    const ended = backgroundWork()
      ?.whileWaiting?.(async () => permit.promise)
      .then(async () => done.ended);
    started.resolve();
    return { ...done, ended: ended ?? Promise.reject(new Error('not in the background')) };
  };
  const outcome = outcomeOfAttempt(1, undefined, waiting);
  await started.promise;
  await vi.advanceTimersByTimeAsync(60_000);
  permit.resolve();
  expect(await outcome).toEqual(['succeeded']);
});
