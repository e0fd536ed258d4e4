import mongoose, { type Connection } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { revisionModels, type RevisionedKind } from './revision-model.ts';

/** Changes the review of a schema or prompt that a run without a user created. */
export type ChangeReview = (organizationId: string, artifactId: string) => Promise<void>;

/** Ends a pending review. Not counted as a change of the artifact, so that the run can still be undone. */
export function createEndReview(connection: Connection, kind: RevisionedKind): ChangeReview {
  return createChangeReview(connection, kind, { from: { review: 'pending' }, to: null });
}

/** Makes a review pending again. */
export function createReopenReview(connection: Connection, kind: RevisionedKind): ChangeReview {
  return createChangeReview(connection, kind, { from: {}, to: 'pending' });
}

function createChangeReview(
  connection: Connection,
  kind: RevisionedKind,
  { from, to }: { from: { review?: 'pending' }; to: 'pending' | null },
): ChangeReview {
  const { artifacts } = revisionModels(connection, kind);
  return async (organizationId, artifactId) => {
    const own = {
      _id: { $in: objectIdsOf([artifactId]) },
      organization_id: new mongoose.Types.ObjectId(organizationId),
    };
    await artifacts.updateOne({ ...own, ...from }, { $set: { review: to } });
  };
}
