import { deserialize, serialize } from 'node:v8';
import mongoose, { type Connection, type Types } from 'mongoose';
import { objectIdOf } from '../../platform/database/object-id.ts';
import { ignoreDuplicateKey } from '../../platform/database/connection.ts';
import { eachInSteps, inTurns } from '../../platform/long-values/in-turns.ts';
import { isDueToStore } from '../../platform/database/stored-copies/due-to-store.ts';
import { createStoredCopies } from '../../platform/database/stored-copies/stored-copy-repository.ts';
import { RankedQueue, type QueueHead } from './ranked-queue.ts';
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
  /** Of this queue in all its states: when it was stored for processes that start later, and how many entries were read since. */
  storing: { at: number; changes: number };
}

/** Another one when the pieces of a queue are written in another way. */
const queueFormat = 1;

/** What a stored queue says of itself. */
type StoredState = Required<Pick<CachedQueue, 'stamp' | 'removals' | 'newest'>>;

/** Fewer are read as fast one by one. */
const minStored = 5_000;
const headsOfPiece = 4_096;
/** A piece is one record: heads with many open values are fewer. */
const bytesOfPiece = 4_000_000;

interface ReviewQueues {
  (organizationId: string): ReviewQueueRepository;
  /** Fills the cache before the first request: reading a whole queue is slow. */
  warm(signal: AbortSignal): Promise<void>;
}

export function createReviewQueues(connection: Connection): ReviewQueues {
  const queue = reviewQueueModel(connection);
  const stamps = queueStampModel(connection);
  const copies = createStoredCopies(connection);
  const copyOf = (organizationId: string) => ({ organizationId, name: 'review queue', format: queueFormat });
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

  /** The queue that another process has stored; undefined if it is missing or damaged. */
  async function restored(organizationId: string): Promise<CachedQueue | undefined> {
    const found = await copies.find<StoredState>(copyOf(organizationId));
    if (found === undefined) return undefined;
    try {
      const heads = await queueOfPieces(found.pieces());
      return { ...found.state, heads, storing: { at: found.writtenAt.getTime(), changes: 0 } };
    } catch {
      return undefined;
    }
  }

  /** Stores the queue for processes that start later, if that saves time. Only their start is slower without it. */
  async function store(organizationId: string, cached: CachedQueue): Promise<void> {
    const { stamp, removals, newest, heads, storing } = cached;
    const { at: storedAt, changes } = storing;
    if (heads.size < minStored || !isDueToStore({ storedAt, changes, size: heads.size })) return;
    Object.assign(storing, { at: Date.now(), changes: 0 });
    const own = copyOf(organizationId);
    const byAnother = (await copies.find(own))?.writtenAt;
    const isByAnother = byAnother !== undefined && byAnother.getTime() > storedAt;
    const writtenAt = isByAnother
      ? byAnother
      : await copies.store(own, { stamp, removals, newest }, piecesOfQueue(heads));
    storing.at = writtenAt.getTime();
  }

  /** Applies the changes since the cached copy was made. */
  async function refresh(
    organizationId: string,
    organization_id: Types.ObjectId,
    former: CachedQueue | undefined,
    { stamp, removals, removed }: { stamp: number; removals: number; removed: readonly (readonly string[])[] },
  ): Promise<CachedQueue> {
    const cached = former ?? (await restored(organizationId));
    const missed = removals - (cached?.removals ?? 0);
    const isUsable = cached?.newest !== undefined && missed >= 0 && missed <= removed.length;
    const heads = isUsable ? cached.heads : new RankedQueue();
    let newest = isUsable ? cached.newest : undefined;
    const since = newest && new Date(newest.getTime() - overlapMs);
    const changed = isUsable && cached.stamp === stamp ? [] : await read(organization_id, since);
    const gone = missed > 0 ? removed.slice(-missed).flat() : [];
    heads.expectChanges(gone.length + changed.length);
    for (const key of gone) heads.set(key, undefined);
    const setOne = ({ key, head, changedAt }: (typeof changed)[number]) => {
      heads.set(key, head.open.length > 0 ? head : undefined);
      if (changedAt !== undefined && (newest === undefined || changedAt > newest)) newest = changedAt;
    };
    await inTurns(eachInSteps(changed, setOne));
    const storing = isUsable ? cached.storing : { at: 0, changes: 0 };
    storing.changes += changed.length;
    const refreshed = { stamp, removals, newest, heads, storing };
    cache.delete(organizationId);
    cache.set(organizationId, refreshed);
    for (const oldest of cache.keys()) if (cache.size > maxCached) cache.delete(oldest);
    void store(organizationId, refreshed).catch(() => undefined);
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

/** Heads as they are stored, a list for each field. */
interface Piece extends Record<Exclude<keyof QueueHead, 'changes' | 'open'>, string[]> {
  keys: string[];
  changes: number[];
  open: Buffer;
  /** Where the bytes of each head end in `open`. */
  ends: number[];
}

/** The heads of a queue, also those that change meanwhile, as they were or are. */
async function* piecesOfQueue(queue: RankedQueue): AsyncGenerator<Buffer> {
  let some: [string, QueueHead][] = [];
  let bytes = 0;
  for (const entry of queue.entries) {
    some.push(entry);
    bytes += entry[1].open.length;
    if (some.length < headsOfPiece && bytes < bytesOfPiece) continue;
    yield pieceOf(some);
    [some, bytes] = [[], 0];
  }
  yield pieceOf(some);
}

function pieceOf(entries: readonly [string, QueueHead][]): Buffer {
  const heads = entries.map(([, head]) => head);
  let end = 0;
  const piece: Piece = {
    keys: entries.map(([key]) => key),
    document_id: heads.map(({ document_id }) => document_id),
    prompt_id: heads.map(({ prompt_id }) => prompt_id),
    prompt_revid: heads.map(({ prompt_revid }) => prompt_revid),
    changes: heads.map(({ changes }) => changes),
    open: Buffer.concat(heads.map(({ open }) => open)),
    ends: heads.map(({ open }) => (end += open.length)),
  };
  return serialize(piece);
}

async function queueOfPieces(pieces: AsyncIterable<Buffer>): Promise<RankedQueue> {
  const queue = new RankedQueue();
  // The same text for all: a prompt has a hundred thousand heads.
  const known = new Map<string, string>();
  const shared = (text: string): string => {
    const first = known.get(text);
    if (first === undefined) known.set(text, text);
    return first ?? text;
  };
  for await (const bytes of pieces) {
    const { keys, document_id, prompt_id, prompt_revid, changes, open, ends } = deserialize(bytes) as Piece;
    const all = Buffer.from(open);
    const add = (at: number) =>
      queue.set(keys[at]!, {
        document_id: document_id[at]!,
        prompt_id: shared(prompt_id[at]!),
        prompt_revid: shared(prompt_revid[at]!),
        changes: changes[at]!,
        open: all.subarray(at === 0 ? 0 : ends[at - 1]!, ends[at]),
      });
    await inTurns(eachInSteps(keys.keys(), add));
  }
  return queue;
}
