import {
  closingEventOf,
  runTurn,
  turnAnswerOf,
  type DocumentAgentServices,
  type Checkpoint,
  type RunTurnInput,
  type TurnResult,
  type UnattendedTurn,
} from '@docwright/agent-core';
import { DomainError, type TurnAnswer, type TurnEvent } from '@docwright/contract';
import { isDatabaseUnavailable } from '../../../platform/database/connection.ts';
import type { JointWrites } from '../../../platform/database/joint-writes.ts';
import type { ThreadRepository } from '../../threads/index.ts';
import { handedOver, type LiveTurn, type LiveTurns } from './live-turns.ts';
import {
  failedAnswer,
  createRunningProgress,
  type RunningProgress,
  type TurnEventLog,
  type TurnEventRepository,
  createTurnRecorder,
  eventsReserved,
  type PendingTurnStore,
  type TurnRecorder,
  type TurnOutcomeToStore,
  type TurnRepository,
  type TurnFencingToken,
  type TurnKey,
} from '../../turns/index.ts';

interface TurnRunnerDependencies {
  liveTurns: LiveTurns;
  turnStore: PendingTurnStore;
  write: JointWrites;
  /** Whether checkpoints outlive the process that stored them. */
  isStoreLasting: boolean;
  events: TurnEventRepository;
  /** How long a turn can wait for a decision. */
  waitMs: number;
  /** How long an unattended turn can wait for a decision. */
  parkedMs: number;
  log: { error(fields: object, message: string): void };
}

/** One run of a turn, up to its next pause or its end. */
export interface TurnJob {
  turnId: string;
  threadId: string;
  /** Events emitted before this run, by any process. The run can use `eventsReserved` ids without a reservation. */
  eventsBefore: number;
  /** Identifies this run; `decidedCount` includes the batch that the run starts with. */
  token: TurnFencingToken;
  threads: ThreadRepository;
  turns: TurnRepository;
  input: Omit<RunTurnInput<DocumentAgentServices>, 'signal' | 'checkpoint'>;
}

/** A run. It continues even if no client follows it. */
export interface RunningTurn {
  log: TurnEventLog;
  /** The id of the last event before this run. */
  after: number;
  /** Rejects if the model fails before the first event. */
  answer: Promise<TurnAnswer>;
  /** Ends a run of this process as `stopped`. */
  stop?: () => void;
}

/** Runs turns in the background of this process: stores the effect of each event, then emits it. */
export function createTurnRunner(dependencies: TurnRunnerDependencies): (job: TurnJob) => RunningTurn {
  const { liveTurns } = dependencies;
  return (job) => {
    const live = liveTurns.open(job.turnId, job.eventsBefore);
    const after = live.log.lastId;
    const stop = new AbortController();
    const progress = createRunningProgress(job.input.turn);
    const store = () => live.log.flush((batches) => dependencies.events.append(keyOf(job), batches));
    const answer = run(dependencies, job, live, progress, store, stop.signal);
    // Avoids an unhandled rejection when no caller waits for the answer; one that does still gets the rejection.
    const finished = answer.catch(() => undefined);
    // A run without a user is queued again by its own worker.
    const canBeHandedOver = dependencies.isStoreLasting && startOf(job).settings.unattended === undefined;
    const { organizationId } = startOf(job).owner;
    live.running = {
      organizationId,
      stop,
      store,
      canBeHandedOver,
      token: job.token,
      progress,
      after,
      answer,
      finished,
    };
    return { log: live.log, after, answer, stop: () => stop.abort() };
  };
}

async function run(
  dependencies: TurnRunnerDependencies,
  job: TurnJob,
  live: LiveTurn,
  progress: RunningProgress,
  /** Stores the events so far. */
  store: () => Promise<void>,
  signal: AbortSignal,
): Promise<TurnAnswer> {
  const { liveTurns, turnStore, write, events, parkedMs, log } = dependencies;
  const {
    owner,
    settings: { unattended },
  } = startOf(job);
  const waitMs = unattended === undefined ? dependencies.waitMs : parkedMs;
  const { turnId, threadId, turns, token } = job;
  try {
    const { result, recorder, hasCheckpoint } = await drain(dependencies, job, live, progress, signal);
    if (result.status === 'failed' && isDatabaseUnavailable(result.cause)) throw result.cause;
    const answer = turnAnswerOf(result);
    if (result.status === 'failed') log.error({ err: result.cause, turn_id: turnId }, 'a turn failed');
    const waitingUntil = 'pending' in result ? new Date(Date.now() + waitMs) : undefined;
    const outcome = {
      status: result.status,
      answer,
      eventCount: live.log.lastId + 1,
      ...(waitingUntil && { waitingUntil }),
      ...(unattended && { wait: waitOf(unattended) }),
    };
    const sent = job.threads.sentParts(threadId, result.messages);
    // In one command: the events so far, the last message, and the pending turn or the outcome.
    await live.log.flush((batches) => {
      const before = [...sent, ...events.appending(keyOf(job), batches)];
      const storeAll: JointWrites = (messages) =>
        'pending' in result
          ? turnStore.save(result.pending, [...before, ...messages])
          : turns.finish(turnId, token, outcome, (end) => {
              const all = [...before, ...messages, ...end];
              return hasCheckpoint ? turnStore.remove(turnId, owner, all) : write(all);
            });
      return recorder.finish(result.workingState, { isAllowed: turns.requireHeld(turnId, token), store: storeAll });
    }, true);
    if (waitingUntil) await turns.finish(turnId, token, outcome);
    live.log.append(closingEventOf(result));
    live.log.close();
    if (waitingUntil) {
      // Any process can resume the turn, so this one drops it from memory.
      await store();
      liveTurns.forget(turnId);
    }
    return answer;
  } catch (error) {
    if (!(error instanceof DomainError) || isTakenOver(error))
      log.error({ err: error, turn_id: turnId }, 'a turn was interrupted');
    const answer = failedAnswer({ turnId, threadId }, error);
    // Its end cannot be stored, or it has none: another process resumes it, so that those who follow it see no end.
    const isOrphaned = error === handedOver || isDatabaseUnavailable(error);
    if (!isOrphaned) live.log.append({ type: 'error', ...answer.error });
    live.log.close();
    if (isTakenOver(error)) liveTurns.forget(turnId);
    else if (isOrphaned) {
      liveTurns.forget(turnId);
      await turns
        .release(turnId, token)
        .catch(() => log.error({ turn_id: turnId }, 'the lease of a turn was not released, it expires later'));
    } else await turns.finish(turnId, token, { status: 'failed', answer, eventCount: live.log.lastId });
    throw error;
  } finally {
    delete live.running;
  }
}

const startOf = ({ input: { turn } }: Pick<TurnJob, 'input'>) => ('pending' in turn ? turn.pending : turn);

/** How a pending unattended turn is listed. */
function waitOf({ runId }: UnattendedTurn): NonNullable<TurnOutcomeToStore['wait']> {
  return { isUnattended: true, ...(runId !== undefined && { runId }) };
}

const keyOf = ({ input, turnId }: Pick<TurnJob, 'input' | 'turnId'>): TurnKey => ({
  organizationId: startOf({ input }).owner.organizationId,
  id: turnId,
});

function isTakenOver(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'turn_taken_over';
}

/**
 * Runs the loop to its next pause or end. Before it emits a step that must not be repeated it stores a checkpoint, from
 * which another process resumes if this one dies. Order: earlier events, thread, checkpoint, all in one command; then the
 * event itself.
 */
async function drain(
  { turnStore, events: storedEvents }: Pick<TurnRunnerDependencies, 'turnStore' | 'events'>,
  { input, threads, threadId, turns, turnId, token, eventsBefore }: TurnJob,
  live: LiveTurn,
  progress: RunningProgress,
  signal: AbortSignal,
): Promise<{ result: TurnResult; recorder: TurnRecorder; hasCheckpoint: boolean }> {
  const recorder = createTurnRecorder(threads, threadId);
  let recorded: TurnEvent | undefined;
  let hasCheckpoint = 'pending' in input.turn;
  // What a stopped loop says about its calls is not what happened to the turn.
  const requireOwn = () => {
    if (signal.reason === handedOver) throw handedOver;
  };
  const checkpoint: Checkpoint = async (event, turn) => {
    requireOwn();
    recorded = event;
    hasCheckpoint = true;
    await live.log.flush((batches) => {
      const isAllowed = turns.requireHeld(turnId, token);
      const store: JointWrites = (messages) =>
        turnStore.save(turn, [...storedEvents.appending(keyOf({ input, turnId }), batches), ...messages]);
      return recorder.record(event, { isAllowed, store }) ?? isAllowed.then(() => store([]));
    }, true);
  };
  // One id always remains for the closing event, which needs no reservation.
  let maxEvents = eventsBefore + eventsReserved - 1;
  const reserve = async () => {
    const bound = live.log.lastId + eventsReserved;
    await turns.reserveEvents(turnId, token, bound);
    maxEvents = bound - 1;
  };
  const events = runTurn({ ...input, signal, checkpoint });
  try {
    for (;;) {
      const step = await events.next();
      if (!step.done || step.value.status === 'stopped' || step.value.status === 'failed') requireOwn();
      if (step.done) return { result: step.value, recorder, hasCheckpoint };
      for (const event of step.value) {
        const stored = event === recorded ? undefined : recorder.record(event);
        if (stored) await stored;
        progress.note(event);
        if (live.log.lastId >= maxEvents) await reserve();
        live.log.append(event);
      }
    }
  } catch (error) {
    if (!isTakenOver(error) && error !== handedOver) await recorder.finish();
    throw error;
  }
}
