import { DomainError } from '@docwright/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { StoredEvaluation } from '../records/evaluation-repository.ts';
import type { EvaluationWorkRepository } from './evaluation-work-repository.ts';
import { createEvaluationWorker, type EvaluationWorkerDependencies } from './evaluation-worker.ts';

const lostDatabase = () => new Error('Operation interrupted because client was closed');
const documentOf = (document_id: string) => ({
  document_id,
  prompt_revid: 'r',
  version: 1,
  spu_estimated: 1,
  before: undefined,
  after: undefined,
});

/** A worker with one evaluation of two documents, whose verified results `truth` reads. */
function workerWith(work: Partial<EvaluationWorkRepository>, truth: (documentId: string) => Promise<undefined>) {
  const evaluation = { id: 'e', organizationId: 'o', requested_by: 'u', spu_limit: null } as StoredEvaluation;
  const claims = [{ evaluation, token: 't' }];
  const complete: EvaluationWorkRepository = {
    claim: async () => claims.pop(),
    renew: async () => ({ isHeld: true, isStopRequested: false }),
    waiting: async () => [documentOf('one'), documentOf('two')],
    spuUsed: async () => 0,
    saveAnswer: async () => true,
    saveSpu: async () => true,
    saveDone: async () => true,
    saveFailed: async () => true,
    countDone: async () => 0,
    firstFailure: async () => undefined,
    finish: async () => undefined,
    release: async () => undefined,
    ...work,
  };
  const notFound = async () => {
    throw new DomainError('not_found', 'document_not_found', 'There is no such document.');
  };
  return createEvaluationWorker({
    work: complete,
    roleOf: async () => 'member',
    log: { error: vi.fn() },
    verifiedOf: () => ({ get: ({ document_id }: { document_id: string }) => truth(document_id) }),
    documentsFor: () => ({ get: notFound, pages: notFound }),
    schemasFor: () => ({ get: notFound }),
  } as unknown as EvaluationWorkerDependencies);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('stops renewing its lease if the database fails at the start', async () => {
  const renew = vi.fn(async () => ({ isHeld: true, isStopRequested: false }));
  const worker = workerWith({ renew, spuUsed: () => Promise.reject(lostDatabase()) }, async () => undefined);
  await expect(worker.work(new AbortController().signal)).rejects.toThrow('client was closed');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(renew).not.toHaveBeenCalled();
});

it('ends only when no document is in progress, even if the database fails', async () => {
  const ended: string[] = [];
  const worker = workerWith({ saveFailed: () => Promise.reject(lostDatabase()) }, async (documentId) => {
    await new Promise((resolve) => setTimeout(resolve, documentId === 'one' ? 0 : 5_000));
    ended.push(documentId);
    return undefined;
  });
  const work = worker.work(new AbortController().signal).finally(() => ended.push('all'));
  const failing = expect(work).rejects.toThrow('client was closed');
  await vi.advanceTimersByTimeAsync(10_000);
  await failing;
  expect(ended).toEqual(['one', 'two', 'all']);
});
