import mongoose, { type Connection } from 'mongoose';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { createWrittenRecords } from '../../turn-writes/written-record-repository.ts';
import type { IsUndone, UndoableRecords } from '../../turn-writes/undoable-records.ts';
import { tagModel } from './tag-model.ts';
import { tagKeyOf, type TagBefore } from './tag-repository.ts';

interface TagUndoOptions {
  /** The documents and prompts with the tag, as messages, without those that the same undo restores. */
  usersOf: (organizationId: string, tagId: string, isUndone: IsUndone) => Promise<string[]>;
}

/** Undoes writes of tags. */
export function createTagUndo(
  connection: Connection,
  { usersOf }: TagUndoOptions,
): (organizationId: string) => UndoableRecords {
  const model = tagModel(connection);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const written = createWrittenRecords(connection, organizationId, {
      collection: model.collection.name,
      notedAs: 'applied_calls',
      nameOf: ({ name }) => `tag “${name}”`,
    });
    return {
      ...written,
      async obstacles({ id, before }, isUndone) {
        if (before === null) {
          const users = await usersOf(organizationId, id, isUndone);
          return users.length === 0 ? [] : [`the tag is in use by ${users.join(', ')}`];
        }
        const { name } = before as TagBefore;
        const namesake = await model.findOne({ organization_id, name_key: tagKeyOf(name), _id: { $ne: id } }).lean();
        if (namesake === null || isUndone('tag', namesake._id.toHexString())) return [];
        return [`another tag is named “${name}” now`];
      },
      async restore({ id, before, changes, base, origin }) {
        const own = { _id: new mongoose.Types.ObjectId(id), organization_id };
        const found = await model.findOne(own).lean();
        if (found?.applied_calls.includes(origin.call_id)) return true;
        const former = before as TagBefore | null;
        const update =
          former === null
            ? {
                $set: { deleted_at: new Date(), deleted_by_call: origin.call_id, changes: base },
                $unset: { name_key: 1 },
              }
            : {
                $set: {
                  ...former,
                  name_key: tagKeyOf(former.name),
                  deleted_at: null,
                  deleted_by_call: null,
                  changes: base,
                },
              };
        try {
          const { matchedCount } = await model.updateOne(
            { ...own, changes },
            { ...update, $push: { applied_calls: origin.call_id } },
          );
          // A concurrent attempt of the same undo might have been faster.
          return matchedCount === 1 || (await model.exists({ ...own, applied_calls: origin.call_id })) !== null;
        } catch (error) {
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      },
    };
  };
}
