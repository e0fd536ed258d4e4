import { createFairPlaces } from '../../platform/places/fair-places.ts';

interface HeldScopeLimits<Scope> {
  /** Scopes that are read at once: of a process, and of an organization. Others wait until one is not used for a moment. */
  inAll: number;
  ofOrganization: number;
  /** How much memory a scope takes, in any unit, and how much those take together that are kept although nobody uses them. */
  sizeOf: (scope: Scope) => number;
  maxUnused: number;
}

/** What was read of a scope, for one turn or several. */
interface Opened<Scope> {
  scope: Promise<Scope>;
  /** Grows while turns read. */
  size: () => number;
  /** Number of scopes that were opened before. */
  at: number;
  /** Turns that have it, and how no further turn gets it. */
  turns: number;
  forget: () => void;
}

/** The scope of one turn. */
interface Slot<Scope> {
  opened: Opened<Scope> | undefined;
  place: Promise<() => void> | undefined;
  users: number;
}

/**
 * What questions read of their documents, each for as long as its turn needs it. A turn waits for its model most of the time:
 * meanwhile its scope can be given up for others, and is read again at its next use. Turns share what was read of the same
 * scope after they began. Twenty questions about 100,000 documents needed more memory than a process has.
 */
export function createHeldScopes<Scope>({ inAll, ofOrganization, sizeOf, maxUnused }: HeldScopeLimits<Scope>) {
  const enter = createFairPlaces({ inAll, ofParty: ofOrganization });
  /** In the order of their last use. What ended turns have read is collected with them. */
  const unused = new Set<WeakRef<Slot<Scope>>>();
  /** What was read last of each scope that is in use. */
  const latest = new Map<string, WeakRef<Opened<Scope>>>();
  let opened = 0;

  function giveUpOldest(): void {
    const kept = new Set<Opened<Scope>>();
    let size = 0;
    for (const each of [...unused].toReversed()) {
      const slot = each.deref();
      const own = slot?.opened;
      if (own !== undefined && !kept.has(own)) {
        kept.add(own);
        size += own.size();
      }
      if (own !== undefined && size <= maxUnused) continue;
      unused.delete(each);
      if (slot === undefined || own === undefined) continue;
      slot.opened = undefined;
      own.turns -= 1;
      if (own.turns === 0) own.forget();
    }
    for (const [name, each] of latest) if (each.deref() === undefined) latest.delete(name);
  }

  /**
   * @param name of the scope: equal ones are the same documents.
   * @param open reads the scope.
   */
  return (organizationId: string, name: string, open: () => Promise<Scope>) => {
    const slot: Slot<Scope> = { opened: undefined, place: undefined, users: 0 };
    const own = new WeakRef(slot);
    const key = `${organizationId} ${name}`;
    const begun = opened;

    function openNow(): Opened<Scope> {
      const known = latest.get(key)?.deref();
      // The turn sees what was written before it began.
      if (known !== undefined && known.at >= begun) return known;
      const forget = () => void (latest.get(key)?.deref() === now && latest.delete(key));
      const now: Opened<Scope> = { scope: open(), size: () => 0, at: opened, turns: 0, forget };
      opened += 1;
      latest.set(key, new WeakRef(now));
      return now;
    }

    return {
      /** The scope, within `hold`. */
      get: async (): Promise<Scope> => {
        if (slot.opened === undefined) {
          slot.opened = openNow();
          slot.opened.turns += 1;
        }
        const now = slot.opened;
        try {
          const scope = await now.scope;
          now.size = () => sizeOf(scope);
          return scope;
        } catch (error) {
          now.forget();
          // The database can answer again before the turn ends.
          if (slot.opened === now) {
            slot.opened = undefined;
            now.turns -= 1;
          }
          throw error;
        }
      },
      /**
       * Runs work that reads the scope; the scope stays the same until it ends. Work can hold it again.
       *
       * @param signal ends the wait for a place
       */
      hold: async <Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> => {
        signal?.throwIfAborted();
        slot.users += 1;
        unused.delete(own);
        slot.place ??= enter(organizationId);
        const { place } = slot;
        try {
          await unlessAborted(place, signal);
          return await work();
        } finally {
          slot.users -= 1;
          if (slot.users === 0) {
            slot.place = undefined;
            if (slot.opened !== undefined) unused.add(own);
            giveUpOldest();
            // Also of a turn that has stopped waiting: it leaves as soon as it gets its place.
            void place.then((leave) => leave());
          }
        }
      },
    };
  };
}

/** Waits for a promise; rejects as soon as the signal aborts. */
async function unlessAborted(wanted: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return void (await wanted);
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([wanted, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
