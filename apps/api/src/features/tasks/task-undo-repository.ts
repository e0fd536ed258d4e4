import mongoose, { type Connection } from 'mongoose';
import type { UndoableRecords } from '../../turn-writes/undoable-records.ts';
import { createWrittenRecords } from '../../turn-writes/written-record-repository.ts';
import { taskModel } from './task-model.ts';
import { deletedBy, fieldsOf, type TaskBefore } from './task-repository.ts';

/** Undoes writes of tasks. A restored task that links a document removed since shows no link. */
export function createTaskUndo(connection: Connection): (organizationId: string) => UndoableRecords {
  const model = taskModel(connection);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const written = createWrittenRecords(connection, organizationId, {
      collection: model.collection.name,
      notedAs: 'applied_calls',
      nameOf: ({ title }) => `task “${title}”`,
      idOf: (id) => id,
    });
    return {
      ...written,
      obstacles: async () => [],
      async restore({ id, before, changes, base, origin }) {
        const own = { _id: id, organization_id };
        const found = await model.findOne(own).lean();
        if (found?.applied_calls.includes(origin.call_id)) return true;
        const { matchedCount } = await model.updateOne(
          { ...own, changes },
          before === null
            ? {
                $set: { ...deletedBy(origin), changes: base },
                $push: { applied_calls: origin.call_id },
              }
            : {
                $set: { ...fieldsOf(before as TaskBefore), deleted_at: null, deleted_by_call: null, changes: base },
                $unset: { expires_at: 1 },
                $push: { applied_calls: origin.call_id },
              },
        );
        // A concurrent attempt of the same undo might have been faster.
        return matchedCount === 1 || (await model.exists({ ...own, applied_calls: origin.call_id })) !== null;
      },
    };
  };
}
