import type { Cell, ResultSummary } from '@docwright/contract';
import { inTurns, type Steps } from '../../../platform/long-values/in-turns.ts';
import { compareCells } from './column-order.ts';
import type { ColumnStore } from './column-store.ts';

const maxTotals = 1_000;

type Total = ResultSummary['totals'][number];
type SumOfGroup = Total & { rest: number };
type Groups = Map<Cell, SumOfGroup | Groups>;

/** So many rows are added in a step: a few milliseconds. */
const rowsInStep = 20_000;

interface Columns {
  group_by: readonly string[];
  sum: string | undefined;
  count: string | undefined;
}

type Totals = Pick<ResultSummary, 'totals' | 'total_count'>;

/** The last totals of a selection, as long as its table does not change: each look at its page asks for them again. */
const lastTotals = new WeakMap<Uint32Array, { revision: number; byColumns: Map<string, Totals> }>();
const maxKept = 8;

/** The totals of selected rows by the values of columns, those with the most rows first. */
export async function totalsOf(store: ColumnStore, rows: Uint32Array, columns: Columns): Promise<Totals> {
  const key = JSON.stringify([columns.group_by, columns.sum, columns.count]);
  const { revision } = store;
  const last = lastTotals.get(rows);
  const byColumns = last?.revision === revision ? last.byColumns : new Map<string, Totals>();
  const totals = byColumns.get(key) ?? (await inTurns(totalSteps(store, rows, columns)));
  if (byColumns.size >= maxKept) byColumns.clear();
  byColumns.set(key, totals);
  lastTotals.set(rows, { revision, byColumns });
  return totals;
}

function* totalSteps(store: ColumnStore, rows: Uint32Array, { group_by, sum, count }: Columns): Steps<Totals> {
  // Rows as they are now: later writes leave their cells in place.
  const heads = store.heads();
  const keys = group_by.map((path) => store.reader(path, heads));
  const sumOf = sum === undefined ? undefined : store.reader(sum, heads);
  const counted = count === undefined ? undefined : store.reader(count, heads);
  const totals: SumOfGroup[] = [];
  /** The totals by their keys, each key in a map of its own. */
  const groups: Groups = new Map();
  const readers = [() => null, ...keys];
  const groupOf = (row: number): SumOfGroup => {
    let level = groups;
    // Without an iterator, which would be made for each row.
    for (let at = 0; at < readers.length; at += 1) {
      const cell = readers[at]!(row);
      const found = level.get(cell);
      if (at === keys.length) {
        if (found !== undefined) return found as SumOfGroup;
        const key = keys.map((each) => each(row));
        const total = { key, ...(sumOf && { sum: 0 }), count: 0, without_value: 0, rest: 0 };
        level.set(cell, total);
        totals.push(total);
        return total;
      }
      const next: Groups = (found as Groups | undefined) ?? new Map();
      if (found === undefined) level.set(cell, next);
      level = next;
    }
    throw new Error('There is always a last level.');
  };
  for (let at = 0; at < rows.length; at += 1) {
    if (at % rowsInStep === rowsInStep - 1) yield;
    const row = rows[at]!;
    const total = groupOf(row);
    const value = sumOf?.(row);
    if (sumOf && typeof value === 'number') addTo(total, value);
    const isMissing = (sumOf && typeof value !== 'number') || (counted && counted(row) === null);
    if (isMissing) total.without_value += 1;
    if (counted === undefined || counted(row) !== null) total.count += 1;
  }
  const first = yield* firstTotals(totals);
  return {
    totals: first.map(({ rest, ...total }) => ({
      ...total,
      // Cents add up to cents: what is left of binary fractions is far below the last digit that amounts have.
      ...(total.sum !== undefined && { sum: Number((total.sum + rest).toPrecision(15)) }),
    })),
    total_count: totals.length,
  };
}

/** Those with the most rows, in order, as many as are answered. */
function* firstTotals(totals: readonly SumOfGroup[]): Steps<SumOfGroup[]> {
  const compare = (a: SumOfGroup, b: SumOfGroup) => b.count - a.count || compareKeys(a.key, b.key);
  let first: SumOfGroup[] = [];
  let last: SumOfGroup | undefined;
  for (const [at, total] of totals.entries()) {
    if (at % rowsInStep === rowsInStep - 1) yield;
    if (last !== undefined && compare(total, last) > 0) continue;
    first.push(total);
    if (first.length < 2 * maxTotals) continue;
    first = first.sort(compare).slice(0, maxTotals);
    last = first.at(-1);
  }
  return first.sort(compare).slice(0, maxTotals);
}

/** Kahan's summation, as Neumaier improved it: 100,000 amounts lose no cent. */
function addTo(total: SumOfGroup, value: number): void {
  const before = total.sum ?? 0;
  const after = before + value;
  total.rest += Math.abs(before) >= Math.abs(value) ? before - after + value : value - after + before;
  total.sum = after;
}

function compareKeys(a: readonly unknown[], b: readonly unknown[]): number {
  for (const [at, key] of a.entries()) {
    const difference = compareCells(key as Cell, b[at] as Cell, 1);
    if (difference !== 0) return difference;
  }
  return 0;
}
