import mongoose, { type Connection } from 'mongoose';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';
import { ignoreDuplicateKey } from '../../platform/database/connection.ts';
import { isAhead } from '../../platform/database/database-clock.ts';
import { createLeases, type StoredLease } from '../../platform/leases/leases.ts';

/** The lease of a document by a user. */
type ReviewLeaseRecord = StoredRecord<typeof schema>;

const schema = recordSchema(
  {
    organization_id: field.objectId,
    lease: field.mixed<StoredLease>().optional(),
  },
  { collection: 'review_leases' },
);
schema.index({ organization_id: 1, 'lease.until': 1 });

const reviewLeaseModel = modelOf('ReviewLease', schema);

/** How long a listed document is leased; listing it again renews the lease. */
const reviewLeaseMs = 120_000;

/** The leases of documents in one organization. The token of a lease is the user's id. */
export type ReviewLeases = ReturnType<ReturnType<typeof createReviewLeases>>;

export function createReviewLeases(connection: Connection) {
  const { collection } = reviewLeaseModel(connection);
  const leases = createLeases<ReviewLeaseRecord>(collection, { token: 'lease.token', until: 'lease.until' });
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    return {
      /** The documents leased to the user, and those leased to others. */
      async listActive(userId: string): Promise<{ own: Set<string>; byOthers: Set<string> }> {
        // The index skips leases that expired long ago; the database's clock decides about the others.
        const recent = { 'lease.token': { $exists: true }, 'lease.until': { $gt: new Date(Date.now() - 3_600_000) } };
        const active = { $expr: isAhead('lease.until') };
        const records = await collection
          .find({ organization_id, ...recent, ...active }, { projection: { 'lease.token': 1 }, limit: 10_000 })
          .toArray();
        const [own, others] = [true, false].map((isOwn) =>
          records.filter(({ lease }) => (lease?.token === userId) === isOwn).map(({ _id }) => String(_id)),
        );
        return { own: new Set(own), byOthers: new Set(others) };
      },
      /** Takes or renews the lease; false if another user has it. */
      async take(documentId: string, userId: string): Promise<boolean> {
        const key = { _id: new mongoose.Types.ObjectId(documentId), organization_id };
        if ((await leases.renew(key, userId, reviewLeaseMs)) !== undefined) return true;
        // A concurrent request can insert the same record.
        await collection.updateOne(key, { $setOnInsert: key }, { upsert: true }).catch(ignoreDuplicateKey);
        return (await leases.claim(key, { milliseconds: reviewLeaseMs, token: userId })) !== undefined;
      },
      async remove(documentId: string): Promise<void> {
        await collection.deleteOne({ _id: new mongoose.Types.ObjectId(documentId), organization_id });
      },
    };
  };
}
