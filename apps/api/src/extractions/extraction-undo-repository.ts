import mongoose, { type Connection } from 'mongoose';
import type { UndoableThings } from '../undo/undoable-things.ts';
import { extractionModel } from './extraction-model.ts';
import type { ExtractionBefore } from './extraction-repository.ts';

export interface ExtractionUndoOptions {
  /** Called when a document has lost its last result. */
  onLastRemoved: (organizationId: string, documentId: string) => Promise<void>;
}

/** Takes runs and corrections back: the former result takes the place of the present one, or nothing does. */
export function createExtractionUndo(
  connection: Connection,
  { onLastRemoved }: ExtractionUndoOptions,
): (organizationId: string) => UndoableThings {
  const model = extractionModel(connection);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    return {
      async writtenBy(callId) {
        const found = await model.findOne({ organization_id, applied_calls: callId }).lean();
        return found === null ? undefined : { id: found._id.toHexString(), name: 'extraction', changes: found.changes };
      },
      async exists(id) {
        return (await model.countDocuments({ _id: new mongoose.Types.ObjectId(id), organization_id })) > 0;
      },
      obstacles: async () => [],
      async restore({ id, before, changes, base, origin }) {
        const own = { _id: new mongoose.Types.ObjectId(id), organization_id };
        const found = await model.findOne(own).lean();
        const former = before as ExtractionBefore | null;
        if (former === null) {
          // An earlier try removed it.
          if (found === null) return true;
          const { deletedCount } = await model.deleteOne({ ...own, changes });
          if (deletedCount === 0) return (await model.exists(own)) === null;
          const { document_id } = found;
          if ((await model.countDocuments({ organization_id, document_id })) === 0) {
            await onLastRemoved(organizationId, document_id.toHexString());
          }
          return true;
        }
        if (found?.applied_calls.includes(origin.call_id)) return true;
        const set = { ...former, created_at: new Date(former.created_at), changed_at: new Date(), changes: base };
        const { matchedCount } = await model.updateOne(
          { ...own, changes },
          { $set: set, $inc: { version: 1 }, $push: { applied_calls: origin.call_id } },
        );
        // Another try of the same undo may have been faster.
        return matchedCount === 1 || (await model.exists({ ...own, applied_calls: origin.call_id })) !== null;
      },
    };
  };
}
