import { randomUUID } from 'node:crypto';
import type { Collection, mongo } from 'mongoose';
import { isOver, untilIn } from '../database/database-clock.ts';
import { isKnownDead, thisProcess, type ProcessIdentity } from './process-identity.ts';

/** Where a lease stands in a record, as dotted paths. */
export interface LeaseFields {
  /** The fencing token: every write of the holder names it. */
  token: string;
  /** When the lease expires, by the database's clock. */
  until: string;
  /** The holder's process. With it, the lease of a process that is known to have died is free at once. */
  holder?: string;
}

/** Where most records have their lease. */
export const leaseFields: LeaseFields = { token: 'lease.token', until: 'lease.until', holder: 'lease.holder' };

/** A lease as a record has it: without a token, nobody holds the record. */
export interface StoredLease {
  token?: string;
  until?: Date;
  holder?: ProcessIdentity;
}

/** A record that this process holds until the lease expires, or is released. */
export interface Claim<Stored> {
  readonly token: string;
  /** The record right after the claim. */
  readonly record: Stored;
}

type Filter = Readonly<Record<string, unknown>>;
type Update = mongo.UpdateFilter<mongo.BSON.Document>;

export interface ClaimOptions {
  /** Milliseconds after which the lease expires unless it is renewed. */
  milliseconds: number;
  /** Fields to set together with the claim: expressions of an update pipeline (`literal` for values from outside). */
  set?: Record<string, unknown>;
  /** Which of several free records comes first. */
  sort?: Record<string, 1 | -1>;
  /** The claim's token; a new one unless it is given. */
  token?: string;
  /** Whether `record` is as it was before the claim. */
  before?: boolean;
}

/**
 * Exclusive leases on the records of one collection. At most one caller of all processes holds a record; a lease that is not
 * renewed expires by the database's clock, so that a process with a wrong clock neither loses a lease nor takes one; and every
 * write of a holder is conditional on its token, so that a process which was suspended and lost its lease changes nothing.
 *
 * @example
 * const leases = createLeases<JobRecord>(model.collection, { token: 'lease.token', until: 'lease.until' });
 * const claim = await leases.claim({ state: 'queued' }, { milliseconds: 20_000, sort: { _id: 1 } });
 * if (claim) await leases.write({ _id: claim.record._id }, claim.token, { $set: { state: 'done' } });
 */
export interface Leases<Stored> {
  /** Claims one record that nobody holds; undefined where there is none. */
  claim(which: Filter, options: ClaimOptions): Promise<Claim<Stored> | undefined>;
  /** Extends the lease, with further fields as in `claim`; the record, or undefined where the lease is lost. */
  renew(which: Filter, token: string, milliseconds: number, set?: Record<string, unknown>): Promise<Stored | undefined>;
  /** Changes the record for the holder alone; false where the lease is lost. */
  write(which: Filter, token: string, update: Update): Promise<boolean>;
  /** Frees the record and applies a last update; only for the holder. False where the lease is lost. */
  release(which: Filter, token: string, update?: Update): Promise<boolean>;
  /** Matches records that nobody holds: never claimed, released, or expired. */
  readonly free: Filter;
  /** Matches the record while that token holds it. */
  held(token: string): Filter;
}

/** Leases in these fields of a collection. */
export function createLeases<Stored>(collection: Collection, fields: LeaseFields): Leases<Stored> {
  const { token: tokenField, until, holder } = fields;
  const free: Filter = { $expr: isOver(until) };
  const held = (token: string): Filter => ({ [tokenField]: token });

  async function claimWhere(which: Filter, options: ClaimOptions): Promise<Claim<Stored> | undefined> {
    const { milliseconds, set, sort, before = false, token = randomUUID() } = options;
    const claimed = {
      ...set,
      [tokenField]: { $literal: token },
      [until]: untilIn(milliseconds),
      ...(holder !== undefined && { [holder]: { $literal: thisProcess } }),
    };
    const record = await collection.findOneAndUpdate(which, [{ $set: claimed }], {
      ...(sort && { sort }),
      returnDocument: before ? 'before' : 'after',
    });
    return record === null ? undefined : { token, record: record as Stored };
  }

  /** Tokens of processes that are known to have died. */
  async function deadTokens(which: Filter, holderField: string): Promise<string[]> {
    const found = await collection
      .find({ ...which, [tokenField]: { $type: 'string' } }, { projection: { [tokenField]: 1, [holderField]: 1 } })
      .toArray();
    return found
      .map((record) => ({ token: valueAt(record, tokenField), process: valueAt(record, holderField) }))
      .filter(({ process }) => process !== undefined && process !== null && isKnownDead(process as ProcessIdentity))
      .map(({ token }) => String(token));
  }

  return {
    free,
    held,
    async claim(which, options) {
      const claim = await claimWhere({ ...which, ...free }, options);
      if (claim !== undefined || holder === undefined) return claim;
      for (const dead of await deadTokens(which, holder)) {
        const taken = await claimWhere({ ...which, ...held(dead) }, options);
        if (taken !== undefined) return taken;
      }
      return undefined;
    },
    async renew(which, token, milliseconds, set) {
      const renewed = { ...set, [until]: untilIn(milliseconds) };
      const record = await collection.findOneAndUpdate({ ...which, ...held(token) }, [{ $set: renewed }], {
        returnDocument: 'after',
      });
      return record === null ? undefined : (record as Stored);
    },
    async write(which, token, update) {
      return (await collection.updateOne({ ...which, ...held(token) }, update)).matchedCount === 1;
    },
    async release(which, token, update = {}) {
      const { $unset, ...rest } = update;
      const freed = { ...rest, $unset: { ...$unset, [tokenField]: 1, [until]: 1 } } as Update;
      return (await collection.updateOne({ ...which, ...held(token) }, freed)).matchedCount === 1;
    },
  };
}

function valueAt(record: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], record);
}
