/** The syncs of one process. Each place is of an organization while it is held. */
export interface SyncPlaces<Claim> {
  /** Claims work for a free place. Undefined if no place is free, or no work can use it. */
  take(claim: (full: readonly string[]) => Promise<Claim | undefined>): Promise<Claim | undefined>;
  release(claim: Claim): void;
  isFull(): boolean;
}

interface SyncPlacesOptions<Claim> {
  inAll: number;
  /** Fewer than in all: slow or endless servers of one organization do not delay another. */
  ofOrganization: number;
  organizationOf: (claim: Claim) => string;
}

export function createSyncPlaces<Claim>({
  inAll,
  ofOrganization,
  organizationOf,
}: SyncPlacesOptions<Claim>): SyncPlaces<Claim> {
  const held = new Set<Claim>();
  let last: Promise<unknown> = Promise.resolve();

  /** The organizations that hold as many places as one can hold. */
  function full(): string[] {
    const groups = Map.groupBy(held, organizationOf);
    return [...groups].filter(([, claims]) => claims.length >= ofOrganization).map(([organization]) => organization);
  }

  return {
    take(claim) {
      // One claim after the other: two at once could take the last place of an organization.
      const taken = last.then(async () => {
        if (held.size >= inAll) return undefined;
        const claimed = await claim(full());
        if (claimed !== undefined) held.add(claimed);
        return claimed;
      });
      last = taken.catch(() => undefined);
      return taken;
    },
    release: (claim) => void held.delete(claim),
    isFull: () => held.size >= inAll,
  };
}

/** How long a sync keeps its place while others wait. Files that a stopped sync has stored stay, and the next sync continues. */
export const turnMs = 10 * 60_000;

interface Turn {
  /** Aborts when the sync must end in any case. */
  held: AbortSignal;
  /** Whether another organization waits for a place. */
  isWanted: () => Promise<boolean>;
}

/**
 * Does work until it is done. Returns undefined once its turn is over and others wait for its place, also while a server
 * does not answer.
 */
export async function inTurn<Result>(
  { held, isWanted }: Turn,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  const turn = new AbortController();
  const over = new Promise<undefined>((resolve) => {
    turn.signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const end = async (): Promise<void> => {
    if (await isWanted()) turn.abort();
  };
  // A failed look is repeated at the next one.
  const timer = setInterval(() => void end().catch(() => undefined), turnMs);
  try {
    return await Promise.race([over, work(AbortSignal.any([held, turn.signal]))]);
  } finally {
    clearInterval(timer);
  }
}
