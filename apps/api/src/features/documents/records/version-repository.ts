import mongoose, { type Connection, type Types } from 'mongoose';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import { documentModel } from './document-model.ts';

/** The versions of files of sources in one organization: lists show the newest one outside the trash. */
export function createVersionRepositories(connection: Connection) {
  const model = documentModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);

    /**
     * What waits for a version that is back from the trash is replaced by it, and of several that wait for the same one,
     * which is still there, the newest is listed.
     */
    async function listNewest(): Promise<void> {
      const fields = { replaced_before: 1, deleted_at: 1 };
      const waiting = await model.find({ organization_id, replaced_before: { $ne: null } }, fields).lean();
      if (waiting.length === 0) return;
      const byLater = Map.groupBy(waiting, ({ replaced_before }) => String(replaced_before));
      const later = { _id: { $in: objectIdsOf([...byLater.keys()]) }, organization_id, deleted_at: null };
      const present = new Map((await model.find(later, { _id: 1 }).lean()).map(({ _id }) => [String(_id), _id]));
      /** What waits for a version in the trash is passed on to the one that replaces it. */
      async function replaceBy(replaced_by: Types.ObjectId, former: typeof waiting): Promise<void> {
        if (former.length === 0) return;
        const change = { replaced_by, replaced_in: organization_id, replaced_before: null };
        await model.updateMany({ organization_id, _id: { $in: former.map(({ _id }) => _id) } }, { $set: change });
        for (const { _id, deleted_at } of former) {
          if (deleted_at) await replaceBy(replaced_by, byLater.get(String(_id)) ?? []);
        }
      }
      for (const [id, group] of byLater) {
        // Ids grow with time, and so do versions.
        const newest = group
          .filter(({ deleted_at }) => !deleted_at)
          .toSorted(byId)
          .at(-1)?._id;
        const next = present.get(id) ?? newest;
        if (next)
          await replaceBy(
            next,
            group.filter(({ _id }) => next !== newest || String(_id) < String(next)),
          );
      }
    }

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
        await listNewest();
      },
      /** Documents came back from the trash: they replace again what was listed instead. */
      restore: listNewest,
    };
  };
}

const byId = (a: { _id: Types.ObjectId }, b: { _id: Types.ObjectId }): number =>
  String(a._id) < String(b._id) ? -1 : 1;
