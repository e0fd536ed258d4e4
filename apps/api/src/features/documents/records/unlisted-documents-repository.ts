import { LruMap } from 'toad-cache';
import mongoose, { type Connection } from 'mongoose';
import { createDocumentIds } from './document-ids-repository.ts';
import { beingPurged } from './document-model.ts';

/**
 * Matches the documents that lists and figures count: those outside the trash that no newer version replaced. Queries of
 * documents use it; readers of results use `createUnlistedDocuments`, which says the same with ids. `replaced_in` is set with
 * `replaced_by`, and its index says which few are.
 */
export const listedDocuments = { deleted_at: null, replaced_in: null } as const;

/** The ids of the documents of an organization that no list and no figure counts, which indexes find without the others. */
export type UnlistedDocuments = ReturnType<typeof createUnlistedDocuments>;

export function createUnlistedDocuments(connection: Connection) {
  const idsOf = createDocumentIds(connection);
  const trashed = (organizationId: string) =>
    idsOf({ organization_id: new mongoose.Types.ObjectId(organizationId), deleted_at: { $gte: beingPurged } });
  /** The last of each organization, so that the same sets give the same one. */
  const unions = new LruMap<{ gone: ReadonlySet<string>; replaced: ReadonlySet<string>; all: ReadonlySet<string> }>(50);
  return {
    /** In the trash: for requests that ask for replaced documents too. */
    trashed,
    /** In the trash, or replaced by a newer version of their file. */
    async all(organizationId: string): Promise<ReadonlySet<string>> {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const [gone, replaced] = await Promise.all([
        trashed(organizationId),
        idsOf({ organization_id, replaced_in: organization_id }),
      ]);
      const last = unions.get(organizationId);
      if (last?.gone === gone && last.replaced === replaced) return last.all;
      const all = gone.union(replaced);
      unions.set(organizationId, { gone, replaced, all });
      return all;
    },
  };
}
