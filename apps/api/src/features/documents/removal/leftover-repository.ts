import type { Connection } from 'mongoose';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import { beingPurged, documentModel, modelRunLeases } from '../document-model.ts';

export interface DeletedDocument {
  organizationId: string;
  documentId: string;
  fileId: string;
}

/** What killed processes and agents leave behind, over all organizations. */
export interface LeftoverRepository {
  /** Fails the model runs that nobody keeps alive any more; how many there were. */
  failLostRuns(error: { code: string; message: string }): Promise<number>;
  /**
   * A document that was deleted before that time, except those in `but`. It cannot be restored from here on, and is found
   * again until `forget`, so that a process that dies with half of its parts removed leaves none behind.
   */
  takeDeleted(before: Date, but: readonly string[]): Promise<DeletedDocument | undefined>;
  /** Whether a document names the file. */
  isFileUsed(fileId: string): Promise<boolean>;
  /** Removes the record, once all that belongs to it is gone. */
  forget(document: DeletedDocument): Promise<void>;
}

export function createLeftoverRepository(connection: Connection): LeftoverRepository {
  const model = documentModel(connection);
  return {
    async failLostRuns(error) {
      const lost = {
        state: 'llm_processing' as const,
        // Another worker takes that up.
        'auto_create.status': { $ne: 'running' as const },
      };
      return await modelRunLeases(connection).end(lost, { state: 'llm_failed', state_error: error });
    },
    async takeDeleted(before, but) {
      const record = await model
        .findOneAndUpdate(
          { deleted_at: { $lt: before }, _id: { $nin: objectIdsOf(but) } },
          { $set: { deleted_at: beingPurged }, $inc: { changes: 1 } },
        )
        .lean();
      if (record === null) return undefined;
      return {
        organizationId: record.organization_id.toHexString(),
        documentId: record._id.toHexString(),
        fileId: record.file_id.toHexString(),
      };
    },
    async isFileUsed(fileId) {
      return (await model.exists({ file_id: { $in: objectIdsOf([fileId]) } })) !== null;
    },
    async forget({ documentId }) {
      await model.deleteOne({ _id: { $in: objectIdsOf([documentId]) } });
    },
  };
}
