import mongoose, { type Connection, type Model, type Types } from 'mongoose';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { createLeases } from '../../platform/leases/leases.ts';

/** Who looks at a document. */
interface ReviewLeaseRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  lease?: { token?: string; until?: Date };
}

const schema = new mongoose.Schema<ReviewLeaseRecord>(
  {
    organization_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    lease: { type: mongoose.Schema.Types.Mixed },
  },
  { collection: 'review_leases', versionKey: false, autoIndex: false },
);
schema.index({ organization_id: 1, 'lease.until': 1 });

function reviewLeaseModel(connection: Connection): Model<ReviewLeaseRecord> {
  return connection.models['ReviewLease'] ?? connection.model<ReviewLeaseRecord>('ReviewLease', schema);
}

/** For how long a document that was shown is nobody else's, unless it is shown again. */
const reviewLeaseMs = 120_000;

/** Which documents of one organization people look at. The token of a lease is the user's id. */
export interface ReviewLeases {
  /** Documents that the user looks at now, and those that others do. */
  held(userId: string): Promise<{ own: Set<string>; byOthers: Set<string> }>;
  /** Takes or renews the lease; false where somebody else has it. */
  take(documentId: string, userId: string): Promise<boolean>;
  remove(documentId: string): Promise<void>;
}

export function createReviewLeases(connection: Connection): (organizationId: string) => ReviewLeases {
  const { collection } = reviewLeaseModel(connection);
  const leases = createLeases<ReviewLeaseRecord>(collection, { token: 'lease.token', until: 'lease.until' });
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    return {
      async held(userId) {
        // Leases that were over long ago are passed over by the index; whether one is over now, the database's clock says.
        const recent = { $gt: new Date(Date.now() - 3_600_000) };
        const taken = { 'lease.token': { $exists: true }, 'lease.until': recent };
        const held = { $expr: { $gte: ['$lease.until', '$$NOW'] } };
        const records = await collection
          .find({ organization_id, ...taken, ...held }, { projection: { 'lease.token': 1 }, limit: 10_000 })
          .toArray();
        const [own, others] = [true, false].map((isOwn) =>
          records.filter(({ lease }) => (lease?.token === userId) === isOwn).map(({ _id }) => String(_id)),
        );
        return { own: new Set(own), byOthers: new Set(others) };
      },
      async take(documentId, userId) {
        const which = { _id: new mongoose.Types.ObjectId(documentId), organization_id };
        if ((await leases.renew(which, userId, reviewLeaseMs)) !== undefined) return true;
        // Whoever comes at the same time inserts it, too.
        await collection.updateOne(which, { $setOnInsert: which }, { upsert: true }).catch((error: unknown) => {
          if (!isDuplicateKey(error)) throw error;
        });
        return (await leases.claim(which, { milliseconds: reviewLeaseMs, token: userId })) !== undefined;
      },
      async remove(documentId) {
        await collection.deleteOne({ _id: new mongoose.Types.ObjectId(documentId), organization_id });
      },
    };
  };
}
