import mongoose, { type Connection } from 'mongoose';
import { beingPurged, documentModel } from './document-model.ts';

/**
 * Matches the documents that lists and figures count: those outside the trash that no newer version replaced. Queries of
 * documents use it; readers of results use `createUnlistedDocuments`, which says the same with ids. `replaced_in` is set with
 * `replaced_by`, and its index says which few are.
 */
export const listedDocuments = { deleted_at: null, replaced_in: null } as const;

/** The ids of the documents of an organization that no list and no figure counts, which indexes find without the others. */
export type UnlistedDocuments = ReturnType<typeof createUnlistedDocuments>;

export function createUnlistedDocuments(connection: Connection) {
  const { collection } = documentModel(connection);

  // Read by the driver alone: 100,000 documents can be in the trash.
  async function idsOf(filter: Record<string, unknown>): Promise<Set<string>> {
    const records = await collection.find(filter, { projection: { _id: 1 }, batchSize: 10_000 }).toArray();
    return new Set(records.map(({ _id }) => String(_id)));
  }

  const trashed = (organizationId: string) =>
    idsOf({ organization_id: new mongoose.Types.ObjectId(organizationId), deleted_at: { $gte: beingPurged } });
  return {
    /** In the trash: for requests that ask for replaced documents too. */
    trashed,
    /** In the trash, or replaced by a newer version of their file. */
    async all(organizationId: string) {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const replaced = idsOf({ organization_id, replaced_in: organization_id });
      return (await trashed(organizationId)).union(await replaced);
    },
  };
}
