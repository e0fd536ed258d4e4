import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CellEvidence, Evidence, QueryCondition } from '@docwright/claims';
import { DomainError, parseWhere, testOf, type Cell, type WhereCondition } from '@docwright/contract';
import { aggregatesOf, listsOf, type KeptRows, type QueryAggregate } from './aggregates.ts';
import { cellReader, fieldValue, idOf } from './cells.ts';
import { eachInSteps, filteredInSteps, sortedInSteps } from './in-steps.ts';
import type { AskQuery, AskResult } from './services.ts';
import { cellValue, compare, numberOf } from './values.ts';

/** The rows and aggregates of a query. */
export interface QueryAnswer {
  rows: { document_id: string; document_name: string; cells: CellEvidence[] }[];
  aggregates: QueryAggregate[];
  /** Number of documents that satisfy the conditions. */
  matched: number;
}

/** Results that the aggregates of one turn keep for their cells, at most: about 8 MB. */
const maxKept = 500_000;

/**
 * Runs a query over the results of a prompt. Aggregates of amounts are made for each currency: two are never added up.
 *
 * @param shown what the turn keeps already: aggregates of the same results share them
 * @throws DomainError `invalid_where` for a condition that cannot be read, `unknown_field` for a path that no result has,
 *   `scope_too_large` if the aggregates would keep too many results
 */
export async function runQuery(
  results: readonly AskResult[],
  query: AskQuery,
  shown: Iterable<Evidence> = [],
): Promise<QueryAnswer> {
  const conditions = parseWhere(query.where).map((each) => ({
    ...each,
    value: each.value === null ? null : typedValue(each),
    holds: testOf(each),
  }));
  const checked = conditions.map(({ path, op, value }): QueryCondition => ({ path, op, value }));
  const order = query.sort?.replace(/^-/u, '');
  const paths = [...query.columns, ...query.group_by, ...query.aggregate.map(({ path }) => path)];
  await requireFields(results, [
    ...paths,
    ...conditions.map((each) => each.path),
    ...(order === undefined ? [] : [order]),
  ]);
  const matched = await filteredInSteps(results, ({ result }) =>
    conditions.every(({ path, holds }) => holds(conditionCell(fieldValue(result, path)))),
  );
  const sorted = order === undefined ? matched : await sortedBy(matched, order, query.sort!.startsWith('-'));
  const columns = [...new Set([...query.columns, ...(order === undefined ? [] : [order])])];
  const readers = columns.map((path) => cellReader(query.prompt_id, path));
  const rows = (columns.length === 0 ? [] : sorted.slice(0, query.limit)).map((row) => ({
    document_id: row.document_id,
    document_name: row.document_name,
    cells: readers.flatMap((read) => read(row) ?? []),
  }));
  const aggregates: QueryAggregate[] = [];
  const known = listsOf(shown);
  const kept = new Set(known);
  const groups = query.aggregate.length === 0 ? [] : await groupsOf(matched, query.group_by);
  for (const { key, members } of groups.slice(0, 200)) {
    // Most aggregates of a group rest on the same results, and those of a repeated query on the former ones.
    const lists: KeptRows[] = [...known];
    for (const each of query.aggregate) {
      aggregates.push(...(await aggregatesOf(members, each, { group: key, conditions: checked, query, lists })));
      for (const list of lists.slice(known.size)) kept.add(list);
      requireRoom(kept);
    }
    await nextTurn();
  }
  const isCounted = aggregates.some(({ op }) => op === 'count');
  const none = matched.length === 0 && !isCounted ? [noMatch(checked, query)] : [];
  return { rows, aggregates: [...aggregates, ...none], matched: matched.length };
}

function requireRoom(lists: ReadonlySet<KeptRows>): void {
  let kept = 0;
  for (const { ids } of lists) kept += ids.length;
  if (kept <= maxKept) return;
  const message =
    'The totals of this question rest on too many results together. Answer with what you have, or ask for fewer documents.';
  throw new DomainError('invalid', 'scope_too_large', message);
}

/** What an answer cites to say that no document satisfies the conditions. */
const noMatch = (conditions: QueryCondition[], { prompt_id, where }: AskQuery): QueryAggregate => ({
  kind: 'aggregate',
  id: idOf('a', prompt_id, where, 'none'),
  op: 'count',
  path: 'documents',
  value: 0,
  cells: [],
  cell_count: 0,
  first_cells: [],
  without_value: 0,
  at_risk: 0,
  conditions,
});

/** Nothing but `=null` holds for an empty text. */
const conditionCell = (value: unknown): Cell => (value === '' ? null : cellValue(value));

/** The value of a condition, as the check of sentences compares it. */
function typedValue({ value }: WhereCondition): string | number | boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  return /^-?\d+(?:\.\d+)?$/u.test(value ?? '') ? Number(value) : (value ?? '');
}

async function requireFields(results: readonly AskResult[], paths: readonly string[]): Promise<void> {
  const missing = new Set(results.length === 0 ? [] : paths);
  await eachInSteps(results, ({ result }) => {
    for (const path of missing) if (fieldValue(result, path) !== undefined) missing.delete(path);
  });
  const [first] = missing;
  if (first === undefined) return;
  throw new DomainError(
    'invalid',
    'unknown_field',
    `No result has the field “${first}”. list_fields names the fields.`,
  );
}

interface Group {
  key: Record<string, unknown>;
  members: readonly AskResult[];
}

async function groupsOf(rows: readonly AskResult[], paths: readonly string[]): Promise<Group[]> {
  if (paths.length === 0) return [{ key: {}, members: rows }];
  const groups = new Map<string, { key: Record<string, unknown>; members: AskResult[] }>();
  await eachInSteps(rows, (row) => {
    const values = paths.map((path) => fieldValue(row.result, path) ?? null);
    const name = JSON.stringify(values);
    const group = groups.get(name);
    if (group) group.members.push(row);
    else groups.set(name, { key: Object.fromEntries(paths.map((path, at) => [path, values[at]])), members: [row] });
  });
  return [...groups.values()];
}

/** The rows with a value, in its order. */
async function sortedBy(results: readonly AskResult[], path: string, isDown: boolean): Promise<AskResult[]> {
  const keyed: { row: AskResult; value: unknown; number: number | undefined }[] = [];
  await eachInSteps(results, (row) => {
    const value = fieldValue(row.result, path);
    if (value !== undefined && value !== null) keyed.push({ row, value, number: numberOf(value) });
  });
  const sign = isDown ? -1 : 1;
  const sorted = await sortedInSteps(keyed, (one, other) =>
    one.number !== undefined && other.number !== undefined
      ? sign * (one.number - other.number)
      : sign * (compare(one.value, other.value) ?? 0),
  );
  return sorted.map(({ row }) => row);
}
