import type { Cell, ResultSummary } from '@docwright/contract';
import { compareCells } from './column-order.ts';
import type { ColumnStore } from './column-store.ts';

const maxTotals = 1_000;

type Total = ResultSummary['totals'][number];

/** The totals of rows by the values of columns, those with the most rows first. */
export function totalsOf(
  store: ColumnStore,
  rows: Uint32Array,
  { group_by, sum, count }: { group_by: readonly string[]; sum: string | undefined; count: string | undefined },
): Pick<ResultSummary, 'totals' | 'total_count'> {
  const keys = group_by.map((path) => store.reader(path));
  const sumOf = sum === undefined ? undefined : store.reader(sum);
  const counted = count === undefined ? undefined : store.reader(count);
  const groups = new Map<string, Total & { rest: number }>();
  for (const row of rows) {
    const key = keys.map((read) => read(row));
    const id = keys.length === 0 ? '' : JSON.stringify(key);
    let total = groups.get(id);
    if (total === undefined) {
      total = { key, ...(sumOf && { sum: 0 }), count: 0, without_value: 0, rest: 0 };
      groups.set(id, total);
    }
    const value = sumOf?.(row);
    if (sumOf && typeof value === 'number') addTo(total, value);
    const isMissing = (sumOf && typeof value !== 'number') || (counted && counted(row) === null);
    if (isMissing) total.without_value += 1;
    if (counted === undefined || counted(row) !== null) total.count += 1;
  }
  const totals = [...groups.values()].toSorted((a, b) => b.count - a.count || compareKeys(a.key, b.key));
  return {
    totals: totals.slice(0, maxTotals).map(({ rest, ...total }) => ({
      ...total,
      // Cents add up to cents: what is left of binary fractions is far below the last digit that amounts have.
      ...(total.sum !== undefined && { sum: Number((total.sum + rest).toPrecision(15)) }),
    })),
    total_count: totals.length,
  };
}

/** Kahan's summation, as Neumaier improved it: 100,000 amounts lose no cent. */
function addTo(total: Total & { rest: number }, value: number): void {
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
