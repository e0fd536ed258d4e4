import {
  closingEventOf,
  runTurn,
  turnAnswerOf,
  type DocumentAgentServices,
  type Checkpoint,
  type PendingTurn,
  type RunTurnInput,
  type TurnResult,
  type TurnStore,
  type UnattendedTurn,
} from '@docwright/agent-core';
import { DomainError, type TurnAnswer, type TurnEvent } from '@docwright/contract';
import { isDatabaseUnavailable } from '../../platform/database/connection.ts';
import type { ThreadRepository } from '../threads/thread-repository.ts';
import type { LiveTurn, LiveTurns } from './live-turns.ts';
import { failedAnswer } from '../turns/turn-answers.ts';
import { createRunningProgress, type RunningProgress } from '../turns/running-progress.ts';
import type { TurnEventLog } from '../turns/turn-event-log.ts';
import type { TurnEventRepository } from '../turns/turn-event-repository.ts';
import { createTurnRecorder } from '../turns/turn-recorder.ts';
import {
  eventsReserved,
  type TurnOutcomeToStore,
  type TurnRepository,
  type TurnFencingToken,
} from '../turns/turn-repository.ts';

export interface TurnRunnerDependencies {
  liveTurns: LiveTurns;
  turnStore: TurnStore;
  events: TurnEventRepository;
  /** How long a turn may wait for a person. */
  waitMs: number;
  /** The same of one that nobody watches. */
  parkedMs: number;
  log: { error(fields: object, message: string): void };
}

/** One run of a turn, up to its next pause or its end. */
export interface TurnJob {
  turnId: string;
  threadId: string;
  /** Events said before this run, by whichever process; so many more as `eventsReserved` may be said. */
  eventsBefore: number;
  /** Which of the turn's runs this is: batches that were decided, the one that it begins with included. */
  mark: TurnFencingToken;
  threads: ThreadRepository;
  turns: TurnRepository;
  input: Omit<RunTurnInput<DocumentAgentServices>, 'signal' | 'checkpoint'>;
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
  dependencies: TurnRunnerDependencies,
  job: TurnJob,
  live: LiveTurn,
  progress: RunningProgress,
  signal: AbortSignal,
): Promise<TurnAnswer> {
  const { liveTurns, turnStore, events, parkedMs, log } = dependencies;
  const { unattended } = ('pending' in job.input.turn ? job.input.turn.pending : job.input.turn).settings;
  const waitMs = unattended === undefined ? dependencies.waitMs : parkedMs;
  const { turnId, threadId, turns, mark } = job;
  const flush = () => live.log.flush((batches) => events.append(turnId, batches));
  const store = watchedStore(turnStore, job);
  try {
    const result = await drain({ turnStore: store, flush }, job, live, progress, signal);
    if (result.status === 'failed' && isDatabaseUnavailable(result.cause)) throw result.cause;
    const answer = turnAnswerOf(result);
    if (result.status === 'failed') log.error({ err: result.cause, turn_id: turnId }, 'a turn failed');
    const waitingUntil = 'pending' in result ? new Date(Date.now() + waitMs) : undefined;
    await flush();
    if ('pending' in result) await turnStore.save(result.pending);
    await turns.finish(turnId, mark, {
      status: result.status,
      answer,
      eventCount: live.log.lastId + 1,
      ...(waitingUntil && { waitingUntil }),
      ...(unattended && { wait: waitOf(unattended) }),
    });
    if (!waitingUntil) await store.forget();
    live.log.append(closingEventOf(result));
    live.log.close();
    if (waitingUntil) {
      // Any process may go on with it, and this one shall keep nothing in memory meanwhile.
      await flush();
      liveTurns.forget(turnId);
    }
    return answer;
  } catch (error) {
    if (!(error instanceof DomainError) || isTakenOver(error))
      log.error({ err: error, turn_id: turnId }, 'a turn broke off');
    const answer = failedAnswer({ turnId, threadId }, error);
    live.log.append({ type: 'error', ...answer.error });
    live.log.close();
    if (isTakenOver(error)) liveTurns.forget(turnId);
    else if (isDatabaseUnavailable(error)) {
      // Nothing can be stored of it: it stands as its process left it, as if that had died.
      liveTurns.forget(turnId);
      await turns
        .release(turnId, mark)
        .catch(() => log.error({ turn_id: turnId }, 'the lease of a turn has to run out'));
    } else await turns.finish(turnId, mark, { status: 'failed', answer, eventCount: live.log.lastId });
    throw error;
  } finally {
    delete live.running;
  }
}

/** How a turn that nobody watches is listed while it waits. */
export function waitOf({ runId }: UnattendedTurn): NonNullable<TurnOutcomeToStore['wait']> {
  return { isUnattended: true, ...(runId !== undefined && { runId }) };
}

function isTakenOver(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'turn_taken_over';
}

/** Knows whether anything of the turn is kept that has to go when it ends. */
function watchedStore(turnStore: TurnStore, { turnId, input: { turn } }: TurnJob) {
  const { owner } = 'pending' in turn ? turn.pending : turn;
  let isKept = 'pending' in turn;
  return {
    async save(kept: PendingTurn) {
      isKept = true;
      await turnStore.save(kept);
    },
    async forget() {
      if (isKept) await turnStore.take(turnId, owner);
    },
  };
}

/**
 * A turn is kept before each of its steps is told that may not be done twice: where the process dies, another one goes
 * on from there. Order: events so far, thread, turn, telling.
 */
async function drain(
  { turnStore, flush }: { turnStore: Pick<TurnStore, 'save'>; flush: () => Promise<void> },
  { input, threads, threadId, turns, turnId, mark, eventsBefore }: TurnJob,
  live: LiveTurn,
  progress: RunningProgress,
  signal: AbortSignal,
): Promise<TurnResult> {
  const recorder = createTurnRecorder(threads, threadId);
  let recorded: TurnEvent | undefined;
  const checkpoint: Checkpoint = async (event, turn) => {
    await turns.requireHeld(turnId, mark);
    recorded = event;
    await Promise.all([flush(), recorder.record(event)]);
    await turnStore.save(turn);
  };
  /** The closing event is told without asking: there is always room for one more. */
  let maxEvents = eventsBefore + eventsReserved - 1;
  const reserve = async () => {
    const bound = live.log.lastId + eventsReserved;
    await turns.reserveEvents(turnId, mark, bound);
    maxEvents = bound - 1;
  };
  const events = runTurn({ ...input, signal, checkpoint });
  try {
    for (;;) {
      const step = await events.next();
      if (step.done) {
        await turns.requireHeld(turnId, mark);
        await recorder.finish(step.value.workingState);
        await threads.keepSentParts(threadId, step.value.messages);
        return step.value;
      }
      for (const event of step.value) {
        const stored = event === recorded ? undefined : recorder.record(event);
        if (stored) await stored;
        progress.note(event);
        if (live.log.lastId >= maxEvents) await reserve();
        live.log.append(event);
      }
    }
  } catch (error) {
    if (!isTakenOver(error)) await recorder.finish();
    throw error;
  }
}
