import { turnAnswerOf, type TurnResult, type TurnSettings } from '@docwright/agent-core';
import type { TurnEvent } from '@docwright/contract';
import { startHeartbeat } from '../../platform/leases/heartbeat.ts';
import {
  failedAnswer,
  createTurnRecorder,
  firstRun,
  type LeasedTurn,
  type TurnRepository,
  type ParkedTurns,
} from '../turns/index.ts';
import { type ThreadOwner, type ThreadRepository, emptyWorkingState } from '../threads/index.ts';
import type { ClaimedRun } from './claim-repository.ts';

/** Records the messages of a run. */
export interface RunConversation {
  turnId: string;
  threadId: string;
  recordEvent(event: TurnEvent): Promise<void>;
  finish(result: TurnResult): Promise<void>;
  /** Ends it as failed; does nothing after `finish`. */
  abort(error: unknown): Promise<void>;
}

export interface ConversationDependencies {
  threadsOf: (owner: ThreadOwner) => ThreadRepository;
  turnsOf: (owner: ThreadOwner) => TurnRepository;
  renewLeases: (runs: readonly LeasedTurn[]) => Promise<unknown>;
  parked: Pick<ParkedTurns, 'parkedStore' | 'parkedMs'>;
}

/** Well within the lease of a turn. */
const renewEveryMs = 2_000;

/** A proposal has a log instead of a thread: its ids are those under which its calls are audited and charged. */
export function conversationWithoutThread({ id, turnId }: ClaimedRun): RunConversation {
  const noop = async () => undefined;
  return { turnId, threadId: id, recordEvent: noop, finish: noop, abort: noop };
}

/** Records an agent run in a thread of its requester, who can read, continue or undo it. */
export async function conversationInThread(
  run: ClaimedRun,
  message: string,
  { threadsOf, turnsOf, renewLeases, parked }: ConversationDependencies,
  settings: TurnSettings,
): Promise<RunConversation> {
  const owner = { organizationId: run.organizationId, documentId: run.documentId, userId: run.requestedBy };
  const threads = threadsOf(owner);
  const turns = turnsOf(owner);
  // The thread of an attempt whose worker died.
  if (run.threadId !== null) await threads.remove(run.threadId);
  const messages = [{ role: 'user' as const, content: message }];
  const { id: threadId } = await threads.create({ working_state: emptyWorkingState, messages });
  const beginning = { settings, isNewThread: true };
  const turnId = await turns.start(threadId, { turnId: run.turnId, role: run.role, beginning });
  if (turnId === undefined) throw new Error('A new thread already has a running turn.');
  const recorder = createTurnRecorder(threads, threadId);
  const heartbeat = startHeartbeat(async () => {
    await renewLeases([{ organizationId: owner.organizationId, turnId, token: firstRun }]);
    return true;
  }, renewEveryMs);
  let eventCount = 0;
  let isOver = false;
  return {
    turnId,
    threadId,
    async recordEvent(event) {
      eventCount += 1;
      await recorder.record(event);
    },
    async finish(result) {
      isOver = true;
      await heartbeat.stop();
      await recorder.finish(result.workingState);
      const answer = turnAnswerOf(result);
      const outcome = { status: result.status, answer, eventCount: eventCount + 1 };
      if (!('pending' in result)) return turns.finish(turnId, firstRun, outcome);
      await parked.parkedStore.save(result.pending);
      const wait = { isUnattended: true, ...(run.runId !== null && { runId: run.runId }) };
      const waitingUntil = new Date(Date.now() + parked.parkedMs);
      await turns.finish(turnId, firstRun, { ...outcome, waitingUntil, wait });
    },
    async abort(error) {
      if (isOver) return;
      isOver = true;
      await heartbeat.stop();
      const answer = failedAnswer({ turnId, threadId }, error);
      await turns.finish(turnId, firstRun, { status: 'failed', answer, eventCount: eventCount + 1 });
    },
  };
}
