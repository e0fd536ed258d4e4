import { randomUUID } from 'node:crypto';
import type { Collection, mongo } from 'mongoose';
import { isOver, untilIn } from '../database/database-clock.ts';

/** Where a shared lease stands in a record. */
interface SharedLeaseFields {
  /** The tokens of all holders. */
  tokens: string;
  /** When the lease expires for all of them, by the database's clock. */
  until: string;
}

type Filter = Readonly<Record<string, unknown>>;
type Update = mongo.UpdateFilter<mongo.BSON.Document>;

/**
 * Leases that several holders have on one record at the same time. The record is held while one of them renews; when nobody
 * does, the lease expires by the database's clock. Every write of a holder is conditional on its token.
 *
 * @example
 * const runs = createSharedLeases(model.collection, { tokens: 'model_runs', until: 'model_lease_until' });
 * const token = await runs.join({ _id }, 60_000, { state: { $literal: 'llm_processing' } });
 * await runs.leave({ _id }, token, { $set: { state: 'llm_completed' } });
 */
export interface SharedLeases {
  /** Another holder's token; fields are set with it, as expressions of an update pipeline, or removed. */
  join(which: Filter, milliseconds: number, set?: Record<string, unknown>, unset?: string[]): Promise<string>;
  /** False where the lease has expired and was ended. */
  renew(which: Filter, token: string, milliseconds: number): Promise<boolean>;
  /** Gives the token back and applies a last update; false where the record does not match or the lease was ended. */
  leave(which: Filter, token: string, update?: Update): Promise<boolean>;
  /** Ends the expired leases among the records, and applies an update to them; how many there were. */
  end(which: Filter, set: Record<string, unknown>): Promise<number>;
}

/** Shared leases in these fields of a collection. */
export function createSharedLeases(collection: Collection, { tokens, until }: SharedLeaseFields): SharedLeases {
  const held = (token: string): Filter => ({ [tokens]: token });
  return {
    async join(which, milliseconds, set = {}, unset = []) {
      const token = randomUUID();
      const joined = {
        ...set,
        [until]: untilIn(milliseconds),
        [tokens]: { $concatArrays: [{ $ifNull: [`$${tokens}`, []] }, [token]] },
      };
      await collection.updateOne(which, [{ $set: joined }, ...unset.map((field) => ({ $unset: field }))]);
      return token;
    },
    async renew(which, token, milliseconds) {
      const renewed = [{ $set: { [until]: untilIn(milliseconds) } }];
      return (await collection.updateOne({ ...which, ...held(token) }, renewed)).matchedCount === 1;
    },
    async leave(which, token, update = {}) {
      const left = { ...update, $pull: { [tokens]: token } } as Update;
      return (await collection.updateOne({ ...which, ...held(token) }, left)).matchedCount === 1;
    },
    async end(which, set) {
      const ended = { $set: { ...set, [tokens]: [] } };
      return (await collection.updateMany({ ...which, $expr: isOver(until) }, ended)).modifiedCount;
    },
  };
}
