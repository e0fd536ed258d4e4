import { randomUUID } from 'node:crypto';
import type { Collection, mongo } from 'mongoose';
import { isOver, literal, untilIn } from '../database/database-clock.ts';
import { isKnownDead, thisProcess, type ProcessIdentity } from './process-identity.ts';

/** The fields of a lease in a record, as dotted paths. */
export interface LeaseFields<Token = string> {
  /** The fencing token, which every write of the holder names: a path, or the storage of a composite token. */
  token: string | StoredToken<Token>;
  /** When the lease expires, by the database's clock. */
  until: string;
  /** The holder's process. If set, the lease of a process known to have died is free at once. */
  holder?: string;
}

/** Storage of a fencing token that consists of several fields. */
export interface StoredToken<Token> {
  /** Matches the record while the token holds it. */
  readonly held: (token: Token) => Filter;
  /** The token's fields, to set in a record. */
  fields(token: Token): Record<string, unknown>;
  /** The token of a record; undefined if it was never held. */
  of(record: object): Token | undefined;
  /** The paths of the token's fields. */
  readonly paths: readonly string[];
  /** The paths that a release removes. */
  readonly released: readonly string[];
}

/** The usual fields of a lease. */
export const leaseFields: LeaseFields = { token: 'lease.token', until: 'lease.until', holder: 'lease.holder' };

/** A stored lease; without a token, the record is free. */
export interface StoredLease {
  token?: string;
  until?: Date;
  holder?: ProcessIdentity;
}

/** A record that this process holds until the lease expires or is released. */
export interface LeaseClaim<Stored, Token = string> {
  readonly token: Token;
  /** The record right after the claim. */
  readonly record: Stored;
}

type Filter = Readonly<Record<string, unknown>>;
type Update = mongo.UpdateFilter<mongo.BSON.Document>;

interface ClaimOptions<Token = string> {
  /** How long the lease lasts unless renewed. */
  milliseconds: number;
  /** Fields to set with the claim, as update pipeline expressions (`literal` for values from outside). */
  set?: Record<string, unknown>;
  /** The order in which free records are claimed. */
  sort?: Record<string, 1 | -1>;
  /** The claim's token; random by default. */
  token?: Token;
  /**
   * Whether a read looks first whether any record matches, for work that is rare: a poll that finds none is then one command, and
   * no write.
   */
  isRare?: boolean;
  /** Whether `record` is the state before the claim. */
  before?: boolean;
}

/**
 * Exclusive leases on the records of one collection. At most one caller of all processes holds a record. A lease that
 * is not renewed expires by the database's clock, so a process with a wrong clock neither loses a lease nor takes one.
 * Every write of a holder is conditional on its token, so a process that was suspended and lost its lease changes
 * nothing.
 *
 * @example
 * const leases = createLeases<JobRecord>(model.collection, { token: 'lease.token', until: 'lease.until' });
 * const claim = await leases.claim({ state: 'queued' }, { milliseconds: 20_000, sort: { _id: 1 } });
 * if (claim) await leases.write({ _id: claim.record._id }, claim.token, { $set: { state: 'done' } });
 */
export interface Leases<Stored, Token = string> {
  /** Claims one free record; undefined if none exists. */
  claim(filter: Filter, options: ClaimOptions<Token>): Promise<LeaseClaim<Stored, Token> | undefined>;
  /** Extends the lease, with further fields as in `claim`. Returns the record; undefined if the lease is lost. */
  renew(filter: Filter, token: Token, milliseconds: number, set?: Record<string, unknown>): Promise<Stored | undefined>;
  /** Extends the leases of all matching records in one command. */
  renewAll(filter: Filter, milliseconds: number): Promise<void>;
  /** Updates the record if the token holds it; false if the lease is lost. */
  write(filter: Filter, token: Token, update: Update): Promise<boolean>;
  /** Frees the record and applies a last update; false if the lease is lost. */
  release(filter: Filter, token: Token, update?: Update): Promise<boolean>;
  /** Matches free records: never claimed, released, or expired. */
  readonly free: Filter;
  /** Matches the record while the token holds it. */
  readonly held: (token: Token) => Filter;
  /** The fields of a claim, for an update pipeline that creates a record and claims it in one step. */
  granted(token: Token, milliseconds: number): Record<string, unknown>;
  /** The same for a record that anyone can claim at once. */
  offered(token: Token): Record<string, unknown>;
}

/** Creates leases in these fields of a collection. */
export function createLeases<Stored, Token = string>(
  collection: Collection,
  fields: LeaseFields<Token>,
): Leases<Stored, Token> {
  const { until, holder } = fields;
  const stored = typeof fields.token === 'string' ? tokenAt<Token>(fields.token) : fields.token;
  const { held } = stored;
  const free: Filter = { $expr: isOver(until) };

  function granted(token: Token, milliseconds: number): Record<string, unknown> {
    return {
      ...literal(stored.fields(token)),
      [until]: untilIn(milliseconds),
      ...(holder !== undefined && { [holder]: { $literal: thisProcess } }),
    };
  }

  async function claimWhere(
    filter: Filter,
    options: ClaimOptions<Token>,
  ): Promise<LeaseClaim<Stored, Token> | undefined> {
    const { milliseconds, set, sort, before = false, token = randomUUID() as Token } = options;
    const record = await collection.findOneAndUpdate(filter, [{ $set: { ...set, ...granted(token, milliseconds) } }], {
      ...(sort && { sort }),
      returnDocument: before ? 'before' : 'after',
    });
    return record === null ? undefined : { token, record: record as Stored };
  }

  /** The tokens of processes known to have died. */
  async function deadTokens(filter: Filter, holderField: string): Promise<Token[]> {
    const projection = Object.fromEntries([holderField, ...stored.paths].map((path) => [path, 1]));
    const found = await collection
      .find({ ...filter, [`${holderField}.pid`]: { $type: 'number' } }, { projection })
      .toArray();
    return found
      .filter((record) => isKnownDead(valueAt(record, holderField) as ProcessIdentity))
      .map((record) => stored.of(record))
      .filter((token) => token !== undefined);
  }

  return {
    free,
    held,
    granted,
    offered: (token) => ({
      ...literal({ ...stored.fields(token), [until]: new Date(0) }),
      ...(holder !== undefined && { [holder]: { $literal: null } }),
    }),
    async claim(filter, options) {
      if (options.isRare === true && (await collection.findOne(filter, { projection: { _id: 1 } })) === null)
        return undefined;
      const claim = await claimWhere({ ...filter, ...free }, options);
      if (claim !== undefined || holder === undefined) return claim;
      for (const dead of await deadTokens(filter, holder)) {
        const taken = await claimWhere({ ...filter, ...held(dead) }, options);
        if (taken !== undefined) return taken;
      }
      return undefined;
    },
    async renew(filter, token, milliseconds, set) {
      const renewed = { ...set, [until]: untilIn(milliseconds) };
      const record = await collection.findOneAndUpdate({ ...filter, ...held(token) }, [{ $set: renewed }], {
        returnDocument: 'after',
      });
      return record === null ? undefined : (record as Stored);
    },
    async renewAll(filter, milliseconds) {
      await collection.updateMany(filter, [{ $set: { [until]: untilIn(milliseconds) } }]);
    },
    async write(filter, token, update) {
      return (await collection.updateOne({ ...filter, ...held(token) }, update)).matchedCount === 1;
    },
    async release(filter, token, update = {}) {
      const { $unset, ...rest } = update;
      const removed = Object.fromEntries([until, ...stored.released].map((path) => [path, 1]));
      const freed = { ...rest, $unset: { ...$unset, ...removed } } as Update;
      return (await collection.updateOne({ ...filter, ...held(token) }, freed)).matchedCount === 1;
    },
  };
}

/** Storage of a token in one field. */
function tokenAt<Token>(path: string): StoredToken<Token> {
  return {
    held: (token) => ({ [path]: token }),
    fields: (token) => ({ [path]: token }),
    of: (record) => valueAt(record, path) as Token | undefined,
    paths: [path],
    released: [path],
  };
}

function valueAt(record: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], record);
}
