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
  /** Calls of models at the same time in this process. */
  calls: number;
  /** Milliseconds between two renewals of a claim. */
  renewEvery: number;
  /** How long documents that are being measured have to end after a stop. */
  stopWithin: number;
}

export const defaultEvaluationWorkerLimits: EvaluationWorkerLimits = {
  calls: 8,
  renewEvery: 3_000,
  stopWithin: 5_000,
};

/** Works on the evaluations of all organizations. Any number of processes can do so at once; each evaluation is one's. */
export interface EvaluationWorker {
  /** Works until nothing is left to do or `signal` aborts. */
  work(signal: AbortSignal): Promise<void>;
}

export function createEvaluationWorker(dependencies: EvaluationWorkerDependencies): EvaluationWorker {
  const { work, roleOf, log, limits = defaultEvaluationWorkerLimits } = dependencies;
  const measure = createDocumentMeasurement(dependencies);
  const calls = createSlots(limits.calls);
  // While as many models answer as may, the next documents are read and those before are stored.
  const documents = createSlots(limits.calls * 2);

  async function run(claim: EvaluationClaim, closing: AbortSignal): Promise<void> {
    const { evaluation } = claim;
    const role = await roleOf(evaluation.organizationId, evaluation.requested_by);
    if (role === undefined || role === 'viewer') {
      await work.end(claim, 'failed', requesterRemoved);
      return;
    }
    const actor = { organizationId: evaluation.organizationId, userId: evaluation.requested_by, role };
    const spending = { used: await work.spuUsed(claim), reserved: 0 };
    const hold = keepClaim(claim);
    let failure: EvaluationFailure | undefined;
    const isOver = () => closing.aborted || hold.isStopRequested() || hold.lost.aborted || failure !== undefined;

    async function measureOne(document: DocumentToMeasure): Promise<void> {
      if (isOver()) return;
      const { spu_limit } = evaluation;
      if (spu_limit !== null && spending.used + spending.reserved + document.spu_estimated > spu_limit) {
        failure ??= limitReached(spu_limit);
        return;
      }
      spending.reserved += document.spu_estimated;
      const counted = countSpu();
      try {
        const measured = await measure({
          actor,
          evaluation,
          document,
          llm: counted.wrap,
          inTurn: (ask) =>
            calls.use(async () => {
              // A document that nothing was paid for is not begun any more; one that was begun is finished.
              if (isOver() && counted.total() === 0) throw notStarted;
              await hold.require();
              return await ask();
            }),
          save: async (answer) => {
            if (!(await work.saveAnswer(claim, document.document_id, answer, counted.take()))) hold.lose();
          },
          signal: hold.cancelled,
        });
        await work.saveDone(claim, document.document_id, measured);
      } catch (error) {
        if (hold.lost.aborted || error === notStarted) return;
        const reason = reasonOf(error);
        if (reason.code === 'budget_exhausted') failure ??= reason;
        if (hold.cancelled.aborted || reason.code === 'budget_exhausted') {
          const spu = counted.take();
          if (spu > 0) await work.saveSpu(claim, document.document_id, spu);
        } else {
          if (!(error instanceof DomainError)) {
            const fields = { err: error, evaluation_id: evaluation.id, document_id: document.document_id };
            log.error(fields, 'measuring a document failed');
          }
          await work.saveFailed(claim, document.document_id, reason, counted.take());
        }
      } finally {
        spending.used += counted.total();
        spending.reserved -= document.spu_estimated;
      }
    }

    try {
      const waiting = await work.waiting(claim);
      // All of them, also where one of them throws: nothing of a run goes on after its end.
      const ends = await Promise.allSettled(waiting.map((document) => documents.use(() => measureOne(document))));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
      if (hold.lost.aborted) return;
      if (failure) await work.end(claim, 'failed', failure);
      else if (hold.isStopRequested()) await work.end(claim, 'stopped', null);
      else if (closing.aborted) await work.release(claim);
      else if ((await work.countDone(claim)) === 0) await work.end(claim, 'failed', await firstFailure(claim));
      else await work.end(claim, 'completed', null);
    } finally {
      await hold.end();
    }
  }

  async function firstFailure(claim: EvaluationClaim): Promise<EvaluationFailure> {
    return (await work.firstFailure(claim)) ?? unexpected;
  }

  /** Renews the claim; aborts on a stop request or a lost claim. */
  function keepClaim(claim: EvaluationClaim) {
    const lost = new AbortController();
    const cancelled = new AbortController();
    let stopRequested = claim.evaluation.stop_requested;
    let renewedAt = performance.now();
    let cancelling: NodeJS.Timeout | undefined;
    const lose = (): void => {
      lost.abort();
      cancelled.abort();
    };
    const renew = async (): Promise<boolean> => {
      const askedAt = performance.now();
      const { isHeld, isStopRequested } = await work.renew(claim);
      if (!isHeld) {
        lose();
        return false;
      }
      renewedAt = askedAt;
      stopRequested ||= isStopRequested;
      if (stopRequested) cancelling ??= setTimeout(() => cancelled.abort(), limits.stopWithin).unref();
      return true;
    };
    const heartbeat = startHeartbeat(renew, limits.renewEvery);
    return {
      lost: lost.signal,
      cancelled: cancelled.signal,
      isStopRequested: () => stopRequested,
      /** Ends what is under way, since another process does it by now. Throws. */
      lose: (): never => {
        lose();
        throw cancelled.signal.reason;
      },
      /** Before a model is paid: a process that was held up asks whether the evaluation is still its own. */
      require: async () => {
        if (performance.now() - renewedAt > limits.renewEvery * 2) await renew();
        cancelled.signal.throwIfAborted();
      },
      end: async () => {
        await heartbeat.stop();
        clearTimeout(cancelling);
      },
    };
  }

  return {
    async work(signal) {
      for (;;) {
        if (signal.aborted) return;
        const claim = await work.claim();
        if (!claim) return;
        await run(claim, signal);
      }
    },
  };
}

/** Counts what model calls cost, those that break off included. */
function countSpu() {
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
    /** What has come since it was last asked. */
    take: () => {
      const since = total - taken;
      taken = total;
      return since;
    },
  };
}

/** At most so many at a time; who waits longest is next. */
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

/** What ends a document that waits for its turn when the evaluation ends. */
const notStarted = new Error('The evaluation ended before this document was begun.');

const reasonOf = (error: unknown): EvaluationFailure =>
  error instanceof DomainError ? { code: error.code, message: error.message } : unexpected;

const unexpected: EvaluationFailure = {
  code: 'evaluation_failed',
  message: 'Measuring failed on our side. Start the evaluation again.',
};

const requesterRemoved: EvaluationFailure = {
  code: 'viewer_cannot_write',
  message: 'Who asked for the evaluation can no longer do so in this organization.',
};

const limitReached = (limit: number): EvaluationFailure => ({
  code: 'evaluation_budget_exhausted',
  message: `The evaluation ended at its limit of ${limit} SPU (evaluation_budget_spu). What was measured stays.`,
});
