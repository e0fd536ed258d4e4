import {
  closingEventOf,
  runTurn,
  turnAnswerOf,
  type DocumentAgentServices,
  type RunTurnInput,
  type TurnResult,
  type TurnStore,
} from '@docwright/agent-core';
import { DomainError, type TurnAnswer } from '@docwright/contract';
import type { ThreadRepository } from '../threads/thread-repository.ts';
import type { LiveTurn, LiveTurns } from './live-turns.ts';
import { failedAnswer } from './turn-answers.ts';
import { createRunningProgress, type RunningProgress } from './running-progress.ts';
import type { TurnEventLog } from './turn-event-log.ts';
import { createTurnRecorder } from './turn-recorder.ts';
import type { TurnRepository } from './turn-repository.ts';

export interface TurnRunnerDependencies {
  liveTurns: LiveTurns;
  turnStore: TurnStore;
  /** How long a turn may wait for a person. */
  waitMs: number;
  log: { error(fields: object, message: string): void };
}

/** One run of a turn, up to its next pause or its end. */
export interface TurnJob {
  turnId: string;
  threadId: string;
  /** Events said before this run, by whichever process. */
  eventsBefore: number;
  /** Batches that were decided, the one that this run begins with included. */
  decidedCount: number;
  threads: ThreadRepository;
  turns: TurnRepository;
  input: Omit<RunTurnInput<DocumentAgentServices>, 'signal'>;
  /** Called when the calls that a person decided on have run and are stored, or never will. */
  batchHasRun?: () => Promise<void>;
}

/** A run that goes on whether or not anybody listens. */
export interface TurnRun {
  log: TurnEventLog;
  /** The id of the last event before this run. */
  after: number;
  /** Rejects where the model failed before anything was said. */
  answer: Promise<TurnAnswer>;
}

/** Runs turns in the background of this process: stores each event's effect first, then tells it. */
export function createTurnRunner(dependencies: TurnRunnerDependencies): (job: TurnJob) => TurnRun {
  const { liveTurns } = dependencies;
  return (job) => {
    const live = liveTurns.open(job.turnId, job.eventsBefore);
    const after = live.log.lastId;
    const stop = new AbortController();
    const progress = createRunningProgress(job.input.turn);
    const answer = run(dependencies, job, live, progress, stop.signal);
    // Nobody may be waiting for the answer; whoever is gets the rejection itself.
    const finished = answer.catch(() => undefined);
    live.running = { stop, progress, after, answer, finished };
    return { log: live.log, after, answer };
  };
}

async function run(
  { turnStore, waitMs, log }: TurnRunnerDependencies,
  job: TurnJob,
  live: LiveTurn,
  progress: RunningProgress,
  signal: AbortSignal,
): Promise<TurnAnswer> {
  const { turnId, threadId, turns } = job;
  try {
    const result = await drain(job, live, progress, signal);
    const answer = turnAnswerOf(result);
    if (result.status === 'failed') log.error({ err: result.cause, turn_id: turnId }, 'a turn failed');
    const waitingUntil = 'pending' in result ? new Date(Date.now() + waitMs) : undefined;
    if ('pending' in result) await turnStore.save(result.pending);
    else await job.batchHasRun?.();
    await turns.finish(turnId, job.decidedCount, {
      status: result.status,
      answer,
      eventCount: live.log.lastId + 1,
      ...(waitingUntil && { waitingUntil }),
    });
    live.log.append(closingEventOf(result));
    if (waitingUntil) live.keepUntil = waitingUntil.getTime();
    else live.log.close();
    return answer;
  } catch (error) {
    if (!(error instanceof DomainError)) log.error({ err: error, turn_id: turnId }, 'a turn broke off');
    const answer = failedAnswer({ turnId, threadId }, error);
    live.log.append({ type: 'error', ...answer.error });
    live.log.close();
    await turns.finish(turnId, job.decidedCount, { status: 'failed', answer, eventCount: live.log.lastId });
    throw error;
  } finally {
    delete live.running;
  }
}

async function drain(
  { input, threads, threadId, batchHasRun }: TurnJob,
  live: LiveTurn,
  progress: RunningProgress,
  signal: AbortSignal,
): Promise<TurnResult> {
  const isResumed = 'pending' in input.turn;
  const recorder = createTurnRecorder(
    threads,
    threadId,
    isResumed ? await storedResults(threads, threadId) : new Set(),
  );
  const events = runTurn({ ...input, signal });
  try {
    for (;;) {
      const step = await events.next();
      if (step.done) {
        await recorder.finish(step.value.workingState);
        return step.value;
      }
      const stored = recorder.record(step.value);
      if (stored) await stored;
      if (step.value.type === 'round_executed') await batchHasRun?.();
      progress.note(step.value);
      live.log.append(step.value);
    }
  } catch (error) {
    await recorder.finish();
    throw error;
  }
}

/** Calls whose results the thread has: a batch that runs again after a crash stores them once. */
async function storedResults(threads: ThreadRepository, threadId: string): Promise<Set<string>> {
  const messages = await threads.messages(threadId, resultsLookedAt);
  return new Set(messages.flatMap(({ tool_call_id }) => tool_call_id ?? []));
}

/** More than the calls of one answer. */
const resultsLookedAt = 200;
