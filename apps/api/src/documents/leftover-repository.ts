import type { Connection } from 'mongoose';
import { documentModel } from './document-model.ts';

/** What killed processes and agents leave behind, over all organizations. */
export interface LeftoverRepository {
  /** Fails the model runs that nobody keeps alive any more; how many there were. */
  failLostRuns(error: { code: string; message: string }): Promise<number>;
  /** Takes one document out that an agent deleted before that time. */
  takeDeleted(before: Date): Promise<{ organizationId: string; documentId: string; fileId: string } | undefined>;
}

export function createLeftoverRepository(connection: Connection): LeftoverRepository {
  const model = documentModel(connection);
  return {
    async failLostRuns(error) {
      const lost = {
        state: 'llm_processing' as const,
        model_lease_until: { $not: { $gt: new Date() } },
        // Another worker takes that up.
        'auto_create.status': { $ne: 'running' as const },
      };
      const { modifiedCount } = await model.updateMany(lost, { $set: { state: 'llm_failed', state_error: error } });
      return modifiedCount;
    },
    async takeDeleted(before) {
      const record = await model.findOneAndDelete({ deleted_at: { $lt: before } }).lean();
      if (record === null) return undefined;
      return {
        organizationId: record.organization_id.toHexString(),
        documentId: record._id.toHexString(),
        fileId: record.file_id.toHexString(),
      };
    },
  };
}
