import { setImmediate as breathe } from 'node:timers/promises';
import type { ResultIndexRecord } from './result-index-model.ts';
import type { ResultIndexRepository } from './result-index-repository.ts';

/** The results of a prompt. */
interface CopyKey {
  organizationId: string;
  promptId: string;
}

/** What is kept of the index in memory. */
interface CopyShape<Key extends CopyKey, Copy> {
  idOf: (key: Key) => string;
  create: () => Copy;
  apply: (copy: Copy, entry: ResultIndexRecord, key: Key) => Promise<void>;
  /** About how many values it holds. */
  cells: (copy: Copy) => number;
  /** Whether a new copy would be better. */
  isWasteful: (copy: Copy) => boolean;
}

interface Cached<Copy> {
  copy: Copy;
  stamp: number;
  /** The time of the newest entry, by the database's clock; undefined without entries. */
  newest: Date | undefined;
  /** When it was last refreshed, by this process's clock. */
  refreshedAt: number;
}

/** A copy that is being refreshed, and as it was last. */
interface Slot<Copy> {
  pending: Promise<Cached<Copy>>;
  loaded: Cached<Copy> | undefined;
}

/** What copies read of the index. */
export type IndexEntries = Pick<ResultIndexRepository, 'stamp' | 'newest' | 'entries'>;

/** So many entries are applied before other work of the process continues: a few milliseconds. */
const entriesAtOnce = 200;
/** About 100 bytes for each value, with what the engine adds. */
const maxCachedCells = 6_000_000;
/** A write can become visible this much later than its time stamp. */
const overlapMs = 10_000;
/** Entries of removed results exist longer than this; an older copy is read anew. */
const maxAgeMs = 12 * 3_600_000;

/**
 * Copies of the index in memory, the last used ones of all organizations. Each use reads one counter from the database,
 * and what was written since.
 */
export function createIndexCopies<Key extends CopyKey, Copy>(
  index: IndexEntries,
  shape: CopyShape<Key, Copy>,
): { get(key: Key): Promise<Copy>; kept(key: Key): Copy | undefined } {
  const cache = new Map<string, Slot<Copy>>();

  async function refreshed(key: Key, cached: Cached<Copy> | undefined): Promise<Cached<Copy>> {
    const stamp = await index.stamp(key);
    const now = Date.now();
    const isKept = cached !== undefined && now - cached.refreshedAt < maxAgeMs && !shape.isWasteful(cached.copy);
    if (isKept && cached.stamp === stamp) return Object.assign(cached, { refreshedAt: now });
    if (!isKept || cached.newest === undefined) {
      // The newest entry before all are read: what is written meanwhile is read again.
      const newest = await index.newest(key);
      const copy = shape.create();
      await applyAll(copy, key, index.entries(key));
      return { copy, stamp, newest, refreshedAt: now };
    }
    const since = new Date(cached.newest.getTime() - overlapMs);
    const newest = await applyAll(cached.copy, key, index.entries(key, since));
    return Object.assign(cached, { stamp, newest: newest ?? cached.newest, refreshedAt: now });
  }

  /** Applies entries in steps, so that other work of the process continues. Returns when the last one was written. */
  async function applyAll(
    copy: Copy,
    key: Key,
    batches: AsyncIterable<ResultIndexRecord[]>,
  ): Promise<Date | undefined> {
    let applied = 0;
    let newest: Date | undefined;
    for await (const batch of batches) {
      for (const entry of batch) {
        const { indexed_at } = entry;
        if (indexed_at !== undefined && (newest === undefined || indexed_at > newest)) newest = indexed_at;
        await shape.apply(copy, entry, key);
        applied += 1;
        if (applied % entriesAtOnce === 0) await breathe();
      }
    }
    return newest;
  }

  function evict(used: string): void {
    let cells = 0;
    for (const [id, { loaded }] of [...cache].toReversed()) {
      cells += loaded === undefined ? 0 : shape.cells(loaded.copy);
      if (id !== used && loaded !== undefined && cells > maxCachedCells) cache.delete(id);
    }
  }

  return {
    async get(key) {
      const id = shape.idOf(key);
      const former = cache.get(id);
      // One after another: two requests must not fill the same copy at once.
      const next = (former?.pending ?? Promise.resolve(undefined)).then(
        (cached) => refreshed(key, cached),
        () => refreshed(key, undefined),
      );
      const slot: Slot<Copy> = { pending: next, loaded: former?.loaded };
      cache.delete(id);
      cache.set(id, slot);
      slot.loaded = await next;
      evict(id);
      return slot.loaded.copy;
    },
    /** The copy that is in memory now, as it was last. */
    kept: (key) => cache.get(shape.idOf(key))?.loaded?.copy,
  };
}
