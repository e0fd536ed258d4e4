/** Enters a place; resolves with the function that gives it back. */
export type FairPlaces = (party: string) => Promise<() => void>;

interface Waiting {
  party: string;
  enter: () => void;
}

/**
 * Places for work that all requests share a thread or a database for. Who comes later waits; a party never has more than
 * its share, so that it holds up no other.
 */
export function createFairPlaces({ inAll, ofParty }: { inAll: number; ofParty: number }): FairPlaces {
  const held = new Map<string, number>();
  const waiting: Waiting[] = [];
  let count = 0;

  function next(): void {
    while (count < inAll) {
      const at = waiting.findIndex(({ party }) => (held.get(party) ?? 0) < ofParty);
      const [first] = at < 0 ? [] : waiting.splice(at, 1);
      if (first === undefined) return;
      count += 1;
      held.set(first.party, (held.get(first.party) ?? 0) + 1);
      first.enter();
    }
  }

  return (party) =>
    new Promise((resolve) => {
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
      waiting.push({ party, enter: () => resolve(leave) });
      next();
    });
}
