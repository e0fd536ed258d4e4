import { setImmediate as breathe } from 'node:timers/promises';
import { LruMap } from 'toad-cache';
import type { StoredCopies } from '../../platform/database/stored-copies/stored-copy-repository.ts';
import { inTurns } from '../../platform/long-values/in-turns.ts';
import { parseStored } from '../extractions/index.ts';
import { ColumnStore } from './columns/column-store.ts';
import type { RowHead } from './columns/row-head.ts';
import { piecesOfStore, storeOfPieces } from './columns/stored-store.ts';
import { createIndexCopies, type IndexEntries } from './index-copies.ts';
import { resultRowSteps } from './result-cells.ts';
import type { ResultIndexRecord } from './result-index-model.ts';
import { copyNameOf, type ResultIndexRepository } from './result-index-repository.ts';

/** The rows of a prompt's results, or of one of their lists of objects. */
interface ResultTable {
  store: ColumnStore;
  /** The lists of objects in the results. */
  tables: ReadonlySet<string>;
}

interface TableKey {
  organizationId: string;
  promptId: string;
  table?: string | undefined;
}

interface Copy extends ResultTable {
  tables: Set<string>;
  /** Documents whose rows were removed. */
  removals: number;
}

/** Raise it with each change of the pieces, or of the rows that are made of results: a process ignores copies of another format. */
const format = 1;

/** Tables in memory, and stored for processes that start later. */
export function createResultTables(index: IndexEntries, copies: StoredCopies) {
  return createIndexCopies<TableKey, Copy>(index, {
    idOf: ({ organizationId, promptId, table }) => JSON.stringify([organizationId, promptId, table ?? null]),
    create: () => ({ store: new ColumnStore(), tables: new Set(), removals: 0 }),
    apply: (copy, entry, { table }) => apply(copy, entry, table),
    cells: ({ store }) => store.cells,
    isWasteful: ({ store }) => store.isWasteful,
    stored: {
      copies,
      keyOf: ({ organizationId, promptId, table }) => ({
        organizationId,
        name: copyNameOf(promptId),
        ...(table !== undefined && { part: table }),
        format,
      }),
      removals: ({ removals }) => removals,
      async *pieces({ store, tables }) {
        yield Buffer.from(JSON.stringify([...tables]));
        yield* piecesOfStore(store);
      },
      async read(pieces) {
        const all = pieces[Symbol.asyncIterator]();
        const first = await all.next();
        if (first.done === true) throw new Error('A stored table is empty.');
        const tables = new Set(JSON.parse(first.value.toString()) as string[]);
        return { store: await storeOfPieces({ [Symbol.asyncIterator]: () => all }), tables, removals: 0 };
      },
    },
  });
}

type StoredTables = Pick<ReturnType<typeof createResultTables>, 'get' | 'store'>;
export type ResultTables = Pick<StoredTables, 'get'>;

async function apply(table: Copy, entry: ResultIndexRecord, path: string | undefined): Promise<void> {
  const documentId = entry.document_id.toHexString();
  if (entry.is_removed) {
    table.removals += Number(table.store.rowsOf(documentId).length > 0);
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
  // Almost no result has numbers that JSON would round.
  const exact = entry.exact === '{}' ? {} : await parseStored(entry.exact);
  const { rows, tables } = await inTurns(resultRowSteps(await parseStored(entry.result), exact, path));
  for (const name of tables) table.tables.add(name);
  table.store.replace(documentId, head, rows);
}

/** Tables in memory, and those that were used last read into it before anybody asks. */
export interface WarmTables extends ResultTables {
  /** Reads them after a start, in steps between which other work of the process continues. */
  warm(signal: AbortSignal): Promise<void>;
  /** Stores what the next start needs of the tables that were used last. Call it now and then. */
  storeUsed(): Promise<void>;
}

const hourMs = 3_600_000;
const usedWithinMs = 7 * 24 * hourMs;
const maxWarmed = 20;
/** Less than half of what a process keeps, so that there is room for the tables that users ask for. */
const maxWarmedCells = 2_500_000;
/** The columns that are put in order in advance. */
const maxOrdered = 12;

export function createWarmTables(
  index: Pick<ResultIndexRepository, 'noteUse' | 'lastUsed'>,
  tables: StoredTables,
): WarmTables {
  const notedAt = new LruMap<number>(1_000);
  const used = new LruMap<TableKey>(maxWarmed);
  return {
    async get(key) {
      const table = await tables.get(key);
      used.set(JSON.stringify([key.organizationId, key.promptId, key.table]), key);
      const id = `${key.organizationId}/${key.promptId}`;
      if ((notedAt.get(id) ?? 0) < Date.now() - hourMs) {
        notedAt.set(id, Date.now());
        // Only the next start is slower without it.
        void index.noteUse(key).catch(() => notedAt.delete(id));
      }
      return table;
    },
    async warm(signal) {
      let cells = 0;
      for (const key of await index.lastUsed(new Date(Date.now() - usedWithinMs), maxWarmed)) {
        if (signal.aborted || cells > maxWarmedCells) return;
        const { store } = await tables.get(key);
        used.set(JSON.stringify([key.organizationId, key.promptId, undefined]), key);
        cells += store.cells;
        await store.order('changed_at', true);
        const columns = store.columns().slice(0, maxOrdered);
        for (const path of ['document_name', ...columns.map((column) => column.path)]) {
          await breathe();
          if (signal.aborted) return;
          await store.order(path, false);
        }
      }
    },
    async storeUsed() {
      for (const id of used.keys()) {
        await tables.store(used.get(id)!);
      }
    },
  };
}
