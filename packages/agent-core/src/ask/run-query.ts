import { createHash } from 'node:crypto';
import type { AggregateEvidence, CellEvidence, QueryCondition } from '@docwright/claims';
import { DomainError, parseWhere, testOf, type Cell, type WhereCondition } from '@docwright/contract';
import type { AskQuery, AskResult } from './services.ts';
import { cellValue, compare, currencyInside, numberOf } from './values.ts';

/** The rows and aggregates of a query. */
export interface QueryAnswer {
  rows: { document_id: string; document_name: string; cells: CellEvidence[] }[];
  aggregates: (AggregateEvidence & {
    group?: Record<string, unknown>;
    /** The number of its cells, and those that are sent to the model. */
    cell_count: number;
    first_cells: readonly CellEvidence[];
  })[];
  /** Number of documents that satisfy the conditions. */
  matched: number;
}

/** How many ids of cells an aggregate names; the product knows all of them. */
const maxNamedCells = 20;

/** A short id that the same content always has, so that a resumed turn cites the same. */
export const idOf = (kind: 'c' | 'a' | 'x' | 'p', ...parts: readonly unknown[]): string =>
  kind + createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 9);

function valueAt(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/** The value at a path like `seller.name`. */
export function fieldValue(result: unknown, path: string): unknown {
  return path.includes('.') ? path.split('.').reduce(valueAt, result) : valueAt(result, path);
}

const currencyName = /currency|währung|waehrung|devise|moneda/iu;

/** Reads the currency of an amount: in the value, or in a field beside it whose name holds “currency”. */
function currencyReader(path: string): (result: unknown, value: unknown) => string | undefined {
  const above = path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : undefined;
  // Results of a prompt have the same fields: the one that held it in the last result is looked at first.
  let known: string | undefined;
  const codeIn = (place: unknown): string | undefined => {
    if (typeof place !== 'object' || place === null) return undefined;
    if (known === undefined || !Object.hasOwn(place, known)) {
      known = Object.keys(place).find((name) => currencyName.test(name));
    }
    const code = known === undefined ? undefined : (place as Record<string, unknown>)[known];
    if (typeof code !== 'string') return undefined;
    const plain = code.trim();
    return /^[A-Za-z]{3}$/u.test(plain) ? plain.toUpperCase() : undefined;
  };
  return (result, value) => {
    if (typeof value !== 'number') {
      if (numberOf(value) === undefined) return undefined;
      const inside = currencyInside(value);
      if (inside !== undefined) return inside;
    }
    return (above === undefined ? undefined : codeIn(fieldValue(result, above))) ?? codeIn(result);
  };
}

/** Whether a field holds amounts; counts, rates and periods beside a currency are none. */
const isAmount = (path: string): boolean =>
  !/(?:count|quantity|qty|number|anzahl|menge|rate|percent|days|months|years|tage)(?:_|$)/iu.test(path);

/** Reads the value of results at a path, as evidence; undefined where they have none. */
export function cellReader(prompt_id: string, path: string): (row: AskResult) => CellEvidence | undefined {
  const currencyOf = isAmount(path) ? currencyReader(path) : () => undefined;
  return ({ document_id, result }) => {
    const value = fieldValue(result, path);
    if (value === undefined || value === null || value === '') return undefined;
    const currency = currencyOf(result, value);
    let id: string | undefined;
    const cell: CellEvidence = {
      kind: 'cell',
      // An aggregate rests on many cells, and few of them are named.
      get id() {
        return (id ??= idOf('c', prompt_id, document_id, path));
      },
      document_id,
      path,
      value,
    };
    if (currency !== undefined) cell.currency = currency;
    return cell;
  };
}

/**
 * Runs a query over the results of a prompt. Aggregates of amounts are made for each currency: two are never added up.
 *
 * @throws DomainError `invalid_where` for a condition that cannot be read, `unknown_field` for a path that no result has
 */
export function runQuery(results: readonly AskResult[], query: AskQuery): QueryAnswer {
  const conditions = parseWhere(query.where).map((each) => ({
    ...each,
    value: each.value === null ? null : typedValue(each),
    holds: testOf(each),
  }));
  const checked = conditions.map(({ path, op, value }): QueryCondition => ({ path, op, value }));
  const order = query.sort?.replace(/^-/u, '');
  const paths = [...query.columns, ...query.group_by, ...query.aggregate.map(({ path }) => path)];
  for (const path of [...paths, ...conditions.map((each) => each.path), ...(order === undefined ? [] : [order])]) {
    requireField(results, path);
  }
  const matched = results.filter(({ result }) =>
    conditions.every(({ path, holds }) => holds(conditionCell(fieldValue(result, path)))),
  );
  const sorted = order === undefined ? matched : sortedBy(matched, order, query.sort!.startsWith('-'));
  const columns = [...new Set([...query.columns, ...(order === undefined ? [] : [order])])];
  const readers = columns.map((path) => cellReader(query.prompt_id, path));
  const rows = (columns.length === 0 ? [] : sorted.slice(0, query.limit)).map((row) => ({
    document_id: row.document_id,
    document_name: row.document_name,
    cells: readers.flatMap((read) => read(row) ?? []),
  }));
  const groups = groupsOf(matched, query.group_by);
  const aggregates = groups
    .slice(0, 200)
    .flatMap(({ key, members }) => query.aggregate.flatMap((each) => aggregatesOf(members, each, key, checked, query)));
  const isCounted = aggregates.some(({ op }) => op === 'count');
  const none = matched.length === 0 && !isCounted ? [noMatch(checked, query)] : [];
  return { rows, aggregates: [...aggregates, ...none], matched: matched.length };
}

/** What an answer cites to say that no document satisfies the conditions. */
const noMatch = (conditions: QueryCondition[], { prompt_id, where }: AskQuery): QueryAnswer['aggregates'][number] => ({
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

function requireField(results: readonly AskResult[], path: string): void {
  if (results.length === 0 || results.some(({ result }) => fieldValue(result, path) !== undefined)) return;
  throw new DomainError('invalid', 'unknown_field', `No result has the field “${path}”. list_fields names the fields.`);
}

interface Group {
  key: Record<string, unknown>;
  members: readonly AskResult[];
}

function groupsOf(rows: readonly AskResult[], paths: readonly string[]): Group[] {
  if (paths.length === 0) return [{ key: {}, members: rows }];
  const groups = new Map<string, { key: Record<string, unknown>; members: AskResult[] }>();
  for (const row of rows) {
    const values = paths.map((path) => fieldValue(row.result, path) ?? null);
    const name = JSON.stringify(values);
    const group = groups.get(name);
    if (group) group.members.push(row);
    else groups.set(name, { key: Object.fromEntries(paths.map((path, at) => [path, values[at]])), members: [row] });
  }
  return [...groups.values()];
}

/** The rows with a value, in its order. */
function sortedBy(results: readonly AskResult[], path: string, isDown: boolean): AskResult[] {
  const keyed = results.flatMap((row) => {
    const value = fieldValue(row.result, path);
    return value === undefined || value === null ? [] : [{ row, value, number: numberOf(value) }];
  });
  const sign = isDown ? -1 : 1;
  keyed.sort((one, other) =>
    one.number !== undefined && other.number !== undefined
      ? sign * (one.number - other.number)
      : sign * (compare(one.value, other.value) ?? 0),
  );
  return keyed.map(({ row }) => row);
}

function aggregatesOf(
  members: readonly AskResult[],
  { op, path }: AskQuery['aggregate'][number],
  group: Record<string, unknown>,
  conditions: readonly QueryCondition[],
  { prompt_id, where }: AskQuery,
): QueryAnswer['aggregates'] {
  const isNumeric = op === 'sum' || op === 'avg';
  const isSplit = op !== 'count' && op !== 'distinct' && isAmount(path);
  const currencyOf = isSplit ? currencyReader(path) : () => undefined;
  const parts = new Map<string | undefined, { rows: AskResult[]; values: unknown[]; atRisk: number }>();
  let used = 0;
  for (const row of members) {
    const value = fieldValue(row.result, path);
    if (value === undefined || value === null || value === '') continue;
    if (isNumeric && numberOf(value) === undefined) continue;
    const currency = currencyOf(row.result, value);
    let part = parts.get(currency);
    if (part === undefined) parts.set(currency, (part = { rows: [], values: [], atRisk: 0 }));
    part.rows.push(row);
    part.values.push(value);
    if (row.at_risk.includes(path)) part.atRisk += 1;
    used += 1;
  }
  if (parts.size === 0 && (op === 'count' || op === 'distinct'))
    parts.set(undefined, { rows: [], values: [], atRisk: 0 });
  const keys = Object.entries(group).map(([key, value]) => ({ path: key, op: '=' as const, value: value as string }));
  return [...parts].map(([currency, { rows, values, atRisk }]) => {
    const cellsOf = (some: readonly AskResult[]) => {
      const read = cellReader(prompt_id, path);
      return some.flatMap((row) => read(row) ?? []);
    };
    let cells: CellEvidence[] | undefined;
    return {
      kind: 'aggregate' as const,
      id: idOf('a', prompt_id, where, group, op, path, currency),
      op,
      path,
      value: valueOf(op, values),
      ...(currency !== undefined && { currency }),
      ...(keys.length > 0 && { group }),
      // Most aggregates are not cited, and few of their cells are named.
      get cells() {
        return (cells ??= cellsOf(rows));
      },
      cell_count: rows.length,
      first_cells: cellsOf(rows.slice(0, maxNamedCells)),
      without_value: members.length - used,
      at_risk: atRisk,
      conditions: [...conditions, ...keys],
    };
  });
}

function valueOf(op: AggregateEvidence['op'], values: readonly unknown[]): unknown {
  if (op === 'count') return values.length;
  if (op === 'distinct') return new Set(values.map((value) => JSON.stringify(value))).size;
  if (op === 'min' || op === 'max') {
    const sorted = values.toSorted((one, other) => compare(one, other) ?? 0);
    return op === 'min' ? sorted[0] : sorted.at(-1);
  }
  const sum = values.reduce<number>((whole, value) => whole + (numberOf(value) ?? 0), 0);
  return Math.round((op === 'sum' ? sum : sum / values.length) * 1e6) / 1e6;
}
