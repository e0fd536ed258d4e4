import { parseStored } from '../extractions/index.ts';
import { ColumnStore, type RowHead } from './column-store.ts';
import { createIndexCopies } from './index-copies.ts';
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

interface Copy extends ResultTable {
  tables: Set<string>;
}

/** Tables in memory. */
export function createResultTables(index: Pick<ResultIndexRepository, 'stamp' | 'entries'>) {
  return createIndexCopies<TableKey, Copy>(index, {
    idOf: ({ organizationId, promptId, table }) => JSON.stringify([organizationId, promptId, table ?? null]),
    create: () => ({ store: new ColumnStore(), tables: new Set() }),
    apply: (copy, entry, { table }) => apply(copy, entry, table),
    cells: ({ store }) => store.cells,
    isWasteful: ({ store }) => store.isWasteful,
  });
}

export type ResultTables = ReturnType<typeof createResultTables>;

function apply(table: Copy, entry: ResultIndexRecord, path: string | undefined): void {
  const documentId = entry.document_id.toHexString();
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
