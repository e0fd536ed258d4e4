/** The syncs of one process. Each place is of an organization while it is held. */
export interface SyncPlaces<Claim> {
  /** Claims work for a free place; undefined if there is none, or no work that may have it. */
  take(claim: (full: readonly string[]) => Promise<Claim | undefined>): Promise<Claim | undefined>;
  giveBack(claim: Claim): void;
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

  /** The organizations that have all the places they may have. */
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
    giveBack: (claim) => void held.delete(claim),
  };
}
