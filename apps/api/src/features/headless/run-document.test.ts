import { expect, it } from 'vitest';
import type { ClaimedRun, ClaimRepository, RunOutcome } from './claim-repository.ts';
import type { RunningAgent } from './run-agent.ts';
import { createRunDocument, type HeadlessWork } from './run-document.ts';

const done: RunningAgent = {
  soFar: () => ({ rounds: [], text: '' }),
  ended: Promise.resolve({ rounds: [], text: 'Done.' }),
  breakOff: async () => undefined,
};

/** The outcome of the attempt, and how often the agent was asked to begin or to go on. */
async function attempted(attempts: number, parkedTurn?: string): Promise<[RunOutcome['state'], string?]> {
  const outcomes: RunOutcome[] = [];
  const claims: Partial<ClaimRepository> = {
    forgetTurns: async () => undefined,
    finish: async (_run, outcome) => outcomes.push(outcome) > 0,
  };
  const work: HeadlessWork = { isUndoneOnFailure: false, begin: async () => done };
  const runDocument = createRunDocument({
    claims: claims as ClaimRepository,
    works: { agent: work, auto_create: work, extraction: work },
    undoWrites: async () => undefined,
    openTurn: async () => parkedTurn,
    resume: () => done,
    timeoutMs: 10_000,
    takeSpent: () => 0,
    log: { warn: () => undefined, error: () => undefined },
  });
  const run = { kind: 'agent', attempts, parkedTurn, formerTurnIds: ['turn'], turnId: 'next', onAsk: 'park' };
  const control = { signal: new AbortController().signal, requireHeld: async () => undefined };
  await runDocument(run as unknown as ClaimedRun, control);
  const [{ state, error }] = outcomes as [RunOutcome];
  return error === null ? [state] : [state, error.code];
}

it('gives a document up whose workers died three times', async () => {
  expect(await attempted(3)).toEqual(['succeeded']);
  expect(await attempted(4)).toEqual(['failed', 'worker_lost']);
});

it('goes on with what a person has decided through many restarts, but not for ever', async () => {
  expect(await attempted(20, 'turn')).toEqual(['succeeded']);
  expect(await attempted(21, 'turn')).toEqual(['failed', 'worker_lost']);
});
