import { createHash } from 'node:crypto';
import type { AggregateEvidence, CellEvidence, QueryCondition } from '@docwright/claims';
import { DomainError } from '@docwright/contract';
import type { AskQuery, AskResult } from './services.ts';
import { compare, currencyInside, numberOf, parseWhere, satisfies } from './where.ts';

/** The rows and aggregates of a query. */
export interface QueryAnswer {
  rows: { document_id: string; document_name: string; cells: CellEvidence[] }[];
  aggregates: (AggregateEvidence & { group?: Record<string, unknown> })[];
  /** Number of documents that satisfy the conditions. */
  matched: number;
}

/** A short id that the same content always has, so that a resumed turn cites the same. */
export const idOf = (kind: 'c' | 'a' | 'x' | 'p', ...parts: readonly unknown[]): string =>
  kind + createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 9);

/** The value at a path like `seller.name`. */
export function fieldValue(result: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  }, result);
}

/** The currency of an amount: in the value, or in a field beside it whose name holds “currency”. */
function currencyAt(result: unknown, path: string): string | undefined {
  const value = fieldValue(result, path);
  if (numberOf(value) === undefined) return undefined;
  const inside = currencyInside(value);
  if (inside !== undefined) return inside;
  const parent = path.includes('.') ? fieldValue(result, path.slice(0, path.lastIndexOf('.'))) : result;
  for (const place of [parent, result]) {
    if (typeof place !== 'object' || place === null) continue;
    const key = Object.keys(place).find((name) => /currency|währung|waehrung|devise|moneda/iu.test(name));
    const code = key === undefined ? undefined : (place as Record<string, unknown>)[key];
    if (typeof code === 'string' && /^[A-Za-z]{3}$/u.test(code.trim())) return code.trim().toUpperCase();
  }
  return undefined;
}

/** Whether a field holds amounts; counts, rates and periods beside a currency are none. */
const isAmount = (path: string): boolean =>
  !/(?:count|quantity|qty|number|anzahl|menge|rate|percent|days|months|years|tage)(?:_|$)/iu.test(path);

/** The value of a result at a path, as evidence; undefined if it has none. */
export function cellOf(
  { document_id, result, places }: AskResult,
  prompt_id: string,
  path: string,
): CellEvidence | undefined {
  const value = fieldValue(result, path);
  if (value === undefined || value === null || value === '') return undefined;
  const currency = isAmount(path) ? currencyAt(result, path) : undefined;
  const place = places?.[path];
  return {
    kind: 'cell',
    id: idOf('c', prompt_id, document_id, path),
    document_id,
    path,
    value,
    ...(currency !== undefined && { currency }),
    ...place,
  };
}

/**
 * Runs a query over the results of a prompt. Aggregates of amounts are made for each currency: two are never added up.
 *
 * @throws DomainError `invalid_query` for a condition that cannot be read, `unknown_field` for a path that no result has
 */
export function runQuery(results: readonly AskResult[], query: AskQuery): QueryAnswer {
  const conditions = parseWhere(query.where);
  const order = query.sort?.replace(/^-/u, '');
  const paths = [...query.columns, ...query.group_by, ...query.aggregate.map(({ path }) => path)];
  for (const path of [...paths, ...conditions.map((each) => each.path), ...(order === undefined ? [] : [order])]) {
    requireField(results, path);
  }
  const matched = results.filter(({ result }) =>
    conditions.every((each) => satisfies(fieldValue(result, each.path), each)),
  );
  const sorted = order === undefined ? matched : sortedBy(matched, order, query.sort!.startsWith('-'));
  const columns = [...new Set([...query.columns, ...(order === undefined ? [] : [order])])];
  const rows = (columns.length === 0 ? [] : sorted.slice(0, query.limit)).map((row) => ({
    document_id: row.document_id,
    document_name: row.document_name,
    cells: columns.flatMap((path) => cellOf(row, query.prompt_id, path) ?? []),
  }));
  const groups = new Map<string, { key: Record<string, unknown>; members: AskResult[] }>();
  for (const row of matched) {
    const key = Object.fromEntries(query.group_by.map((path) => [path, fieldValue(row.result, path) ?? null]));
    const name = JSON.stringify(key);
    const group = groups.get(name) ?? { key, members: [] };
    group.members.push(row);
    groups.set(name, group);
  }
  if (groups.size === 0 && query.group_by.length === 0) groups.set('{}', { key: {}, members: [] });
  const aggregates = [...groups.values()]
    .slice(0, 200)
    .flatMap(({ key, members }) =>
      query.aggregate.flatMap((each) => aggregatesOf(members, each, key, conditions, query)),
    );
  return { rows, aggregates, matched: matched.length };
}

function requireField(results: readonly AskResult[], path: string): void {
  if (results.length === 0 || results.some(({ result }) => fieldValue(result, path) !== undefined)) return;
  throw new DomainError('invalid', 'unknown_field', `No result has the field “${path}”. list_fields names the fields.`);
}

function sortedBy(results: readonly AskResult[], path: string, isDown: boolean): AskResult[] {
  const has = results.filter(
    ({ result }) => fieldValue(result, path) !== undefined && fieldValue(result, path) !== null,
  );
  const sign = isDown ? -1 : 1;
  return has.toSorted(
    (one, other) => sign * (compare(fieldValue(one.result, path), fieldValue(other.result, path)) ?? 0),
  );
}

function aggregatesOf(
  members: readonly AskResult[],
  { op, path }: AskQuery['aggregate'][number],
  group: Record<string, unknown>,
  conditions: readonly QueryCondition[],
  { prompt_id, where }: AskQuery,
): QueryAnswer['aggregates'] {
  const found = members.flatMap((row) => {
    const cell = cellOf(row, prompt_id, path);
    return cell === undefined ? [] : [{ cell, isAtRisk: row.at_risk.includes(path) }];
  });
  const isNumeric = op === 'sum' || op === 'avg';
  const used = isNumeric ? found.filter(({ cell }) => numberOf(cell.value) !== undefined) : found;
  const byCurrency = new Map<string | undefined, typeof used>();
  const isSplit = op !== 'count' && op !== 'distinct';
  for (const each of used) {
    const currency = isSplit ? each.cell.currency : undefined;
    byCurrency.set(currency, [...(byCurrency.get(currency) ?? []), each]);
  }
  if (byCurrency.size === 0 && (op === 'count' || op === 'distinct')) byCurrency.set(undefined, []);
  const keys = Object.entries(group).map(([key, value]) => ({ path: key, op: '=' as const, value: value as string }));
  return [...byCurrency].map(([currency, cells]) => ({
    kind: 'aggregate' as const,
    id: idOf('a', prompt_id, where, group, op, path, currency),
    op,
    path,
    value: valueOf(
      op,
      cells.map(({ cell }) => cell.value),
    ),
    ...(currency !== undefined && { currency }),
    ...(keys.length > 0 && { group }),
    cells: cells.map(({ cell }) => cell),
    without_value: members.length - used.length,
    at_risk: cells.filter(({ isAtRisk }) => isAtRisk).length,
    conditions: [...conditions, ...keys],
  }));
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
