import { historyOfThread, turnAtStart, type PendingTurn, type TurnOwner } from '@docwright/agent-core';
import type { ThreadRepository } from '../../threads/index.ts';
import { messagesRead } from '../chat-service.ts';
import {
  closingOf,
  frameOf,
  type TurnEventRepository,
  type DecidedTurnBatch,
  type StoredTurn,
} from '../../turns/index.ts';

/** Where a turn goes on. */
export interface ResumePoint {
  pending: PendingTurn;
  /** Events emitted so far. */
  eventsBefore: number;
}

/**
 * How many events a waiting turn has told, all of them stored: the `done` of its pause is stored here where the process
 * that told it died first.
 */
export async function emittedEvents(events: TurnEventRepository, turn: StoredTurn): Promise<number> {
  const last = await events.lastId(turn.id);
  if (last >= turn.eventCount || turn.answer === undefined) return Math.max(last, turn.eventCount);
  const id = turn.eventCount;
  await events.append(turn.id, [{ first: id, last: id, frames: frameOf(id, closingOf(turn.answer)) }]);
  return id;
}

/**
 * Where a turn goes on whose process died: as it was kept last, after all ids that may have been told. What the thread holds beyond that is
 * taken out, since it is said again, and the event that was to be told is told.
 */
export async function resumePointOf(
  { events, threads }: { events: TurnEventRepository; threads: ThreadRepository },
  turn: StoredTurn,
  batch: DecidedTurnBatch | undefined,
  kept: PendingTurn,
): Promise<ResumePoint> {
  const pending = isLaterPause(kept, batch) ? beforePause(kept) : kept;
  const emitted = await emittedEvents(events, turn);
  const { lastEvent, eventCount: id } = pending;
  if (lastEvent && emitted < id)
    await events.append(turn.id, [{ first: id, last: id, frames: frameOf(id, lastEvent) }]);
  await cutThread(threads, pending);
  return { pending: { ...pending, eventCount: turn.eventBound }, eventsBefore: turn.eventBound };
}

/**
 * Where a turn begins anew of which nothing was kept: none of its calls can have written. Undefined where its message
 * was not even stored.
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
  const history = historyOfThread(messages.slice(0, last + 1).slice(-messagesRead));
  const { settings } = beginning;
  const workingState = thread.working_state;
  const turn = { turnId: id, threadId, owner, settings, messages: history, workingState };
  return { pending: turnAtStart(turn, eventBound), eventsBefore: eventBound };
}

/** The turn reached its next pause, but crashed before emitting it. */
function isLaterPause({ lastEvent, batch: { calls } }: PendingTurn, decided: DecidedTurnBatch | undefined): boolean {
  return lastEvent === undefined && !calls.some(({ id }) => decided?.call_ids.includes(id));
}

/** When it runs again, it reaches the same pause at once. */
function beforePause(pause: PendingTurn): PendingTurn {
  return { ...pause, eventCount: pause.eventCount - 1, batch: { ...pause.batch, isUndecided: true } };
}

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
