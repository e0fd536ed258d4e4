import type { FairPlaces } from './fair-places.ts';

interface QueueBounds {
  /** How many wait at most: of one party, and in all. */
  ofParty: number;
  inAll: number;
}

/** Fair places for work that anybody can ask for thousands of times: only so many wait, and the rest is to come again. */
export function createBoundedQueue(enterPlace: FairPlaces, max: QueueBounds, tooMany: () => Error) {
  const waiting = new Map<string, number>();
  let count = 0;

  return {
    /** Throws the error of `tooMany` if nobody of the party can wait any more. */
    requireRoom(party: string): void {
      if ((waiting.get(party) ?? 0) >= max.ofParty || count >= max.inAll) throw tooMany();
    },
    /** Waits for a place, also beyond the bounds. */
    async enter(party: string, signal?: AbortSignal): Promise<() => void> {
      waiting.set(party, (waiting.get(party) ?? 0) + 1);
      count += 1;
      try {
        return await enterPlace(party, signal);
      } finally {
        count -= 1;
        const left = waiting.get(party)! - 1;
        if (left > 0) waiting.set(party, left);
        else waiting.delete(party);
      }
    },
  };
}
