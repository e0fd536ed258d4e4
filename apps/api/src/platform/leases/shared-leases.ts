import { randomUUID } from 'node:crypto';
import type { Collection, mongo } from 'mongoose';
import { isOver, untilIn } from '../database/database-clock.ts';

/** The fields of a shared lease in a record. */
interface SharedLeaseFields {
  /** The tokens of all holders. */
  tokens: string;
  /** When the lease expires for all holders, by the database's clock. */
  until: string;
}

type Filter = Readonly<Record<string, unknown>>;
type Update = mongo.UpdateFilter<mongo.BSON.Document>;

/**
 * Leases that several holders share on one record. The record is held while any of them renews; otherwise the lease
 * expires by the database's clock. Every write of a holder is conditional on its token.
 *
 * @example
 * const runs = createSharedLeases(model.collection, { tokens: 'model_runs', until: 'model_lease_until' });
 * const token = await runs.join({ _id }, 60_000, { state: { $literal: 'llm_processing' } });
 * await runs.leave({ _id }, token, { $set: { state: 'llm_completed' } });
 */
export type SharedLeases = ReturnType<typeof createSharedLeases>;

/** Creates shared leases in these fields of a collection. */
export function createSharedLeases(collection: Collection, { tokens, until }: SharedLeaseFields) {
  const held = (token: string): Filter => ({ [tokens]: token });
  return {
    /** Adds a holder and returns its token. Sets fields with it, as update pipeline expressions, or removes them. */
    async join(filter: Filter, milliseconds: number, set: Record<string, unknown> = {}, unset: string[] = []) {
      const token = randomUUID();
      const joined = {
        ...set,
        [until]: untilIn(milliseconds),
        [tokens]: { $concatArrays: [{ $ifNull: [`$${tokens}`, []] }, [token]] },
      };
      await collection.updateOne(filter, [{ $set: joined }, ...unset.map((field) => ({ $unset: field }))]);
      return token;
    },
    /** False if the lease has expired and was ended. */
    async renew(filter: Filter, token: string, milliseconds: number) {
      const renewed = [{ $set: { [until]: untilIn(milliseconds) } }];
      return (await collection.updateOne({ ...filter, ...held(token) }, renewed)).matchedCount === 1;
    },
    /** Removes the holder and applies a last update; false if the record does not match or the lease was ended. */
    async leave(filter: Filter, token: string, update: Update = {}) {
      const left = { ...update, $pull: { ...update.$pull, [tokens]: token } } as Update;
      return (await collection.updateOne({ ...filter, ...held(token) }, left)).matchedCount === 1;
    },
    /**
     * Ends the expired leases among the records; each record gets an update of its own, by these fields of it. Returns their
     * number. One that is damaged keeps none of the others from ending: its error is thrown after them.
     */
    async end(
      filter: Filter,
      updateOf: (record: Readonly<Record<string, unknown>>) => Update,
      fields: readonly string[] = [],
    ) {
      const expired = { ...filter, $expr: isOver(until) };
      let ended = 0;
      const failures: unknown[] = [];
      const projection = Object.fromEntries(['_id', ...fields].map((field) => [field, 1]));
      for await (const record of collection.find(expired, { projection })) {
        const { _id } = record;
        try {
          const { $set = {}, ...update } = updateOf(record);
          const change = { ...update, $set: { ...$set, [tokens]: [] } } as Update;
          ended += (await collection.updateOne({ ...expired, _id }, change)).modifiedCount;
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
      return ended;
    },
  };
}
