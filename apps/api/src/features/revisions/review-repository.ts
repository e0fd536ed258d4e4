import mongoose, { type Connection } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { revisionModels, type RevisionedKind } from './revision-model.ts';

/** Makes things ordinary that a run without a person had made for review. */
export type EndReview = (organizationId: string, artifactId: string) => Promise<void>;

export function createEndReview(connection: Connection, kind: RevisionedKind): EndReview {
  const { artifacts } = revisionModels(connection, kind);
  return async (organizationId, artifactId) => {
    const own = {
      _id: { $in: objectIdsOf([artifactId]) },
      organization_id: new mongoose.Types.ObjectId(organizationId),
    };
    // Not counted as a change: taking the run back is not hindered by it.
    await artifacts.updateOne({ ...own, review: 'pending' }, { $set: { review: null } });
  };
}

/** Has things wait for a review again; the reverse of `EndReview`. */
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
