import type { FastifyReply } from 'fastify';
import { createEventStream } from '../../platform/streams/event-stream.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TurnAnswer } from '@docwright/contract';
import { closingOf, frameOf, type TurnEventLog } from './turn-event-log.ts';
import type { TurnEventRepository } from './turn-event-repository.ts';
import type { TurnKey } from './turn-model.ts';

/**
 * Sends the events of a turn as SSE until its next closing event, its end, or the end of the client or the server.
 * A slow client does not slow the turn: clients share the turn's log and have no queues. If the turn
 * `isEnded` and has no more events, the answer is 204.
 */
export async function streamTurnEvents(
  reply: FastifyReply,
  {
    log,
    after,
    untilClosing,
    closing,
    isEnded = false,
  }: { log: TurnEvents; after: number; untilClosing: boolean; closing: AbortSignal; isEnded?: boolean },
): Promise<void> {
  const stream = createEventStream(reply, closing);
  if (!isEnded) stream.open();
  let isEmpty = true;
  for await (const frames of log.follow(after, untilClosing, stream.signal)) {
    isEmpty = false;
    await stream.write(frames);
  }
  // An EventSource reopens an ended stream endlessly; it stops after 204.
  if (isEnded && isEmpty) await reply.code(204).send();
}

/** The id after which a replay starts; a header that is no id replays everything. */
export function lastEventId(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,15}$/u.test(header) ? Number(header) : 0;
}

/** A turn's events, emitted by any process. */
export type TurnEvents = Pick<TurnEventLog, 'follow'>;

/** The state of a turn: once it emits nothing more, its answer and the id of the closing event. */
export interface TurnStanding {
  ended: { answer: TurnAnswer; closingId: number } | undefined;
}

/** Poll interval of a turn that runs in another process. */
const pollMs = 250;

/**
 * Follows a turn to its end: first the stored events, then the log of this process if the turn runs here, else the events
 * that the other process stores.
 */
export function followTurn(
  turn: TurnKey,
  dependencies: {
    stored: TurnEventRepository;
    live: () => TurnEventLog | undefined;
    standing: () => Promise<TurnStanding>;
  },
): TurnEvents {
  const { stored, live, standing } = dependencies;
  return {
    async *follow(after, untilClosing, signal) {
      let position = after;
      while (!signal.aborted) {
        const log = live();
        if (log && position >= log.before && !(log.isClosed && position >= log.lastId)) {
          yield* log.follow(position, untilClosing, signal);
          position = Math.max(position, log.lastId);
          continue;
        }
        // Read first: all events up to this state are read below.
        const { ended } = await standing();
        const next = await stored.after(turn, position);
        if (next) {
          position = next.last;
          yield next.frames;
        } else if (log && position < log.before) {
          // The events in between were lost with their process.
          position = log.before;
        } else if (ended) {
          const { answer, closingId } = ended;
          if (position < closingId) yield frameOf(closingId, closingOf(answer));
          return;
        } else {
          await sleep(pollMs, undefined, { signal }).catch(() => undefined);
        }
      }
    },
  };
}
