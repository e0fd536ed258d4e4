import { historyOfThread, turnAtStart, type PendingTurn, type TurnOwner } from '@docwright/agent-core';
import type { ThreadRepository } from '../../threads/index.ts';
import { maxHistoryMessages } from '../running/start-turn.ts';
import {
  closingOf,
  frameOf,
  type TurnEventRepository,
  type DecidedTurnBatch,
  type StoredTurn,
} from '../../turns/index.ts';

/** The state from which a turn resumes. */
export interface ResumePoint {
  pending: PendingTurn;
  /** Events emitted so far. */
  eventsBefore: number;
}

/**
 * Stores the `done` event of a pending turn's pause if its process died before it did so. Returns the number of events
 * that the turn has emitted.
 *
 * @param last the id of the last stored event
 */
export async function storeClosingEvent(events: TurnEventRepository, turn: StoredTurn, last: number): Promise<number> {
  if (last >= turn.eventCount || turn.answer === undefined) return Math.max(last, turn.eventCount);
  const id = turn.eventCount;
  await events.append(turn, [{ first: id, last: id, frames: frameOf(id, closingOf(turn.answer)) }]);
  return id;
}

/**
 * The point from which an orphaned turn resumes: its last checkpoint, with event ids above all that can have been
 * emitted. Later messages are removed from the thread, because the resumed turn writes them again. The event of the
 * checkpoint is stored if it was not emitted.
 */
export async function resumePointOf(
  { events, threads }: { events: TurnEventRepository; threads: ThreadRepository },
  turn: StoredTurn,
  batch: DecidedTurnBatch | undefined,
  checkpoint: PendingTurn,
): Promise<ResumePoint> {
  const pending = isLaterPause(checkpoint, batch) ? beforePause(checkpoint) : checkpoint;
  const emitted = await storeClosingEvent(events, turn, await events.lastId(turn));
  const { lastEvent, eventCount: id } = pending;
  if (lastEvent && emitted < id) await events.append(turn, [{ first: id, last: id, frames: frameOf(id, lastEvent) }]);
  await cutThread(threads, pending);
  return { pending: { ...pending, eventCount: turn.eventBound }, eventsBefore: turn.eventBound };
}

/**
 * The point from which a turn without a checkpoint starts again: none of its calls can have written anything. Undefined
 * if the user's message was not stored.
 */
export async function startingPointOf(
  threads: ThreadRepository,
  owner: TurnOwner,
  { id, threadId, beginning, createdAt, eventBound }: StoredTurn,
): Promise<ResumePoint | undefined> {
  const thread = await threads.get(threadId);
  const messages = await threads.messages(threadId);
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const message = messages[last];
  if (!thread || !beginning || !message) return undefined;
  if (!beginning.isNewThread && Date.parse(message.created_at) < createdAt.getTime()) return undefined;
  if (last + 1 < messages.length) await threads.truncate(threadId, last + 1);
  const history = historyOfThread(messages.slice(0, last + 1).slice(-maxHistoryMessages));
  const { settings } = beginning;
  const workingState = thread.working_state;
  const turn = { turnId: id, threadId, owner, settings, messages: history, workingState };
  return { pending: turnAtStart(turn, eventBound), eventsBefore: eventBound };
}

/** The turn reached its next pause, but crashed before emitting it. */
function isLaterPause({ lastEvent, batch: { calls } }: PendingTurn, decided: DecidedTurnBatch | undefined): boolean {
  return lastEvent === undefined && !calls.some(({ id }) => decided?.call_ids.includes(id));
}

/** The turn just before its pause. When it runs again, it reaches the same pause at once. */
function beforePause(pause: PendingTurn): PendingTurn {
  return { ...pause, eventCount: pause.eventCount - 1, batch: { ...pause.batch, isUndecided: true } };
}

/** Removes the messages after the last one that the checkpoint knows. */
async function cutThread(threads: ThreadRepository, { threadId, executedRounds, batch }: PendingTurn): Promise<void> {
  const done = new Set([...executedRounds.flatMap((round) => round.tool_calls), ...batch.executed].map(({ id }) => id));
  const proposed = new Set([...done, ...batch.calls.map(({ id }) => id)]);
  const messages = await threads.messages(threadId);
  const last = messages.findLastIndex(
    ({ tool_call_id, tool_calls = [] }) =>
      (tool_call_id !== undefined && done.has(tool_call_id)) || tool_calls.some(({ id }) => proposed.has(id)),
  );
  if (last >= 0 && last + 1 < messages.length) await threads.truncate(threadId, last + 1);
}
