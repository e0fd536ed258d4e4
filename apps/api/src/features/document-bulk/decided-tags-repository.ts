import type { Connection, Types } from 'mongoose';
import { turnWriteModel } from '../../turn-writes/turn-write-model.ts';
import { bulkChangeModel, type BulkChangeRecord, type BulkRecord } from './bulk-model.ts';

/** Finds the documents whose tags were changed again since a bulk job tagged or untagged them. */
export function createDecidedTags(connection: Connection) {
  const writes = turnWriteModel(connection);
  const changes = bulkChangeModel(connection);

  /**
   * The ids of documents on which a tag of the change was undone by hand or by another job after the change. If the tag is
   * as the job left it, it has been set or removed again.
   */
  return async function decidedSince(
    bulk: BulkRecord,
    action: 'tag' | 'untag',
    noted: readonly Pick<BulkChangeRecord, '_id' | 'document_id' | 'tag_ids' | 'at'>[],
  ): Promise<Set<string>> {
    const byDocument = new Map(noted.map((change) => [change.document_id.toHexString(), change]));
    const [later, otherJobs] = await Promise.all([
      writes
        .find({
          organization_id: bulk.organization_id,
          thing_id: { $in: [...byDocument.keys()] },
          kind: 'document',
          at: { $gte: bulk._id.getTimestamp() },
        })
        .lean(),
      changes
        .find({
          organization_id: bulk.organization_id,
          document_id: { $in: noted.map(({ document_id }) => document_id) },
          bulk_id: { $gt: bulk._id },
          tag_ids: { $in: bulk.tag_ids },
          undone: false,
        })
        .lean(),
    ]);
    const decided = new Set<string>();
    for (const { thing_id = '', before, at } of later) {
      const change = byDocument.get(thing_id);
      if (change === undefined || at < (change.at ?? change._id.getTimestamp())) continue;
      const had = new Set((JSON.parse(before) as { tag_ids?: string[] } | null)?.tag_ids);
      if (isUndoneIn(action, change.tag_ids, (tag) => had.has(tag))) decided.add(thing_id);
    }
    for (const { document_id } of otherJobs) decided.add(document_id.toHexString());
    return decided;
  };
}

/** Whether a tag that the job added is absent, or one that it removed is present. */
function isUndoneIn(action: 'tag' | 'untag', tags: readonly Types.ObjectId[] = [], has: (tag: string) => boolean) {
  return tags.some((tag) => has(tag.toHexString()) !== (action === 'tag'));
}
