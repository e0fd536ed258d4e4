import { BrokenAnswerError, usageOf, type LlmClient } from '@docwright/agent-core';
import { DomainError, type Role } from '@docwright/contract';
import { startHeartbeat } from '../../../platform/leases/heartbeat.ts';
import { createDocumentMeasurement, type MeasurementDependencies } from './measure-document.ts';
import type { EvaluationClaim, EvaluationWorkRepository, DocumentToMeasure } from './evaluation-work-repository.ts';
import type { EvaluationFailure } from '../records/evaluation-model.ts';

export interface EvaluationWorkerDependencies extends MeasurementDependencies {
  work: EvaluationWorkRepository;
  roleOf: (organizationId: string, userId: string) => Promise<Role | undefined>;
  log: { error(fields: object, message: string): void };
  limits?: EvaluationWorkerLimits;
}

interface EvaluationWorkerLimits {
  /** Concurrent calls of models in this process. */
  calls: number;
  /** Milliseconds between two renewals of a claim. */
  renewEvery: number;
  /** Milliseconds after a stop until documents in progress are cancelled. */
  stopWithin: number;
}

export const defaultEvaluationWorkerLimits: EvaluationWorkerLimits = {
  calls: 8,
  renewEvery: 3_000,
  stopWithin: 5_000,
};

/** Runs the evaluations of all organizations. Any number of processes can do so; each evaluation is run by one of them. */
export function createEvaluationWorker(dependencies: EvaluationWorkerDependencies) {
  const { work, roleOf, log, limits = defaultEvaluationWorkerLimits } = dependencies;
  const measure = createDocumentMeasurement(dependencies);
  const calls = createSlots(limits.calls);
  // Twice the calls, so that documents are read and stored while models answer.
  const documents = createSlots(limits.calls * 2);

  async function run(claim: EvaluationClaim, closing: AbortSignal): Promise<void> {
    const { evaluation } = claim;
    const role = await roleOf(evaluation.organizationId, evaluation.requested_by);
    if (role === undefined || role === 'viewer') {
      await work.finish(claim, 'failed', requesterRemoved);
      return;
    }
    const actor = { organizationId: evaluation.organizationId, userId: evaluation.requested_by, role };
    const spending = { used: await work.spuUsed(claim), reserved: 0 };
    const lease = keepLease(claim);
    let failure: EvaluationFailure | undefined;
    const isEnding = () => closing.aborted || lease.isStopRequested() || lease.lost.aborted || failure !== undefined;

    async function measureOne(document: DocumentToMeasure): Promise<void> {
      if (isEnding()) return;
      const { spu_limit } = evaluation;
      if (spu_limit !== null && spending.used + spending.reserved + document.spu_estimated > spu_limit) {
        failure ??= limitReached(spu_limit);
        return;
      }
      spending.reserved += document.spu_estimated;
      const spuCounter = createSpuCounter();
      try {
        const measured = await measure({
          actor,
          evaluation,
          document,
          llm: spuCounter.wrap,
          inTurn: (ask) =>
            calls.use(async () => {
              // Once the evaluation is ending, no document is started. A started one, which has cost SPU, is finished.
              if (isEnding() && spuCounter.total() === 0) throw notStarted;
              await lease.requireHeld();
              return await ask();
            }),
          save: async (answer) => {
            if (!(await work.saveAnswer(claim, document.document_id, answer, spuCounter.take()))) lease.lose();
          },
          signal: lease.cancelled,
        });
        await work.saveDone(claim, document.document_id, measured);
      } catch (error) {
        if (lease.lost.aborted || error === notStarted) return;
        const reason = reasonOf(error);
        if (reason.code === 'budget_exhausted') failure ??= reason;
        if (lease.cancelled.aborted || reason.code === 'budget_exhausted') {
          const spu = spuCounter.take();
          if (spu > 0) await work.saveSpu(claim, document.document_id, spu);
        } else {
          if (!(error instanceof DomainError)) {
            const fields = { err: error, evaluation_id: evaluation.id, document_id: document.document_id };
            log.error(fields, 'measuring a document failed');
          }
          await work.saveFailed(claim, document.document_id, reason, spuCounter.take());
        }
      } finally {
        spending.used += spuCounter.total();
        spending.reserved -= document.spu_estimated;
      }
    }

    try {
      const waiting = await work.waiting(claim);
      // Waits for all documents even if one throws: nothing of a run continues after its end.
      const outcomes = await Promise.allSettled(waiting.map((document) => documents.use(() => measureOne(document))));
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      if (lease.lost.aborted) return;
      if (failure) await work.finish(claim, 'failed', failure);
      else if (lease.isStopRequested()) await work.finish(claim, 'stopped', null);
      else if (closing.aborted) await work.release(claim);
      else if ((await work.countDone(claim)) === 0) await work.finish(claim, 'failed', await firstFailure(claim));
      else await work.finish(claim, 'completed', null);
    } finally {
      await lease.stop();
    }
  }

  async function firstFailure(claim: EvaluationClaim): Promise<EvaluationFailure> {
    return (await work.firstFailure(claim)) ?? unexpected;
  }

  /** Renews the lease; aborts `cancelled` some time after a stop request, and both signals if the lease is lost. */
  function keepLease(claim: EvaluationClaim) {
    const cancel = new AbortController();
    let stopRequested = claim.evaluation.stop_requested;
    let cancelTimer: NodeJS.Timeout | undefined;
    const renew = async (): Promise<boolean> => {
      const { isHeld, isStopRequested } = await work.renew(claim);
      stopRequested ||= isStopRequested;
      if (isHeld && stopRequested) cancelTimer ??= setTimeout(() => cancel.abort(), limits.stopWithin).unref();
      return isHeld;
    };
    const heartbeat = startHeartbeat(renew, limits.renewEvery);
    const cancelled = AbortSignal.any([cancel.signal, heartbeat.lost]);
    return {
      lost: heartbeat.lost,
      cancelled,
      isStopRequested: () => stopRequested,
      /** Cancels work in progress, which another process has taken over. Always throws. */
      lose: (): never => {
        heartbeat.lose();
        throw cancelled.reason;
      },
      /** Called before a model call: a process that stalled checks whether it still has the lease. */
      requireHeld: async () => {
        await heartbeat.requireHeld();
        cancelled.throwIfAborted();
      },
      stop: async () => {
        await heartbeat.stop();
        clearTimeout(cancelTimer);
      },
    };
  }

  return {
    /** Works until no evaluation is active or `signal` aborts. */
    async work(signal: AbortSignal): Promise<void> {
      for (;;) {
        if (signal.aborted) return;
        const claim = await work.claim();
        if (!claim) return;
        await run(claim, signal);
      }
    },
  };
}

/** Counts the cost of model calls, including interrupted ones. */
function createSpuCounter() {
  let total = 0;
  let taken = 0;
  return {
    wrap: (client: LlmClient): LlmClient => ({
      async *stream(request) {
        try {
          for await (const chunks of client.stream(request)) {
            for (const chunk of chunks) if (chunk.type === 'finish') total += usageOf(chunk.usage).spu;
            yield chunks;
          }
        } catch (error) {
          if (error instanceof BrokenAnswerError) total += usageOf(error.usage).spu;
          throw error;
        }
      },
    }),
    total: () => total,
    /** The cost since the last call of `take`. */
    take: () => {
      const since = total - taken;
      taken = total;
      return since;
    },
  };
}

/** Limits concurrency to `count`, first come first served. */
function createSlots(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    async use<Result>(run: () => Promise<Result>): Promise<Result> {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await run();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}

/** Thrown for a document that has not started when the evaluation ends. */
const notStarted = new Error('The evaluation ended before this document was started.');

const reasonOf = (error: unknown): EvaluationFailure =>
  error instanceof DomainError ? { code: error.code, message: error.message } : unexpected;

const unexpected: EvaluationFailure = {
  code: 'evaluation_failed',
  message: 'Measuring failed on our side. Start the evaluation again.',
};

const requesterRemoved: EvaluationFailure = {
  code: 'viewer_cannot_write',
  message: 'The user who started the evaluation can no longer do so in this organization. Start it as another user.',
};

const limitReached = (limit: number): EvaluationFailure => ({
  code: 'evaluation_budget_exhausted',
  message: `The evaluation ended at its limit of ${limit} SPU (evaluation_budget_spu). Results so far are kept.`,
});
