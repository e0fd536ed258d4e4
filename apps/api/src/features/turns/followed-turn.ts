import { setTimeout as sleep } from 'node:timers/promises';
import type { TurnAnswer } from '@docwright/contract';
import { closingOf, frameOf, type TurnEventLog } from './turn-event-log.ts';
import type { TurnEventRepository } from './turn-event-repository.ts';

/** A turn's events, wherever they were said. */
export type TurnEvents = Pick<TurnEventLog, 'follow'>;

/** How a turn stands: once nothing more will be said, its answer and the id of the event that tells it. */
export interface TurnStanding {
  ended: { answer: TurnAnswer; closingId: number } | undefined;
}

/** Between two looks at a turn that runs in another process. */
const pollMs = 250;

/**
 * Follows a turn to its end: first what is stored, then this process's own log where the turn runs here, else what the
 * process that runs it goes on to store.
 */
export function followTurn(
  turnId: string,
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
        // Looked at first: what the turn has said by then is read below.
        const { ended } = await standing();
        const next = await stored.after(turnId, position);
        if (next) {
          position = next.last;
          yield next.frames;
        } else if (log && position < log.before) {
          // What was said in between was lost with its process.
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
