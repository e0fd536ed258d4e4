import type { Collection, mongo } from 'mongoose';
import type { LeaseClaim, Leases } from './leases.ts';

/** Claims a free record of the organization that has waited longest for one; undefined if none exists. */
export type ClaimInTurn<Stored> = (
  filter: Readonly<Record<string, unknown>>,
  options: { milliseconds: number; set?: Record<string, unknown> },
) => Promise<LeaseClaim<Stored> | undefined>;

/** The fields of a record that claims in turn use. */
export interface TurnFields {
  /** The time of its last claim. */
  claimed_at?: Date;
  /** The claims since its last progress or release: work that fails each time, or ends its process, is given up. */
  attempts?: number;
}

/** Work that was claimed so often without any progress is not tried again. */
export const maxAttempts = 5;

/** What a release or progress of the work sets. */
export const noAttempts = { attempts: 0 } as const;

/** Whether this claim of a record is one more than are made. */
export const isGivenUp = ({ attempts }: TurnFields): boolean => (attempts ?? 0) > maxAttempts;

/** Tells whether a turn is over. Its first step is done in any case, however short the turn is. */
export function beginTurn(milliseconds: number): () => boolean {
  const until = performance.now() + milliseconds;
  let isFirst = true;
  return () => {
    const isOver = !isFirst && performance.now() >= until;
    isFirst = false;
    return isOver;
  };
}

interface Open {
  organization_id?: unknown;
  claimed_at?: unknown;
}

/**
 * Claims of work that organizations can have much of: each claim is for the organization whose last one is longest ago, and
 * there for the record whose last one is. The work ends its turn by a release, so that one organization's long or many
 * records delay neither another's nor its own short ones. Records have an `organization_id` and `TurnFields`.
 *
 * @example
 * const claim = createClaimsInTurn(model.collection, leases);
 * const next = await claim({ active: true }, { milliseconds: 20_000 });
 */
export function createClaimsInTurn<Stored>(
  collection: Collection,
  leases: Pick<Leases<Stored>, 'claim'>,
): ClaimInTurn<Stored> {
  /**
   * The last claims of this process, by organization: work that is done is open no longer, and an organization that adds
   * short work all the time would else always be the one without a claim.
   */
  const lastClaims = new Map<string, number>();
  return async (filter, { milliseconds, set = {} }) => {
    const open: Open[] = await collection
      .find<Open>(filter as mongo.Filter<mongo.BSON.Document>, { projection: { organization_id: 1, claimed_at: 1 } })
      .toArray();
    for (const { key, organization_id } of inOrder(open, lastClaims)) {
      const claim = await leases.claim(
        { ...filter, organization_id },
        { milliseconds, set: { ...set, ...counted }, sort: { claimed_at: 1, _id: 1 } },
      );
      if (claim === undefined) continue;
      lastClaims.delete(key);
      lastClaims.set(key, timeOf(claim.record as Open));
      if (lastClaims.size > maxRemembered) lastClaims.delete(lastClaims.keys().next().value!);
      return claim;
    }
    return undefined;
  };
}

const attempts = { $ifNull: ['$attempts', 0] };
const counted = {
  claimed_at: '$$NOW',
  // What is no number is greater than all numbers.
  attempts: { $cond: [{ $lt: [attempts, 1e9] }, { $add: [attempts, 1] }, 1] },
};

/** Of so many organizations the last claim is remembered. */
const maxRemembered = 10_000;

/** The time of a record's last claim, by the database's clock. */
const timeOf = ({ claimed_at }: Open): number => (claimed_at instanceof Date ? claimed_at.getTime() : 0);

/** The organizations of these records: first those without a claim, then by their last one. */
function inOrder(open: readonly Open[], lastClaims: ReadonlyMap<string, number>) {
  const groups = Map.groupBy(open, ({ organization_id }) => String(organization_id));
  return [...groups]
    .map(([key, records]) => ({
      key,
      organization_id: records[0]?.organization_id ?? null,
      last: records.reduce((last, record) => Math.max(last, timeOf(record)), lastClaims.get(key) ?? 0),
    }))
    .toSorted((one, other) => one.last - other.last);
}
