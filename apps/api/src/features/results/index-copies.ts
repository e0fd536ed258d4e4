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
  apply: (copy: Copy, entry: ResultIndexRecord, key: Key) => void;
  /** About how many values it holds. */
  cells: (copy: Copy) => number;
  /** Whether a new copy would be better. */
  isWasteful: (copy: Copy) => boolean;
}

interface Cached<Copy> {
  copy: Copy;
  stamp: number;
  /** The time of the newest entry, by the database's clock; undefined if there is none. */
  newest: Date | undefined;
  /** When it was last refreshed, by this process's clock. */
  refreshedAt: number;
}

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
  index: Pick<ResultIndexRepository, 'stamp' | 'entries'>,
  shape: CopyShape<Key, Copy>,
): { get(key: Key): Promise<Copy> } {
  const cache = new Map<string, Promise<Cached<Copy>>>();

  async function refreshed(key: Key, cached: Cached<Copy> | undefined): Promise<Cached<Copy>> {
    const stamp = await index.stamp(key);
    const now = Date.now();
    const isUsable = cached !== undefined && now - cached.refreshedAt < maxAgeMs && !shape.isWasteful(cached.copy);
    if (isUsable && cached.stamp === stamp) return Object.assign(cached, { refreshedAt: now });
    const next: Cached<Copy> = isUsable ? cached : { copy: shape.create(), stamp, newest: undefined, refreshedAt: now };
    const since = next.newest && new Date(next.newest.getTime() - overlapMs);
    for await (const entry of index.entries(key, since)) {
      const { indexed_at } = entry;
      if (indexed_at !== undefined && (next.newest === undefined || indexed_at > next.newest)) next.newest = indexed_at;
      shape.apply(next.copy, entry, key);
    }
    return Object.assign(next, { stamp, refreshedAt: now });
  }

  async function evict(used: string): Promise<void> {
    let cells = 0;
    for (const [id, pending] of [...cache].toReversed()) {
      const cached = await pending.catch(() => undefined);
      cells += cached === undefined ? 0 : shape.cells(cached.copy);
      if (id !== used && cells > maxCachedCells && cache.get(id) === pending) cache.delete(id);
    }
  }

  return {
    async get(key) {
      const id = shape.idOf(key);
      const former = cache.get(id);
      // One after another: two requests must not fill the same copy at once.
      const next = (former ?? Promise.resolve(undefined)).then(
        (cached) => refreshed(key, cached),
        () => refreshed(key, undefined),
      );
      cache.delete(id);
      cache.set(id, next);
      const { copy } = await next;
      await evict(id);
      return copy;
    },
  };
}
