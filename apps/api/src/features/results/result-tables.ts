import { parseStored } from '../extractions/index.ts';
import { ColumnStore, type RowHead } from './column-store.ts';
import { rowsOfResult, tablesOf } from './result-cells.ts';
import type { ResultIndexRecord } from './result-index-model.ts';
import type { ResultIndexRepository } from './result-index-repository.ts';

/** The rows of a prompt's results, or of one of their lists of objects. */
export interface ResultTable {
  store: ColumnStore;
  /** The lists of objects in the results. */
  tables: ReadonlySet<string>;
}

interface TableKey {
  organizationId: string;
  promptId: string;
  table?: string | undefined;
}

interface CachedTable extends ResultTable {
  tables: Set<string>;
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
 * Tables in memory, the last used ones of all organizations. Each use reads one counter from the database, and what was
 * written since.
 */
export function createResultTables(index: Pick<ResultIndexRepository, 'stamp' | 'entries'>) {
  const cache = new Map<string, Promise<CachedTable>>();

  async function refreshed(key: TableKey, cached: CachedTable | undefined): Promise<CachedTable> {
    const stamp = await index.stamp(key);
    const now = Date.now();
    const isUsable = cached !== undefined && now - cached.refreshedAt < maxAgeMs && !cached.store.isWasteful;
    if (isUsable && cached.stamp === stamp) return Object.assign(cached, { refreshedAt: now });
    const table: CachedTable = isUsable
      ? cached
      : { store: new ColumnStore(), tables: new Set(), stamp, newest: undefined, refreshedAt: now };
    const since = table.newest && new Date(table.newest.getTime() - overlapMs);
    for await (const entry of index.entries(key, since)) apply(table, entry, key.table);
    return Object.assign(table, { stamp, refreshedAt: now });
  }

  return {
    async get(key: TableKey): Promise<ResultTable> {
      const id = JSON.stringify([key.organizationId, key.promptId, key.table ?? null]);
      const former = cache.get(id);
      // One after another: two requests must not fill the same table at once.
      const next = (former ?? Promise.resolve(undefined)).then(
        (cached) => refreshed(key, cached),
        () => refreshed(key, undefined),
      );
      cache.delete(id);
      cache.set(id, next);
      const table = await next;
      await evict(id);
      return table;
    },
  };

  async function evict(used: string): Promise<void> {
    let cells = 0;
    for (const [id, pending] of [...cache].toReversed()) {
      const table = await pending.catch(() => undefined);
      cells += table?.store.cells ?? 0;
      if (id !== used && cells > maxCachedCells && cache.get(id) === pending) cache.delete(id);
    }
  }
}

export type ResultTables = ReturnType<typeof createResultTables>;

function apply(table: CachedTable, entry: ResultIndexRecord, path: string | undefined): void {
  const documentId = entry.document_id.toHexString();
  const { indexed_at } = entry;
  if (indexed_at !== undefined && (table.newest === undefined || indexed_at > table.newest)) table.newest = indexed_at;
  if (entry.is_removed) {
    table.store.replace(documentId, undefined, []);
    return;
  }
  const head: RowHead = {
    document_id: documentId,
    document_name: entry.document_name,
    prompt_revid: entry.prompt_revid.toHexString(),
    version: entry.version,
    release: entry.release,
    is_verified: entry.is_verified,
    is_complete: entry.is_complete,
    changed_at: entry.changed_at.getTime(),
  };
  const result: unknown = parseStored(entry.result);
  for (const name of tablesOf(result)) table.tables.add(name);
  table.store.replace(documentId, head, rowsOfResult(result, parseStored(entry.exact), path));
}
