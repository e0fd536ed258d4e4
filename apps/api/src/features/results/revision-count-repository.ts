import mongoose, { type Connection, type QueryFilter, type Types } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { createUnlistedDocuments } from '../documents/index.ts';
import { resultIndexModel, type ResultIndexRecord } from './result-index-model.ts';

/** The documents whose newest result of a prompt is of one of its revisions. */
interface RevisionCount {
  prompt_revid: string;
  documents: number;
  verified: number;
}

/** Hidden documents that are counted at once. */
const countedBatch = 1_000;

export type CountByRevision = ReturnType<typeof createRevisionCounts>;

export function createRevisionCounts(connection: Connection) {
  const index = resultIndexModel(connection);
  const unlisted = createUnlistedDocuments(connection);

  async function countRevisions(among: QueryFilter<ResultIndexRecord>) {
    const counted = await index.aggregate<{ _id: Types.ObjectId; documents: number; verified: number }>([
      { $match: among },
      {
        $group: {
          _id: '$prompt_revid',
          documents: { $sum: 1 },
          verified: { $sum: { $cond: [{ $eq: ['$is_verified', true] }, 1, 0] } },
        },
      },
    ]);
    return new Map(counted.map(({ _id, ...counts }) => [_id.toHexString(), counts]));
  }

  /** The listed documents with a newest result, by its revision. */
  return async (organizationId: string, promptIds: readonly string[]): Promise<RevisionCount[]> => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const among = { organization_id, prompt_id: { $in: [...promptIds] }, is_removed: { $ne: true } };
    const counts = await countRevisions(among);
    const hidden = objectIdsOf([...(await unlisted.all(organizationId))]);
    for (let at = 0; at < hidden.length; at += countedBatch) {
      const document_id = { $in: hidden.slice(at, at + countedBatch) };
      for (const [revision, less] of await countRevisions({ ...among, document_id })) {
        const { documents: all, verified } = counts.get(revision) ?? less;
        counts.set(revision, { documents: all - less.documents, verified: verified - less.verified });
      }
    }
    return [...counts].flatMap(([prompt_revid, count]) => (count.documents > 0 ? [{ prompt_revid, ...count }] : []));
  };
}
