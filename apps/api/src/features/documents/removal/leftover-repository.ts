import type { Connection } from 'mongoose';
import { toOutbox } from '../../event-log/index.ts';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import { beingPurged, documentModel, modelRunLeases } from '../records/document-model.ts';
import { extractionFailed, type ModelRunPrompt } from '../records/model-run-prompt.ts';

export interface DeletedDocument {
  organizationId: string;
  documentId: string;
  fileId: string;
}

/** Finds what dead processes and deletions left behind, in all organizations. */
export type LeftoverRepository = ReturnType<typeof createLeftoverRepository>;

export function createLeftoverRepository(connection: Connection) {
  const model = documentModel(connection);
  return {
    /** Fails model runs whose lease has expired, with their event. Returns their number. */
    async failLostRuns(error: { code: string; message: string }): Promise<number> {
      const lost = {
        state: 'llm_processing' as const,
        // Another worker resumes these.
        'auto_create.status': { $ne: 'running' as const },
      };
      return await modelRunLeases(connection).end(
        lost,
        ({ model_run_prompts }) => {
          const stored: unknown[] = Array.isArray(model_run_prompts) ? model_run_prompts : [];
          // Of a damaged record, the run ends all the same.
          const prompts = stored.filter((each) => each instanceof Object) as ModelRunPrompt[];
          const told = prompts.length === 0 ? [undefined] : prompts;
          return {
            $set: { state: 'llm_failed', state_error: error, model_run_prompts: [] },
            ...toOutbox(...told.map((prompt) => extractionFailed(error.code, prompt))),
          };
        },
        ['model_run_prompts'],
      );
    },
    /**
     * Takes a document that was deleted before `before`, except `exceptIds`. It can no longer be restored. It is
     * returned again until `forget`, so that another process can finish an interrupted removal.
     */
    async takeDeleted(before: Date, exceptIds: readonly string[]): Promise<DeletedDocument | undefined> {
      const record = await model
        .findOneAndUpdate(
          { deleted_at: { $lt: before }, _id: { $nin: objectIdsOf(exceptIds) } },
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
    /** Whether a document names the file. */
    async isFileUsed(fileId: string): Promise<boolean> {
      return (await model.exists({ file_id: { $in: objectIdsOf([fileId]) } })) !== null;
    },
    /** Whether this is a document, which can have got another file since. */
    async isDocument(id: string): Promise<boolean> {
      return (await model.exists({ _id: { $in: objectIdsOf([id]) } })) !== null;
    },
    /** Removes the record, after everything that belongs to it. */
    async forget({ documentId }: DeletedDocument): Promise<void> {
      await model.deleteOne({ _id: { $in: objectIdsOf([documentId]) } });
    },
  };
}
