import mongoose, { type Connection, type mongo } from 'mongoose';
import { isDuplicateKey } from '../platform/database/connection.ts';

const { EJSON } = mongoose.mongo.BSON;

/** A restoration to revert: `record` is the record before it, `base` its number of changes after it. */
interface Reversal {
  id: string;
  record: string;
  base: number;
  /** The restoration's call id. */
  callId: string;
}

/** A record that a call wrote, in its current state. */
export interface WrittenRecord {
  id: string;
  /** Shown to users: `schema “Invoice”`. */
  name: string;
  /** How often it was changed. */
  changes: number;
}

export interface WrittenRecords {
  /** Undefined if the call wrote nothing, or if the record was removed for good. */
  writtenBy(callId: string): Promise<WrittenRecord | undefined>;
  /** Whether the record exists; deleted records that can be restored do. */
  exists(id: string): Promise<boolean>;
  /** The current record as text; undefined if it was removed. */
  recordOf(id: string): Promise<string | undefined>;
  /**
   * Reverts a record to its state before the restoration. False if it was changed since; also true if it was never
   * restored.
   */
  revert(reversal: Reversal): Promise<boolean>;
}

interface WrittenRecordOptions {
  collection: string;
  /**
   * The fields that are written without counting a change, such as the state of a document: a reversal leaves them as they
   * are now. It restores all others.
   */
  leaves?: readonly string[];
  /** The field with the ids of the calls that wrote the record. */
  notedAs: 'applied_calls' | 'applied_calls.call_id';
  /** Shown to users: `schema “Invoice”`. */
  nameOf: (record: mongo.Document) => string;
  /** Whether a restoration can remove the record itself; its reversal then inserts it again. */
  isRemovable?: boolean;
  /** For ids that are not ObjectIds. */
  idOf?: (id: string) => unknown;
}

/** Finds the records that calls wrote in one organization, and reverts their restoration if an undo fails half-way. */
export function createWrittenRecords(
  connection: Connection,
  organizationId: string,
  { collection, leaves = [], notedAs, nameOf, isRemovable = false, idOf = toObjectId }: WrittenRecordOptions,
): WrittenRecords {
  const organization_id = new mongoose.Types.ObjectId(organizationId);
  const records = () => connection.collection(collection);
  const own = (id: string) => ({ _id: idOf(id) as mongo.ObjectId, organization_id });

  const exists = async (id: string) => (await records().countDocuments(own(id))) > 0;

  /** False if another record has its unique key now. */
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
      return found === null ? undefined : { id: String(found._id), name: nameOf(found), changes: found['changes'] };
    },
    exists,
    async recordOf(id) {
      const record = await records().findOne(own(id));
      return record === null ? undefined : EJSON.stringify(record, { relaxed: false });
    },
    async revert({ id, record, base, callId }) {
      const former = EJSON.parse(record, { relaxed: false }) as mongo.Document;
      if (!(await exists(id))) return !isRemovable || (await insertAgain(former));
      const restored = await records().findOne({ ...own(id), [notedAs]: callId });
      if (restored === null) return true;
      const isReverted = (field: string) => !identity.includes(field) && !leaves.includes(field);
      const kept = Object.keys(former).filter(isReverted);
      const missing = Object.keys(restored).filter((field) => isReverted(field) && !(field in former));
      const { matchedCount } = await records().updateOne(
        { ...own(id), changes: base },
        {
          $set: Object.fromEntries(kept.map((field) => [field, former[field]])),
          ...(missing.length > 0 && { $unset: Object.fromEntries(missing.map((field) => [field, 1])) }),
          $pull: { applied_calls: notedAs === 'applied_calls' ? callId : { call_id: callId } } as never,
        },
      );
      return matchedCount === 1;
    },
  };
}

/** Fields that stay, and the calls, of which a reversal removes its own. */
const identity = ['_id', 'organization_id', 'applied_calls'];

function toObjectId(id: string): mongo.ObjectId {
  return new mongoose.Types.ObjectId(id);
}
