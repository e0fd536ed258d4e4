import mongoose, { type Connection, type mongo } from 'mongoose';
import { isDuplicateKey } from '../platform/database/connection.ts';

const { EJSON } = mongoose.mongo.BSON;

/** A restoration that is reverted: `record` is how the thing stood before it, `base` the changes that it left. */
export interface Reversal {
  id: string;
  record: string;
  base: number;
  /** The restoration's. */
  callId: string;
}

/** A thing that a call wrote, as it stands. */
export interface WrittenThing {
  id: string;
  /** For a person: `schema “Invoice”`. */
  name: string;
  /** How many changes it has seen. */
  changes: number;
}

export interface Keeper {
  /** Undefined where the call wrote nothing, or what it wrote is gone for good. */
  writtenBy(callId: string): Promise<WrittenThing | undefined>;
  /** Whether the thing is there, be it deleted in a way that can be taken back. */
  exists(id: string): Promise<boolean>;
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
  /** Where a record notes the ids of the calls that wrote it. */
  notedAs: 'applied_calls' | 'applied_calls.call_id';
  /** For a person: `schema “Invoice”`. */
  nameOf: (record: mongo.Document) => string;
  /** Whether a restoration may have removed the record itself. */
  isRemoved?: boolean;
}

/**
 * Finds what calls wrote in one organization, and remembers things as they stand, to revert an undo that cannot be carried out
 * as a whole.
 */
export function createKeeper(
  connection: Connection,
  organizationId: string,
  { collection, fields, notedAs, nameOf, isRemoved = false }: KeeperOptions,
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
    async writtenBy(callId) {
      const found = await records().findOne({ organization_id, [notedAs]: callId });
      return found === null
        ? undefined
        : { id: found._id.toHexString(), name: nameOf(found), changes: found['changes'] };
    },
    async exists(id) {
      return (await records().countDocuments(own(id))) > 0;
    },
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
          $pull: { applied_calls: notedAs === 'applied_calls' ? callId : { call_id: callId } } as never,
        },
      );
      return matchedCount === 1;
    },
  };
}
