import type { Cell, ResultSummary } from '@docwright/contract';
import { finish, inTurns, type Steps } from '../../../platform/long-values/in-turns.ts';
import { compareCells } from './column-order.ts';
import type { ColumnStore } from './column-store.ts';
import type { RowHead } from './row-head.ts';
import { selectionMarkOf, type SelectedRows } from './row-selection.ts';

const maxTotals = 1_000;

type Total = ResultSummary['totals'][number];
type SumOfGroup = Omit<Total, 'key'> & { key: Cell[]; rest: number; rows: number };
type Groups = Map<Cell, SumOfGroup | Groups>;

/** So many rows are added in a step: a few milliseconds. */
const rowsInStep = 20_000;

interface Columns {
  group_by: readonly string[];
  sum: string | undefined;
  count: string | undefined;
}

type Totals = Pick<ResultSummary, 'totals' | 'total_count'>;

/** What was added up of a selection, for later rows of it: each look at its page asks for them again. */
interface Added {
  mark: SelectedRows;
  answer: Totals;
  /** Absent if the groups are too many for adding later changes to them: they would take much memory for nothing. */
  sums?: Sums;
}

type NewlyAdded = Required<Omit<Added, 'mark'>>;

const lastAdded = new WeakMap<SelectedRows['selection'], Map<string, Added>>();
const maxKept = 8;
/** More changes, and changes among more groups, are added up anew, in steps. */
const [maxChanges, maxChangedGroups] = [2_000, 5_000];

/** The totals of selected rows by the values of columns, those with the most rows first. */
export async function totalsOf(store: ColumnStore, rows: Uint32Array, columns: Columns): Promise<Totals> {
  const mark = selectionMarkOf(rows);
  const key = JSON.stringify([columns.group_by, columns.sum, columns.count, store.hiddenHeads]);
  const byColumns = (mark && lastAdded.get(mark.selection)) ?? new Map<string, Added>();
  const last = byColumns.get(key);
  if (mark && last?.mark.end === mark.end && last.mark.removals === mark.removals) return last.answer;
  // The sums are changed in place: if that fails, they are no longer those of any rows.
  byColumns.delete(key);
  // Rows as they are now: later writes leave their cells in place.
  const { sums, answer } =
    (mark && last && changedTotals(store, rows, mark, last, columns)) ??
    (await inTurns(totalSteps(rows, readersOf(store, columns, store.heads()))));
  if (mark) {
    if (byColumns.size >= maxKept) byColumns.clear();
    byColumns.set(key, { mark, answer, ...(sums.totals.length <= maxChangedGroups && { sums }) });
    lastAdded.set(mark.selection, byColumns);
  }
  return answer;
}

/** Adds the rows that were added since, and subtracts those that were removed. Undefined where adding up all anew is better. */
function changedTotals(
  store: ColumnStore,
  rows: Uint32Array,
  mark: SelectedRows,
  { mark: { selection, end, removals }, sums }: Added,
  columns: Columns,
): NewlyAdded | undefined {
  const isLater = mark.end >= end && mark.removals >= removals;
  const removed = isLater ? store.removedSince(removals)?.slice(0, mark.removals - removals) : undefined;
  const changes = mark.end - end + (removed?.length ?? 0);
  if (removed === undefined || changes > maxChanges || sums === undefined) return undefined;
  const heads = store.heads();
  const counted = removed.filter(({ row }) => row < end && (!('mask' in selection) || selection.mask[row] === 1));
  for (const { row, head } of counted) heads[row] = head;
  const readers = readersOf(store, columns, heads);
  const changed = new Set(counted.map(({ row }) => sums.change(readers, row, -1)));
  for (let at = 0; at < rows.length; at += 1) if (rows[at]! >= end) changed.add(sums.change(readers, rows[at]!, 1));
  // What is beyond the largest number leaves nothing to subtract from.
  for (const { sum = 0, rest } of changed) if (!Number.isFinite(sum + rest)) return undefined;
  sums.dropEmpty();
  return { sums, answer: answerOf(sums, finish(firstTotals(sums.totals))) };
}

interface Readers {
  /** The first is the same for all rows. */
  keys: readonly ((row: number) => Cell)[];
  sum: ((row: number) => Cell) | undefined;
  count: ((row: number) => Cell) | undefined;
}

function readersOf(
  store: ColumnStore,
  { group_by, sum, count }: Columns,
  heads: readonly (RowHead | undefined)[],
): Readers {
  const read = (path: string) => store.reader(path, heads);
  return {
    keys: [() => null, ...group_by.map(read)],
    sum: sum === undefined ? undefined : read(sum),
    count: count === undefined ? undefined : read(count),
  };
}

class Sums {
  totals: SumOfGroup[] = [];
  /** The totals by their keys, each key in a map of its own. */
  readonly #groups: Groups = new Map();

  /** Adds a row, or subtracts one that was added. Returns the total of its group. */
  change(readers: Readers, row: number, sign: 1 | -1): SumOfGroup {
    const { sum, count } = readers;
    const total = this.#groupOf(readers, row);
    const value = sum?.(row);
    const isCounted = count === undefined || count(row) !== null;
    total.rows += sign;
    if (typeof value === 'number') addTo(total, sign * value);
    if ((sum && typeof value !== 'number') || !isCounted) total.without_value += sign;
    if (isCounted) total.count += sign;
    return total;
  }

  #groupOf({ keys, sum }: Readers, row: number): SumOfGroup {
    let level = this.#groups;
    // Without an iterator, which would be made for each row.
    for (let at = 0; at < keys.length; at += 1) {
      const cell = keys[at]!(row);
      const found = level.get(cell);
      if (at === keys.length - 1) {
        if (found !== undefined) return found as SumOfGroup;
        const key = keys.slice(1).map((each) => each(row));
        const total = { key, ...(sum && { sum: 0 }), count: 0, without_value: 0, rest: 0, rows: 0 };
        level.set(cell, total);
        this.totals.push(total);
        return total;
      }
      const next: Groups = (found as Groups | undefined) ?? new Map();
      if (found === undefined) level.set(cell, next);
      level = next;
    }
    throw new Error('There is always a last level.');
  }

  /** Removes the groups without rows. */
  dropEmpty(): void {
    for (const { key, rows } of this.totals) {
      if (rows > 0) continue;
      const path: Cell[] = [null, ...key];
      const level = path.slice(0, -1).reduce((above, cell) => above.get(cell) as Groups, this.#groups);
      level.delete(path.at(-1)!);
    }
    this.totals = this.totals.filter(({ rows }) => rows > 0);
  }
}

function* totalSteps(rows: Uint32Array, readers: Readers): Steps<NewlyAdded> {
  const sums = new Sums();
  for (let at = 0; at < rows.length; at += 1) {
    if (at % rowsInStep === rowsInStep - 1) yield;
    sums.change(readers, rows[at]!, 1);
  }
  return { sums, answer: answerOf(sums, yield* firstTotals(sums.totals)) };
}

const answerOf = ({ totals }: Sums, first: readonly SumOfGroup[]): Totals => ({
  totals: first.map(({ key, sum, rest, count, without_value }) => ({
    key,
    // Cents add up to cents: what is left of binary fractions is far below the last digit that amounts have.
    ...(sum !== undefined && { sum: Number((sum + rest).toPrecision(15)) }),
    count,
    without_value,
  })),
  total_count: totals.length,
});

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
