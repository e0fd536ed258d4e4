import mongoose, { type Connection, type mongo } from 'mongoose';
import { isDuplicateKey } from '../db/connection.ts';

const { EJSON } = mongoose.mongo.BSON;

/** A restoration that is reverted: `record` is how the thing stood before it, `base` the changes that it left. */
export interface Reversal {
  id: string;
  record: string;
  base: number;
  /** The restoration's. */
  callId: string;
}

export interface Keeper {
  /** The thing as it stands, as text; undefined where it is gone. */
  recordOf(id: string): Promise<string | undefined>;
  /**
   * Puts a thing back to how it stood before its restoration. False where somebody has changed it since; true too where
   * it was never restored.
   */
  revert(reversal: Reversal): Promise<boolean>;
}

export interface KeeperOptions {
  collection: string;
  /** What a restoration writes, beside the count of changes and the noted call. */
  fields: readonly string[];
  /** Matches the entry of a call in `applied_calls`. */
  entryOf: (callId: string) => unknown;
  /** Whether a restoration may have removed the record itself. */
  isRemoved?: boolean;
}

/** Remembers things of one organization as they stand, to revert an undo that cannot be carried out as a whole. */
export function createKeeper(
  connection: Connection,
  organizationId: string,
  { collection, fields, entryOf, isRemoved = false }: KeeperOptions,
): Keeper {
  const organization_id = new mongoose.Types.ObjectId(organizationId);
  const records = () => connection.collection(collection);
  const own = (id: string) => ({ _id: new mongoose.Types.ObjectId(id), organization_id });

  /** False where there is another in its place by now. */
  async function insertAgain(former: mongo.Document): Promise<boolean> {
    try {
      await records().insertOne(former);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  return {
    async recordOf(id) {
      const record = await records().findOne(own(id));
      return record === null ? undefined : EJSON.stringify(record, { relaxed: false });
    },
    async revert({ id, record, base, callId }) {
      const former = EJSON.parse(record, { relaxed: false }) as mongo.Document;
      const present = await records().findOne(own(id));
      if (present === null) {
        return !isRemoved || (await insertAgain(former));
      }
      const noted = (present['applied_calls'] as unknown[]).some(
        (entry) => entry === callId || (entry as { call_id?: string }).call_id === callId,
      );
      if (!noted) return true;
      const there = fields.filter((field) => field in former);
      const missing = fields.filter((field) => !(field in former));
      const { matchedCount } = await records().updateOne(
        { ...own(id), changes: base },
        {
          $set: { ...Object.fromEntries(there.map((field) => [field, former[field]])), changes: former['changes'] },
          ...(missing.length > 0 && { $unset: Object.fromEntries(missing.map((field) => [field, 1])) }),
          $pull: { applied_calls: entryOf(callId) } as never,
        },
      );
      return matchedCount === 1;
    },
  };
}
