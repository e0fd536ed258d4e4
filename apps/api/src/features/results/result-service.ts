import {
  DomainError,
  parseWhere,
  testOf,
  type Cell,
  type ResultFilter,
  type ResultPage,
  type ResultQuery,
  type ResultRow,
  type ResultSummary,
  type SummaryQuery,
} from '@docwright/contract';
import type { UnlistedDocuments } from '../documents/index.ts';
import type { Actor } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import type { ColumnStore } from './columns/column-store.ts';
import { headPaths } from './columns/row-head.ts';
import type { IndexUpdates } from './index-updates.ts';
import type { ResultIndexRepository } from './result-index-repository.ts';
import type { ResultTables } from './result-tables.ts';
import { positionAfter, writeCursor } from './columns/result-cursor.ts';
import { totalsOf } from './columns/result-totals.ts';
import { chosenOf, selectedRows, type ChosenRow, type RowFilter } from './columns/row-selection.ts';
import { eachInSteps, inTurns } from '../../platform/long-values/in-turns.ts';

/** What is open in Review for a document and prompt. */
type OpenReview = Pick<ResultRow, 'risk' | 'to_check'>;

/** The fields of documents that are read again for each page, because they change without a write of a result. */
export interface ResultDocuments {
  names(organizationId: string, ids: readonly string[]): Promise<Map<string, string>>;
  unlisted: UnlistedDocuments;
  withTags(organizationId: string, tagIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Ids of the documents that no model gets. */
  keptFromModels(organizationId: string): Promise<ReadonlySet<string>>;
  /** The highest risk of an open value and the number of values to check, by document. */
  reviews(organizationId: string, promptId: string, ids: readonly string[]): Promise<Map<string, OpenReview>>;
}

interface ResultServiceDependencies {
  index: ResultIndexRepository;
  indexUpdates: Pick<IndexUpdates, 'catchUp'>;
  tables: ResultTables;
  documents: ResultDocuments;
  prompts: (actor: Actor) => Pick<PromptService, 'getCurrent'>;
}

type Selection = Omit<ResultQuery, 'cursor' | 'position' | 'limit'>;

/** The selected rows of a prompt, for an export that reads them in batches. */
export interface ResultExport {
  organizationId: string;
  name: string;
  columns: string[];
  count: number;
  /** Batches of rows, with the exact digits of numbers as texts. */
  rows: () => AsyncGenerator<ResultRow[]>;
}

/** Results over many documents, with the rights of one user. Throws `prompt_not_found` for an unknown prompt. */
export type ResultService = ReturnType<typeof resultServiceFor>;

const exportBatch = 500;

/** For whom results are read: a model gets none of documents that are kept from models. */
type Reader = 'program' | 'model';

export function createResultService(
  dependencies: ResultServiceDependencies,
): (actor: Actor, reader?: Reader) => ResultService {
  return (actor, reader = 'program') => resultServiceFor(actor, reader, dependencies);
}

function resultServiceFor(
  { organizationId, ...rest }: Actor,
  reader: Reader,
  { index, indexUpdates, tables, documents, prompts }: ResultServiceDependencies,
) {
  const actor = { organizationId, ...rest };

  async function open(promptId: string, { table, release, where = '' }: ResultFilter) {
    const prompt = await prompts(actor).getCurrent(promptId);
    const key = { organizationId, promptId: prompt.prompt_id };
    await indexUpdates.catchUp(key);
    // Who asks for a state gets none of which the index does not know yet that it has changed.
    const isByState = release !== undefined || parseWhere(where).some(({ path }) => path === 'release');
    const outdated: ReadonlySet<string> = isByState ? await index.pendingDocuments(key) : new Set<string>();
    const found = await tables.get({ ...key, table });
    const pending = await index.countPending(key);
    if (table !== undefined && found.tables.size > 0 && !found.tables.has(table)) {
      throw unknownColumn(`The results have no list of objects "${table}".`, [...found.tables]);
    }
    return { ...found, outdated, key, name: prompt.name, lag: pending > 0 ? { lag: { pending } } : {} };
  }

  type Opened = Pick<Awaited<ReturnType<typeof open>>, 'store' | 'outdated'>;

  async function rowFilter({ store, outdated }: Opened, filter: ResultFilter): Promise<RowFilter> {
    const { where, release, is_verified, since, tag_ids, document_ids, include_replaced } = filter;
    const tests: ((row: number) => boolean)[] = [];
    const { hiddenHeads } = store;
    for (const condition of parseWhere(where ?? '')) {
      requireColumn(store, condition.path);
      const [read, test] = [store.reader(condition.path), testOf(condition)];
      tests.push((row) => test(read(row)));
    }
    if (release !== undefined) tests.push((row) => store.head(row).release === release);
    if (is_verified !== undefined) tests.push((row) => store.head(row).is_verified === is_verified);
    if (since !== undefined) {
      const from = Date.parse(since);
      tests.push((row) => store.head(row).changed_at >= from);
    }
    // Who names a document asks for it.
    const isAsked = include_replaced === true || document_ids !== undefined;
    const [unlisted, kept, tagged] = await Promise.all([
      documents.unlisted[isAsked ? 'trashed' : 'all'](organizationId),
      reader === 'model' ? documents.keptFromModels(organizationId) : new Set<string>(),
      tag_ids !== undefined && tag_ids.length > 0 ? documents.withTags(organizationId, tag_ids) : undefined,
    ]);
    return {
      key: JSON.stringify([where, release, is_verified, since, hiddenHeads]),
      tests,
      within: [tagged, document_ids && new Set(document_ids)].filter((ids) => ids !== undefined),
      without: [outdated, unlisted, kept].filter(({ size }) => size > 0),
    };
  }

  /** The selected rows in order. */
  async function select(opened: Opened, { sort = '-changed_at', ...filter }: Selection) {
    const descending = sort.startsWith('-');
    const path = descending ? sort.slice(1) : sort;
    requireColumn(opened.store, path);
    const rows = await selectedRows(opened.store, { path, descending }, await rowFilter(opened, filter));
    return { rows, order: { path, sign: descending ? -1 : 1 } };
  }

  async function present(
    store: ColumnStore,
    promptId: string,
    rows: readonly ChosenRow[],
    columns: readonly string[],
    { isExact = false } = {},
  ): Promise<ResultRow[]> {
    const ids = [...new Set(rows.map(({ head }) => head.document_id))];
    const names = await documents.names(organizationId, ids);
    const reviews = isExact ? undefined : await documents.reviews(organizationId, promptId, ids);
    const readers = columns.map((path) => [path, store.reader(path)] as const);
    return rows.map(({ row, head: { changed_at, ...head } }) => {
      const item = store.item(row);
      const fields = readers.map(([path, read]): [string, Cell] => {
        const exact = isExact ? store.exact(row, path) : undefined;
        return [path, exact ?? read(row)];
      });
      return {
        ...head,
        document_name: names.get(head.document_id) ?? head.document_name,
        changed_at: new Date(changed_at).toISOString(),
        ...reviews?.get(head.document_id),
        ...(item !== undefined && { item }),
        fields: Object.fromEntries(fields),
      };
    });
  }

  function chosenColumns(store: ColumnStore, columns: readonly string[] | undefined): string[] {
    if (columns === undefined || columns.length === 0) return store.columns().map(({ path }) => path);
    for (const path of columns) requireColumn(store, path);
    return [...new Set(columns)];
  }

  return {
    async query(
      promptId: string,
      { cursor, position = 0, limit, columns, ...query }: ResultQuery,
    ): Promise<ResultPage> {
      const opened = await open(promptId, query);
      const { store, tables: lists, key, lag } = opened;
      const { rows, order } = await select(opened, query);
      const start = cursor === undefined ? position : positionAfter(store, rows, order, cursor);
      const page = rows.subarray(start, start + limit);
      const last = start + limit < rows.length ? page.at(-1) : undefined;
      return {
        next_cursor: last === undefined ? null : writeCursor(store, order, last),
        rows: await present(store, key.promptId, chosenOf(store, page), chosenColumns(store, columns)),
        columns: store.columns(),
        tables: [...lists],
        total_count: rows.length,
        ...lag,
      };
    },
    async summary(promptId: string, { group_by = [], sum, count, ...filter }: SummaryQuery): Promise<ResultSummary> {
      if (group_by.length > 2) {
        throw new DomainError('invalid', 'too_many_groups', 'Group by one or two columns, separated by a comma.');
      }
      const opened = await open(promptId, filter);
      const { store, lag } = opened;
      for (const path of [...group_by, sum, count]) if (path !== undefined) requireColumn(store, path);
      const { rows } = await select(opened, filter);
      return { ...(await totalsOf(store, rows, { group_by, sum, count })), ...lag };
    },
    async export(promptId: string, { columns, ...query }: Selection): Promise<ResultExport> {
      const opened = await open(promptId, query);
      const { store, key, name } = opened;
      const { rows } = await select(opened, query);
      // Rows as they are now: later writes leave their cells in place.
      const heads = store.heads();
      const paths = chosenColumns(store, columns);
      return {
        organizationId,
        name,
        columns: paths,
        count: rows.length,
        async *rows() {
          for (let at = 0; at < rows.length; at += exportBatch) {
            yield await present(
              store,
              key.promptId,
              chosenOf(store, rows.subarray(at, at + exportBatch), heads),
              paths,
              {
                isExact: true,
              },
            );
          }
        },
      };
    },
    /** The ids of documents whose newest result is selected, at most `limit`. */
    async documentIds(
      promptId: string,
      filter: ResultFilter,
      limit: number,
    ): Promise<{ ids: string[]; total_count: number }> {
      const opened = await open(promptId, filter);
      const { store } = opened;
      const { rows } = await select(opened, filter);
      const ids = new Set<string>();
      const heads = store.heads();
      await inTurns(eachInSteps(rows, (row) => ids.add(heads[row]!.document_id)));
      return { ids: [...ids].slice(0, limit), total_count: ids.size };
    },
  };
}

function requireColumn(store: ColumnStore, path: string): void {
  // Without rows nothing is known about the columns.
  if (store.size === 0 || store.has(path) || headPaths.includes(path)) return;
  const names = store.columns().map((column) => column.path);
  throw unknownColumn(`The results have no column "${path}".`, [...names, ...headPaths]);
}

function unknownColumn(message: string, known: readonly string[]): DomainError {
  const names = known.slice(0, 40).join(', ') || 'none';
  return new DomainError('invalid', 'unknown_column', `${message} There are: ${names}.`, {
    columns: known.slice(0, 300),
  });
}
