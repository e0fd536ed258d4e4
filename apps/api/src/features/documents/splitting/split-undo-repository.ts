import mongoose, { type Connection } from 'mongoose';
import type { UndoableRecords } from '../../../turn-writes/undoable-records.ts';
import { documentModel, outOfTrash, type DocumentRecord } from '../records/document-model.ts';

/** Matches a document that has not changed since the split. */
const unchanged = { changes: { $in: [0, null] }, deleted_at: null };

/**
 * Undoes a split: moves its documents to the trash together, unless one of them has changed. The undoable record is the
 * group, whose id is the id of its first document.
 */
export function createSplitUndo(connection: Connection): (organizationId: string) => UndoableRecords {
  const model = documentModel(connection);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const group = (id: string) => ({ organization_id, split_group: new mongoose.Types.ObjectId(id) });
    const childrenOf = (id: string): Promise<DocumentRecord[]> => model.find(group(id)).lean();

    async function restoreFromTrash(id: string, callId: string): Promise<boolean> {
      const undone = { ...group(id), applied_calls: callId };
      await model.updateMany(
        { ...undone, deleted_by_call: callId },
        { $set: outOfTrash, $pull: { applied_calls: callId } },
      );
      // Any that remain were restored from the trash or purged meanwhile.
      return (await model.countDocuments(undone)) === 0;
    }

    return {
      async writtenBy(callId) {
        const children = await model
          .find({ organization_id, applied_calls: callId, split_group: { $exists: true } })
          .lean();
        const [first] = children;
        if (first?.split_group === undefined) return undefined;
        const isPresent = children.some(({ deleted_at }) => deleted_at === null);
        const name = `split into ${children.length === 1 ? 'one document' : `${children.length} documents`}`;
        return { id: first.split_group.toHexString(), name, changes: isPresent ? 1 : 0 };
      },
      exists: async (id) => (await model.exists(group(id))) !== null,
      recordOf: async (id) => ((await model.exists(group(id))) === null ? undefined : id),
      revert: ({ id, callId }) => restoreFromTrash(id, callId),
      async obstacles({ id }, isUndone) {
        const changed = (await childrenOf(id)).filter(
          ({ _id, changes, deleted_at }) =>
            ((changes ?? 0) > 0 || deleted_at !== null) && !isUndone('document', _id.toHexString()),
        );
        return changed.map(({ document_name }) => `the document “${document_name}” has changed since`);
      },
      async restore({ id, origin: { call_id }, userId }) {
        const children = (await childrenOf(id)).filter(({ applied_calls }) => !applied_calls.includes(call_id));
        const $set = {
          deleted_at: new Date(),
          deleted_by: new mongoose.Types.ObjectId(userId),
          deleted_by_call: call_id,
        };
        for (const { _id } of children) {
          const change = { $set, $push: { applied_calls: call_id } };
          const { matchedCount } = await model.updateOne({ _id, organization_id, ...unchanged }, change);
          if (matchedCount === 1) continue;
          await restoreFromTrash(id, call_id);
          return false;
        }
        return true;
      },
    };
  };
}
