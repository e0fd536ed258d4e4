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

/** Where the messages of a run go. */
export interface Conversation {
  turnId: string;
  threadId: string;
  record(event: TurnEvent): Promise<void>;
  finish(result: TurnResult): Promise<void>;
  /** Ends it where the run broke off; after `finish` it does nothing. */
  breakOff(error: unknown): Promise<void>;
}

export interface ConversationDependencies {
  threadsOf: (owner: ThreadOwner) => ThreadRepository;
  turnsOf: (owner: ThreadOwner) => TurnRepository;
  renewLeases: (runs: readonly LeasedTurn[]) => Promise<unknown>;
  parked: Pick<ParkedTurns, 'lastingStore' | 'parkedMs'>;
}

/** Well within the lease of a turn. */
const renewEveryMs = 2_000;

/** A proposal has its log and no thread: its ids say where its calls are audited and charged. */
export function conversationWithoutThread({ id, turnId }: ClaimedRun): Conversation {
  const nothing = async () => undefined;
  return { turnId, threadId: id, record: nothing, finish: nothing, breakOff: nothing };
}

/** A message to the agent is a thread of its person's, who finds what was said and may go on or undo it. */
export async function conversationInThread(
  run: ClaimedRun,
  message: string,
  { threadsOf, turnsOf, renewLeases, parked }: ConversationDependencies,
  settings: TurnSettings,
): Promise<Conversation> {
  const owner = { organizationId: run.organizationId, documentId: run.documentId, userId: run.requestedBy };
  const threads = threadsOf(owner);
  const turns = turnsOf(owner);
  // Of an attempt whose worker died.
  if (run.threadId !== null) await threads.remove(run.threadId);
  const messages = [{ role: 'user' as const, content: message }];
  const { id: threadId } = await threads.create({ working_state: emptyWorkingState, messages });
  const beginning = { settings, isNewThread: true };
  const turnId = await turns.begin(threadId, { turnId: run.turnId, role: run.role, beginning });
  if (turnId === undefined) throw new Error('A turn runs in a thread that has just been made.');
  const recorder = createTurnRecorder(threads, threadId);
  const heartbeat = startHeartbeat(async () => {
    await renewLeases([{ turnId, token: firstRun }]);
    return true;
  }, renewEveryMs);
  let eventCount = 0;
  let isOver = false;
  return {
    turnId,
    threadId,
    async record(event) {
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
      await parked.lastingStore.save(result.pending);
      const wait = { isUnattended: true, ...(run.runId !== null && { runId: run.runId }) };
      const waitingUntil = new Date(Date.now() + parked.parkedMs);
      await turns.finish(turnId, firstRun, { ...outcome, waitingUntil, wait });
    },
    async breakOff(error) {
      if (isOver) return;
      isOver = true;
      await heartbeat.stop();
      const answer = failedAnswer({ turnId, threadId }, error);
      await turns.finish(turnId, firstRun, { status: 'failed', answer, eventCount: eventCount + 1 });
    },
  };
}
