import { setImmediate as breathe } from 'node:timers/promises';
import { isDueToStore } from '../../platform/database/stored-copies/due-to-store.ts';
import type { StoredCopies, StoredCopyKey } from '../../platform/database/stored-copies/stored-copy-repository.ts';
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
  /** How it is stored, for processes that start later. */
  stored?: StoredShape<Key, Copy>;
}

interface StoredShape<Key extends CopyKey, Copy> {
  copies: StoredCopies;
  keyOf: (key: Key) => StoredCopyKey;
  /** Counts the documents that were removed: what is stored must not have their texts. */
  removals: (copy: Copy) => number;
  pieces: (copy: Copy) => AsyncIterable<Buffer>;
  read: (pieces: AsyncIterable<Buffer>) => Promise<Copy>;
}

/** What a stored copy says of itself. */
interface StoredState {
  stamp: number;
  newest: Date;
  refreshedAt: number;
}

interface Cached<Copy> {
  copy: Copy;
  stamp: number;
  /** The time of the newest entry, by the database's clock; undefined without entries. */
  newest: Date | undefined;
  /** When it was last refreshed, by this process's clock. */
  refreshedAt: number;
  /** Entries that were applied since it was stored. */
  unstored: number;
  /** When it was stored; 0 if it was not. */
  storedAt: number;
  /** The removals that it had then. */
  storedRemovals: number;
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
const maxAgeMs = 22 * 3_600_000;
/** Fewer values are read from their entries as fast. */
const minStoredCells = 20_000;
const maxStoredCells = 2 * maxCachedCells;

/**
 * Copies of the index in memory, the last used ones of all organizations. Each use reads one counter from the database,
 * and what was written since.
 */
export function createIndexCopies<Key extends CopyKey, Copy>(index: IndexEntries, shape: CopyShape<Key, Copy>) {
  const cache = new Map<string, Slot<Copy>>();
  const storing = new Set<string>();
  const { stored } = shape;

  /** A copy that another process has stored; undefined if it is missing, damaged or too old. */
  async function restored(key: Key): Promise<Cached<Copy> | undefined> {
    const found = await stored?.copies.find<StoredState>(stored.keyOf(key));
    if (stored === undefined || found === undefined) return undefined;
    const { stamp, newest, refreshedAt } = found.state;
    if (Date.now() - refreshedAt >= maxAgeMs) return undefined;
    try {
      const copy = await stored.read(found.pieces());
      return { copy, stamp, newest, refreshedAt, unstored: 0, storedAt: found.writtenAt.getTime(), storedRemovals: 0 };
    } catch {
      return undefined;
    }
  }

  async function refreshed(key: Key, former: Cached<Copy> | undefined): Promise<Cached<Copy>> {
    const cached = former ?? (await restored(key));
    const stamp = await index.stamp(key);
    const now = Date.now();
    const isKept = cached !== undefined && now - cached.refreshedAt < maxAgeMs && !shape.isWasteful(cached.copy);
    if (isKept && cached.stamp === stamp) return Object.assign(cached, { refreshedAt: now });
    if (!isKept || cached.newest === undefined) {
      // The newest entry before all are read: what is written meanwhile is read again.
      const newest = await index.newest(key);
      const copy = shape.create();
      await applyAll(copy, key, index.entries(key));
      return { copy, stamp, newest, refreshedAt: now, unstored: 0, storedAt: 0, storedRemovals: 0 };
    }
    const since = new Date(cached.newest.getTime() - overlapMs);
    const { newest = cached.newest, applied } = await applyAll(cached.copy, key, index.entries(key, since));
    return Object.assign(cached, { stamp, newest, refreshedAt: now, unstored: cached.unstored + applied });
  }

  /** Applies entries in steps, so that other work of the process continues. */
  async function applyAll(
    copy: Copy,
    key: Key,
    batches: AsyncIterable<ResultIndexRecord[]>,
  ): Promise<{ newest: Date | undefined; applied: number }> {
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
    return { newest, applied };
  }

  async function storeCopy(
    { copies, keyOf, removals, pieces }: StoredShape<Key, Copy>,
    key: Key,
    cached: Cached<Copy>,
  ): Promise<void> {
    const { copy, stamp, newest, refreshedAt, storedAt } = cached;
    if (newest === undefined) return;
    const own = keyOf(key);
    const byAnother = (await copies.find(own))?.writtenAt.getTime() ?? 0;
    const storedRemovals = removals(copy);
    const isByAnother = byAnother > storedAt;
    Object.assign(cached, { storedAt: isByAnother ? byAnother : Date.now(), unstored: 0, storedRemovals });
    if (isByAnother) return;
    const state: StoredState = { stamp, newest, refreshedAt };
    const writtenAt = await copies.store(own, state, pieces(copy));
    cached.storedAt = writtenAt.getTime();
    // What was removed meanwhile must not stay.
    const now = await get(key);
    if (now !== copy || removals(copy) !== storedRemovals) await copies.remove(own.organizationId, own.name);
  }

  function isDue({ copy, unstored, storedAt, storedRemovals }: Cached<Copy>): boolean {
    const hasRemoved = stored !== undefined && stored.removals(copy) !== storedRemovals;
    return isDueToStore({ storedAt, changes: hasRemoved ? Infinity : unstored, size: shape.cells(copy) });
  }

  function evict(used: string): void {
    let cells = 0;
    for (const [id, { loaded }] of [...cache].toReversed()) {
      cells += loaded === undefined ? 0 : shape.cells(loaded.copy);
      if (id !== used && loaded !== undefined && cells > maxCachedCells) cache.delete(id);
    }
  }

  async function get(key: Key): Promise<Copy> {
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
  }

  return {
    get,
    /** The copy that is in memory now, as it was last. */
    kept: (key: Key): Copy | undefined => cache.get(shape.idOf(key))?.loaded?.copy,
    /** Stores the copy for processes that start later, if that saves time. */
    async store(key: Key): Promise<void> {
      const id = shape.idOf(key);
      const cached = cache.get(id)?.loaded;
      if (stored === undefined || cached === undefined || storing.has(id)) return;
      const cells = shape.cells(cached.copy);
      if (cells < minStoredCells || cells > maxStoredCells || !isDue(cached)) return;
      storing.add(id);
      try {
        await get(key);
        await storeCopy(stored, key, cache.get(id)?.loaded ?? cached);
      } finally {
        storing.delete(id);
      }
    },
  };
}
