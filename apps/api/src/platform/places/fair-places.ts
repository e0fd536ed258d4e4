/** Enters a place; resolves with the function that gives it back. Who still waits when the signal aborts leaves the queue. */
export type FairPlaces = (party: string, signal?: AbortSignal) => Promise<() => void>;

/**
 * Places for work that all requests share a thread or a database for. Who finds none waits; a party never has more than its
 * share, so that it holds up no other. A free place goes to the waiting party that has the fewest, then to the one that has waited
 * longest since its last.
 */
export function createFairPlaces({ inAll, ofParty }: { inAll: number; ofParty: number }): FairPlaces {
  const held = new Map<string, number>();
  /** By party, the one that waits longest for its turn first. */
  const waiting = new Map<string, (() => void)[]>();
  let count = 0;

  function next(): void {
    while (count < inAll) {
      let chosen: string | undefined;
      let fewest = ofParty;
      for (const party of waiting.keys()) {
        const own = held.get(party) ?? 0;
        if (own < fewest) [chosen, fewest] = [party, own];
        if (fewest === 0) break;
      }
      if (chosen === undefined) return;
      const queue = waiting.get(chosen)!;
      const enter = queue.shift()!;
      waiting.delete(chosen);
      if (queue.length > 0) waiting.set(chosen, queue);
      count += 1;
      held.set(chosen, fewest + 1);
      enter();
    }
  }

  function leaveQueue(party: string, enter: () => void): boolean {
    const queue = waiting.get(party);
    const at = queue?.indexOf(enter) ?? -1;
    if (queue === undefined || at < 0) return false;
    queue.splice(at, 1);
    if (queue.length === 0) waiting.delete(party);
    return true;
  }

  return (party, signal) =>
    new Promise((resolve, reject) => {
      let isHeld = true;
      const leave = () => {
        if (!isHeld) return;
        isHeld = false;
        count -= 1;
        const left = held.get(party)! - 1;
        if (left > 0) held.set(party, left);
        else held.delete(party);
        next();
      };
      const enter = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve(leave);
      };
      const giveUp = () => {
        if (leaveQueue(party, enter)) reject(signal!.reason as Error);
      };
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      signal?.addEventListener('abort', giveUp, { once: true });
      const queue = waiting.get(party);
      if (queue) queue.push(enter);
      else waiting.set(party, [enter]);
      next();
    });
}
