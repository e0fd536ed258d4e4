import mongoose, { type Connection, type Types } from 'mongoose';
import { objectIdOf } from '../../platform/database/object-id.ts';
import { ignoreDuplicateKey } from '../../platform/database/connection.ts';
import { eachInSteps, inTurns } from '../../platform/long-values/in-turns.ts';
import { RankedQueue } from './ranked-queue.ts';
import { maxRemoved, queueStampModel, reviewQueueModel, type QueueRecord } from './review-queue-model.ts';

type QueueEntry = Omit<QueueRecord, '_id' | 'organization_id' | 'document_id' | 'prompt_revid' | 'is_open'> & {
  document_id: string;
  prompt_revid: string;
};

/** The review queue of one organization. */
export interface ReviewQueueRepository {
  /** All documents with open values. Reads from the database only what has changed. */
  heads(): Promise<RankedQueue>;
  /** Replaces the entry of the same document and prompt, unless the stored one is newer. */
  put(entry: QueueEntry): Promise<void>;
  remove(documentId: string, promptId?: string): Promise<void>;
}

/** Organizations whose queue a process caches; about 50 bytes for each value. */
const maxCached = 50;
/** A write can become visible this much later than its time stamp. */
const overlapMs = 10_000;

interface CachedQueue {
  stamp: number;
  removals: number;
  /** The time of the newest entry; undefined if no entry has one. */
  newest: Date | undefined;
  heads: RankedQueue;
}

interface ReviewQueues {
  (organizationId: string): ReviewQueueRepository;
  /** Fills the cache before the first request: reading a whole queue is slow. */
  warm(signal: AbortSignal): Promise<void>;
}

export function createReviewQueues(connection: Connection): ReviewQueues {
  const queue = reviewQueueModel(connection);
  const stamps = queueStampModel(connection);
  const cache = new Map<string, CachedQueue>();
  /** A queue is changed by one reader at a time, so that none puts an older head in the place of a newer one. */
  const refreshing = new Map<string, Promise<CachedQueue>>();

  /** Entries that have changed since a time of the database's clock; without it, all with open values. */
  async function read(organization_id: Types.ObjectId, since?: Date) {
    const records = await queue.collection
      .find(
        { organization_id, ...(since === undefined ? { is_open: true } : { changed_at: { $gte: since } }) },
        {
          projection: { document_id: 1, prompt_id: 1, prompt_revid: 1, changes: 1, open: 1, changed_at: 1 },
          batchSize: 10_000,
        },
      )
      .toArray();
    return records.map((record) => ({
      key: String(record._id),
      changedAt: record['changed_at'] as Date | undefined,
      head: {
        document_id: String(record['document_id']),
        prompt_id: String(record['prompt_id']),
        prompt_revid: String(record['prompt_revid']),
        changes: Number(record['changes']),
        open: Buffer.from((record['open'] as mongoose.mongo.Binary).buffer),
      },
    }));
  }

  /** Applies the changes since the cached copy was made. */
  async function refresh(
    organizationId: string,
    organization_id: Types.ObjectId,
    cached: CachedQueue | undefined,
    { stamp, removals, removed }: { stamp: number; removals: number; removed: readonly (readonly string[])[] },
  ): Promise<CachedQueue> {
    const missed = removals - (cached?.removals ?? 0);
    const isUsable = cached?.newest !== undefined && missed >= 0 && missed <= removed.length;
    const heads = isUsable ? cached.heads : new RankedQueue();
    let newest = isUsable ? cached.newest : undefined;
    const since = newest && new Date(newest.getTime() - overlapMs);
    const changed = await read(organization_id, since);
    const gone = missed > 0 ? removed.slice(-missed).flat() : [];
    heads.expectChanges(gone.length + changed.length);
    for (const key of gone) heads.set(key, undefined);
    const setOne = ({ key, head, changedAt }: (typeof changed)[number]) => {
      heads.set(key, head.open.length > 0 ? head : undefined);
      if (changedAt !== undefined && (newest === undefined || changedAt > newest)) newest = changedAt;
    };
    await inTurns(eachInSteps(changed, setOne));
    const refreshed = { stamp, removals, newest, heads };
    cache.delete(organizationId);
    cache.set(organizationId, refreshed);
    for (const oldest of cache.keys()) if (cache.size > maxCached) cache.delete(oldest);
    return refreshed;
  }

  const queueOf = (organizationId: string): ReviewQueueRepository => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const raiseStamp = async () =>
      void (await stamps.updateOne({ _id: organization_id }, { $inc: { stamp: 1 } }, { upsert: true }));
    return {
      async heads() {
        for (;;) {
          const found = await stamps.findOne({ _id: organization_id }).lean();
          const { stamp = 0, removals = 0, removed = [] } = found ?? {};
          const running = refreshing.get(organizationId);
          const cached = cache.get(organizationId);
          if (running === undefined && cached?.stamp === stamp) return cached.heads;
          // Its stamp can be older than this look.
          if (running !== undefined) await running.catch(() => undefined);
          else {
            const own = refresh(organizationId, organization_id, cached, { stamp, removals, removed });
            refreshing.set(organizationId, own);
            return (await own.finally(() => refreshing.delete(organizationId))).heads;
          }
        }
      },
      async put({ document_id, prompt_revid, ...entry }) {
        const [document, revision] = [objectIdOf(document_id), objectIdOf(prompt_revid)];
        if (!document || !revision) return;
        const key = { organization_id, document_id: document, prompt_id: entry.prompt_id };
        const older = { $or: [{ prompt_revid: { $ne: revision } }, { changes: { $lte: entry.changes } }] };
        const set = { ...entry, prompt_revid: revision, is_open: entry.open.length > 0 };
        const change = { $set: set, $currentDate: { changed_at: true } } as const;
        // The key is taken if a newer entry is stored.
        await queue.updateOne({ ...key, ...older }, change, { upsert: true }).catch(ignoreDuplicateKey);
        await raiseStamp();
      },
      async remove(documentId, promptId) {
        const document_id = objectIdOf(documentId);
        if (!document_id) return;
        const entries = { organization_id, document_id, ...(promptId && { prompt_id: promptId }) };
        const ids = (await queue.find(entries, { _id: 1 }).lean()).map(({ _id }) => _id);
        if (ids.length === 0) return;
        await queue.deleteMany({ ...entries, _id: { $in: ids } });
        // With the ids, other processes remove the entries from their copies without reading the queue.
        const removed = { $each: [ids.map(String)], $slice: -maxRemoved };
        await stamps.collection.updateOne(
          { _id: organization_id },
          { $inc: { stamp: 1, removals: 1 }, $push: { removed } as never },
          { upsert: true },
        );
      },
    };
  };
  return Object.assign(queueOf, {
    async warm(signal: AbortSignal) {
      for (const { _id } of await stamps.find({}, { _id: 1 }).limit(maxCached).lean()) {
        if (signal.aborted) return;
        await queueOf(String(_id)).heads();
      }
    },
  });
}
