import mongoose, { type Connection, type Types } from 'mongoose';
import { objectIdOf } from '../../platform/database/object-id.ts';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { queueStampModel, reviewQueueModel, type QueueRecord } from './review-queue-model.ts';

/** A document of the queue, with the risks of its open values. */
export interface QueueHead {
  document_id: string;
  prompt_id: string;
  prompt_revid: string;
  changes: number;
  open: Buffer;
}

export type QueueEntry = Omit<QueueRecord, '_id' | 'organization_id' | 'document_id' | 'prompt_revid' | 'is_open'> & {
  document_id: string;
  prompt_revid: string;
};

/** The review queue of one organization. */
export interface ReviewQueueRepository {
  /** Every document with an open value. Read from the database only where the queue has changed since. */
  heads(): Promise<readonly QueueHead[]>;
  /** Takes the place of the document's former entry of that prompt, unless that one is newer. */
  put(entry: QueueEntry): Promise<void>;
  remove(documentId: string, promptId?: string): Promise<void>;
  /** Sums over all documents of a prompt. */
  straightThrough(
    promptId: string,
  ): Promise<{ values: number; accepted: number; sampled: number; sampled_wrong: number }>;
}

/** Organizations whose queue a process has at hand; some 50 bytes a value. */
const maxCached = 50;

export function createReviewQueues(connection: Connection): (organizationId: string) => ReviewQueueRepository {
  const queue = reviewQueueModel(connection);
  const stamps = queueStampModel(connection);
  const cache = new Map<string, { stamp: number; heads: readonly QueueHead[] }>();

  async function read(organization_id: Types.ObjectId): Promise<QueueHead[]> {
    const records = await queue.collection
      .find(
        { organization_id, is_open: true },
        {
          projection: { _id: 0, document_id: 1, prompt_id: 1, prompt_revid: 1, changes: 1, open: 1 },
          batchSize: 10_000,
        },
      )
      .toArray();
    return records.map((record) => ({
      document_id: String(record['document_id']),
      prompt_id: String(record['prompt_id']),
      prompt_revid: String(record['prompt_revid']),
      changes: Number(record['changes']),
      open: Buffer.from((record['open'] as mongoose.mongo.Binary).buffer),
    }));
  }

  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const changed = async () =>
      void (await stamps.updateOne({ _id: organization_id }, { $inc: { stamp: 1 } }, { upsert: true }));
    return {
      async heads() {
        const stamp = (await stamps.findOne({ _id: organization_id }).lean())?.stamp ?? 0;
        const cached = cache.get(organizationId);
        if (cached?.stamp === stamp) return cached.heads;
        const heads = await read(organization_id);
        cache.delete(organizationId);
        cache.set(organizationId, { stamp, heads });
        for (const oldest of cache.keys()) if (cache.size > maxCached) cache.delete(oldest);
        return heads;
      },
      async put({ document_id, prompt_revid, ...entry }) {
        const [document, revision] = [objectIdOf(document_id), objectIdOf(prompt_revid)];
        if (!document || !revision) return;
        const key = { organization_id, document_id: document, prompt_id: entry.prompt_id };
        const older = { $or: [{ prompt_revid: { $ne: revision } }, { changes: { $lte: entry.changes } }] };
        const set = { ...entry, prompt_revid: revision, is_open: entry.open.length > 0 };
        try {
          await queue.updateOne({ ...key, ...older }, { $set: set }, { upsert: true });
        } catch (error) {
          // A newer entry stands there.
          if (!isDuplicateKey(error)) throw error;
        }
        await changed();
      },
      async remove(documentId, promptId) {
        const document_id = objectIdOf(documentId);
        if (!document_id) return;
        await queue.deleteMany({ organization_id, document_id, ...(promptId && { prompt_id: promptId }) });
        await changed();
      },
      async straightThrough(promptId) {
        const sums = { values: { $sum: '$values' }, accepted: { $sum: '$accepted' } };
        const sampled = { sampled: { $sum: '$sampled' }, sampled_wrong: { $sum: '$sampled_wrong' } };
        const [found] = await queue.aggregate<{
          values: number;
          accepted: number;
          sampled: number;
          sampled_wrong: number;
        }>([
          { $match: { organization_id, prompt_id: promptId.toLowerCase() } },
          { $group: { _id: null, ...sums, ...sampled } },
          { $project: { _id: 0 } },
        ]);
        return found ?? { values: 0, accepted: 0, sampled: 0, sampled_wrong: 0 };
      },
    };
  };
}
