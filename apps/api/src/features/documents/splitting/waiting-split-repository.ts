import mongoose, { type Connection } from 'mongoose';
import { objectIdOf } from '../../../platform/database/object-id.ts';
import { documentModel } from '../records/document-model.ts';

/** Ends the wait of a document for a user who says where its documents begin. */
export type EndWaitingForSplit = (organizationId: string, documentId: string) => Promise<void>;

export function createEndWaitingForSplit(connection: Connection): EndWaitingForSplit {
  const model = documentModel(connection);
  return async (organizationId, documentId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    await model.updateOne(
      { _id: objectIdOf(documentId) ?? null, organization_id, 'routing.state': 'waiting_split' },
      { $set: { 'routing.state': 'routed' } },
    );
  };
}
