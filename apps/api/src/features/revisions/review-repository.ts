import mongoose, { type Connection } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { revisionModels, type RevisionedKind } from './revision-model.ts';

/** Ends the pending review of a schema or prompt that a run without a user created. */
export type EndReview = (organizationId: string, artifactId: string) => Promise<void>;

export function createEndReview(connection: Connection, kind: RevisionedKind): EndReview {
  const { artifacts } = revisionModels(connection, kind);
  return async (organizationId, artifactId) => {
    const own = {
      _id: { $in: objectIdsOf([artifactId]) },
      organization_id: new mongoose.Types.ObjectId(organizationId),
    };
    // Not counted as a change: the run can still be undone.
    await artifacts.updateOne({ ...own, review: 'pending' }, { $set: { review: null } });
  };
}

/** Makes a review pending again; the reverse of `EndReview`. */
export function createReopenReview(connection: Connection, kind: RevisionedKind): EndReview {
  const { artifacts } = revisionModels(connection, kind);
  return async (organizationId, artifactId) => {
    const own = {
      _id: { $in: objectIdsOf([artifactId]) },
      organization_id: new mongoose.Types.ObjectId(organizationId),
    };
    await artifacts.updateOne(own, { $set: { review: 'pending' } });
  };
}
