import mongoose, { type Connection, type Types } from 'mongoose';
import { isDue } from '../../platform/database/database-clock.ts';
import { ignoreDuplicateKey } from '../../platform/database/connection.ts';
import { createLeases, leaseFields, type StoredLease } from '../../platform/leases/leases.ts';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';

/** What was looked at for conversations of purged documents. */
type PurgedLookRecord = StoredRecord<typeof purgedLookSchema>;

const purgedLookSchema = recordSchema(
  {
    /** The collection that is looked at. */
    _id: field.text,
    /** What was stored before then was looked at. */
    looked_until: field.date,
    lease: field.mixed<StoredLease>().optional(),
  },
  { collection: 'purged_document_looks' },
);
const purgedLookModel = modelOf('PurgedDocumentLook', purgedLookSchema);

/** A look at one collection, which one process takes at a time. */
export interface PurgedLook {
  name: string;
  lookedUntil: Date;
  token: string;
}

const leaseMs = 60_000;
/** Other processes look as often, and find nothing to do for so long. */
const pauseMs = 30 * 60_000;
/** An id is made before its record is stored, by the clock of another machine. */
const lateMs = 3_600_000;

export function createPurgedLooks(connection: Connection) {
  const model = purgedLookModel(connection);
  const leases = createLeases<PurgedLookRecord>(model.collection, leaseFields);
  const one = (name: string) => ({ _id: name }) as never;
  return {
    /** Claims the look at a collection, the first time from `first` on; undefined if another process has just taken it. */
    async claim(name: string, first: Date): Promise<PurgedLook | undefined> {
      const begun = { $setOnInsert: { looked_until: first } };
      await model.updateOne({ _id: name }, begun, { upsert: true }).catch(ignoreDuplicateKey);
      const due = { _id: name, $or: isDue('looked_until', lateMs, pauseMs) };
      const claim = await leases.claim(due, { milliseconds: leaseMs });
      const until: unknown = claim?.record.looked_until;
      // A damaged one says nothing of what was looked at.
      const isSound = until instanceof Date && until.getTime() <= Date.now();
      return claim && { name, lookedUntil: isSound ? until : first, token: claim.token };
    },
    /** The first id that is to be looked at. */
    firstOf: ({ lookedUntil }: PurgedLook): Types.ObjectId =>
      mongoose.Types.ObjectId.createFromTime(Math.max(0, Math.floor((lookedUntil.getTime() - lateMs) / 1000))),
    /** Notes how far the look has come, and renews its lease; false if it is lost. */
    async advance({ name, token }: PurgedLook, looked_until: Date): Promise<boolean> {
      return (
        (await leases.renew(one(name), token, leaseMs, { looked_until: { $literal: looked_until } })) !== undefined
      );
    },
    async release({ name, token }: PurgedLook, looked_until?: Date): Promise<void> {
      await leases.release(one(name), token, looked_until && { $set: { looked_until } });
    },
  };
}
