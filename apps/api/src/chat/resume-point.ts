import type { PendingTurn } from '@docwright/agent-core';
import type { ThreadRepository } from '../threads/thread-repository.ts';
import { closingOf, frameOf } from './turn-event-log.ts';
import type { TurnEventRepository } from './turn-event-repository.ts';
import type { DecidedTurnBatch, StoredTurn } from './turn-repository.ts';

/** Where a decided turn goes on. */
export interface ResumePoint {
  pending: PendingTurn;
  /** Events told so far. */
  eventsBefore: number;
}

/**
 * How many events a waiting turn has told, all of them stored: the `done` of its pause is stored here where the process
 * that told it died first.
 */
export async function toldEvents(events: TurnEventRepository, turn: StoredTurn): Promise<number> {
  const last = await events.lastId(turn.id);
  if (last >= turn.eventCount || turn.answer === undefined) return Math.max(last, turn.eventCount);
  const id = turn.eventCount;
  await events.append(turn.id, [{ first: id, last: id, frames: frameOf(id, closingOf(turn.answer)) }]);
  return id;
}

/**
 * Where a turn goes on whose process died after the decision: as it was kept last. What the thread holds beyond that is
 * taken out, since it is said again, and the event that was to be told is told.
 */
export async function resumePointOf(
  { events, threads }: { events: TurnEventRepository; threads: ThreadRepository },
  turn: StoredTurn,
  batch: DecidedTurnBatch,
  kept: PendingTurn,
): Promise<ResumePoint> {
  const pending = isLaterPause(kept, batch) ? beforePause(kept) : kept;
  let told = await toldEvents(events, turn);
  if (pending.lastEvent && told < pending.eventCount) {
    told = pending.eventCount;
    const frames = frameOf(told, pending.lastEvent);
    await events.append(turn.id, [{ first: told, last: told, frames }]);
  }
  await cutThread(threads, pending);
  return { pending: { ...pending, eventCount: told }, eventsBefore: told };
}

/** The turn had come to its next pause, but not so far as to tell it. */
function isLaterPause({ lastEvent, batch: { calls } }: PendingTurn, { call_ids }: DecidedTurnBatch): boolean {
  return lastEvent === undefined && !calls.some(({ id }) => call_ids.includes(id));
}

/** Run again, it comes to the same pause at once. */
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
