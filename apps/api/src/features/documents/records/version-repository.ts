import mongoose, { type Connection } from 'mongoose';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import { documentModel } from './document-model.ts';

/** The versions of files of sources in one organization: lists show the newest one outside the trash. */
export function createVersionRepositories(connection: Connection) {
  const model = documentModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    return {
      /** These documents have a newer version. So has what they had replaced, if they are in the trash. */
      async replace(ids: readonly string[], nextId: string): Promise<void> {
        const replaced_by = new mongoose.Types.ObjectId(nextId);
        const _id = { $in: objectIdsOf(ids) };
        const change = { replaced_by, replaced_in: organization_id, replaced_before: null, missing_since: null };
        await model.updateMany({ organization_id, _id }, { $set: change });
        await model.updateMany({ organization_id, replaced_before: _id }, { $set: change });
      },
      /** These documents are the newest versions. */
      async unreplace(ids: readonly string[]): Promise<void> {
        const current = { missing_since: null, replaced_by: null, replaced_in: null, replaced_before: null };
        await model.updateMany({ organization_id, _id: { $in: objectIdsOf(ids) } }, { $set: current });
      },
      /** These documents were moved to the trash: what each has replaced is listed again, unless a newer version is. */
      async trash(ids: readonly string[]): Promise<void> {
        // The sparse index of `replaced_in` finds the few replaced documents.
        const replaced = { replaced_in: organization_id, organization_id };
        const later = await model.distinct('replaced_by', { ...replaced, replaced_by: { $in: objectIdsOf(ids) } });
        if (later.length === 0) return;
        // Former ones first: what a former version replaced is passed on to the later one.
        for (const id of later.map(String).toSorted()) {
          const record = await model.findOne({ _id: new mongoose.Types.ObjectId(id), organization_id }).lean();
          if (!record?.deleted_at) continue;
          const { _id, replaced_by } = record;
          const change = replaced_by ? { replaced_by } : { replaced_by: null, replaced_in: null, replaced_before: _id };
          await model.updateMany({ ...replaced, replaced_by: _id }, { $set: change });
        }
      },
      /** Documents came back from the trash: they replace again what was listed instead. */
      async restore(): Promise<void> {
        const waiting = { organization_id, replaced_before: { $ne: null } };
        const later = await model.distinct('replaced_before', waiting);
        if (later.length === 0) return;
        const restored = await model
          .find({ _id: { $in: later }, organization_id, deleted_at: null }, { _id: 1 })
          .lean();
        for (const { _id } of restored) {
          const change = { replaced_by: _id, replaced_in: organization_id, replaced_before: null };
          await model.updateMany({ organization_id, replaced_before: _id }, { $set: change });
        }
      },
    };
  };
}
