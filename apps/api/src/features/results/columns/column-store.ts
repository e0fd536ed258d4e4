import type { ResultColumn, Cell } from '@docwright/contract';
import { inTurns, type Steps } from '../../../platform/long-values/in-turns.ts';
import { compareCells, orderSteps, reversedSteps, rowsInStep } from './column-order.ts';
import { headColumns, type RowHead } from './row-head.ts';

/** A row as it is added: its cells by path, and the exact digits of numbers that JSON would round. */
export interface NewRow {
  cells: ReadonlyMap<string, Cell>;
  item?: number;
  exact?: ReadonlyMap<string, string>;
}

/** A row that was removed, with what it was. Its cells are left. */
interface RemovedRow {
  row: number;
  head: RowHead;
}

/** All rows that were not removed, of those up to a number. */
interface Order {
  rows: Uint32Array;
  through: number;
}

/** Further columns are left out; a schema with so many fields has lists of objects instead. */
const maxColumns = 500;
/** More changes than this are sorted anew instead of merged. */
const maxMerged = 2_000;
const maxSorted = 24;
const charactersOfCell = 100;
/** At least so many of the last removed rows are known. */
const maxRemoved = 5_000;

/**
 * The rows of one prompt in memory, a list of values for each column: filters, sorts and sums over 100,000 rows take
 * milliseconds. A row keeps its number until the store is compacted; the rows of a document are replaced together.
 */
export class ColumnStore {
  readonly #columns = new Map<string, Cell[]>();
  readonly #kinds = new Map<string, Record<ResultColumn['kind'], number>>();
  readonly #rowsOf = new Map<string, number[]>();
  readonly #heads: (RowHead | undefined)[] = [];
  readonly #items: (number | undefined)[] = [];
  readonly #exact = new Map<number, ReadonlyMap<string, string>>();
  readonly #orders = new Map<string, Order>();
  /** Orders that are being made. */
  readonly #ordering = new Map<string, Promise<void>>();
  #byId: Order | undefined;
  /** The last rows that were removed, with what they were, after `#forgottenRemovals` others. */
  #removed: RemovedRow[] = [];
  #forgottenRemovals = 0;
  #alive = 0;
  /** Characters of all texts. */
  #characters = 0;

  /** Grows with each change. */
  revision = 0;
  /** Columns with the name of one of heads, in whose place all rows are read: grows as such a column comes. */
  hiddenHeads = 0;

  get size(): number {
    return this.#alive;
  }

  /** About how many values it holds, for the limit of what a process caches. Long texts count as several. */
  get cells(): number {
    return this.#heads.length * (this.#columns.size + 4) + Math.floor(this.#characters / charactersOfCell);
  }

  /** Whether so many rows are dead that a new store would be better. */
  get isWasteful(): boolean {
    return this.#heads.length > 10_000 && this.#heads.length > 2 * this.#alive;
  }

  replace(documentId: string, head: RowHead | undefined, rows: readonly NewRow[]): void {
    this.revision += 1;
    for (const row of this.#rowsOf.get(documentId) ?? []) {
      this.#removed.push({ row, head: this.#heads[row]! });
      this.#heads[row] = undefined;
      this.#alive -= 1;
    }
    if (this.#removed.length > 2 * maxRemoved) {
      this.#forgottenRemovals += maxRemoved;
      this.#removed = this.#removed.slice(maxRemoved);
    }
    if (head === undefined || rows.length === 0) {
      this.#rowsOf.delete(documentId);
      return;
    }
    this.#rowsOf.set(
      documentId,
      rows.map((row) => this.#add(head, row)),
    );
  }

  #add(head: RowHead, { cells, item, exact }: NewRow): number {
    const row = this.#heads.length;
    this.#heads.push(head);
    this.#items.push(item);
    if (exact !== undefined && exact.size > 0) this.#exact.set(row, exact);
    for (const [path, value] of cells) {
      let column = this.#columns.get(path);
      if (column === undefined) {
        if (this.#columns.size >= maxColumns) continue;
        column = [];
        this.#columns.set(path, column);
        this.#kinds.set(path, { text: 0, number: 0, boolean: 0 });
        if (headColumns[path]) this.hiddenHeads += 1;
      }
      // Gaps would make the list sparse, and slow.
      while (column.length < row) column.push(null);
      column.push(value);
      if (typeof value === 'string') this.#characters += value.length;
      if (value !== null) this.#kinds.get(path)![kindOf(value)] += 1;
    }
    this.#alive += 1;
    return row;
  }

  has(path: string): boolean {
    return this.#columns.has(path);
  }

  /** The kind of a column is that of most of its values. Counted as rows are added: every page shows the columns. */
  columns(): ResultColumn[] {
    return [...this.#kinds].map(([path, { text, number, boolean }]) => ({
      path,
      kind: text >= number && text >= boolean ? 'text' : number >= boolean ? 'number' : 'boolean',
    }));
  }

  /** The number that the next row gets. */
  get end(): number {
    return this.#heads.length;
  }

  /** The number of rows that were removed. */
  get removals(): number {
    return this.#forgottenRemovals + this.#removed.length;
  }

  /** The rows that were removed after so many others; undefined if that is not known any more. */
  removedSince(removals: number): readonly RemovedRow[] | undefined {
    return removals < this.#forgottenRemovals ? undefined : this.#removed.slice(removals - this.#forgottenRemovals);
  }

  rowsOf(documentId: string): readonly number[] {
    return this.#rowsOf.get(documentId) ?? [];
  }

  isRemoved(row: number): boolean {
    return this.#heads[row] === undefined;
  }

  /** The heads of rows as they are now, for work in steps: rows are removed between two of them. */
  heads(): (RowHead | undefined)[] {
    return this.#heads.slice();
  }

  /** The head of a row that is not removed. */
  head(row: number): RowHead {
    return this.#heads[row]!;
  }

  item(row: number): number | undefined {
    return this.#items[row];
  }

  /** A function for the values of a column, by row. */
  reader(path: string, heads: readonly (RowHead | undefined)[] = this.#heads): (row: number) => Cell {
    const values = this.#columns.get(path);
    if (values !== undefined) return (row) => values[row] ?? null;
    const ofHead = headColumns[path];
    return ofHead === undefined ? () => null : (row) => ofHead(heads[row]!);
  }

  /** The digits of a number that JSON would round. */
  exact(row: number, path: string): string | undefined {
    return this.#exact.get(row)?.get(path);
  }

  /**
   * Puts the rows in the order of a column, in steps between which other work of the process continues. `sorted` then has few
   * changes to add.
   */
  async order(path: string, descending: boolean): Promise<void> {
    const key = this.#keyOf(path, descending);
    if (this.#heads.length <= rowsInStep || this.#isNear(this.#orders.get(key))) return;
    const make = async (): Promise<void> => this.#keep(key, await inTurns(this.#orderSteps(path, descending)));
    // Two requests for one order share the work.
    const making = this.#ordering.get(key) ?? make().finally(() => this.#ordering.delete(key));
    this.#ordering.set(key, making);
    await making;
  }

  /** All rows in the order of a column, rows without a value last, ties by document and item. */
  sorted(path: string, descending: boolean): Uint32Array {
    const key = this.#keyOf(path, descending);
    const known = this.#orders.get(key);
    const order = this.#isNear(known)
      ? this.#refreshed(known, this.#comparison(path, descending))
      : atOnce(this.#orderSteps(path, descending));
    this.#keep(key, order);
    return order.rows;
  }

  #keyOf(path: string, descending: boolean): string {
    return `${descending ? '-' : '+'}${path} ${headColumns[path] ? this.hiddenHeads : ''}`;
  }

  #keep(key: string, order: Order): void {
    this.#orders.delete(key);
    this.#orders.set(key, order);
    for (const oldest of this.#orders.keys()) if (this.#orders.size > maxSorted) this.#orders.delete(oldest);
  }

  /** The values are those of the beginning: between two steps rows are added and removed, which is made up for later. */
  *#orderSteps(path: string, descending: boolean): Steps<Order> {
    const heads = this.#heads.slice();
    const isTime = path === 'changed_at' && !this.has(path);
    const read = isTime ? (row: number) => heads[row]!.changed_at : this.reader(path, heads);
    const opposite = this.#orders.get(this.#keyOf(path, !descending));
    if (opposite && this.#isCurrent(opposite)) return { ...opposite, rows: yield* reversedSteps(opposite.rows, read) };
    const { rows, through } = yield* this.#idSteps(heads);
    const ascending = yield* orderSteps(rows, read);
    return { rows: descending ? yield* reversedSteps(ascending, read) : ascending, through };
  }

  /** The rows by document and item. Those of a document are added together, in the order of their items. */
  *#idSteps(heads: readonly (RowHead | undefined)[]): Steps<Order> {
    const known = this.#byId;
    const through = heads.length;
    if (this.#isNear(known)) {
      return (this.#byId = this.#refreshed(known, (a, b) => this.#compareIds(a, b)));
    }
    const rows = Uint32Array.from(this.#added(0));
    return (this.#byId = { rows: yield* orderSteps(rows, (row) => heads[row]!.document_id), through });
  }

  /** Whether few rows were added since. */
  #isNear(order: Order | undefined): order is Order {
    return order !== undefined && this.#heads.length - order.through <= maxMerged;
  }

  #isCurrent({ rows, through }: Order): boolean {
    return through === this.#heads.length && rows.length === this.#alive;
  }

  /** An order with the rows that were added since, and without the removed ones. */
  #refreshed(known: Order, compare: (a: number, b: number) => number): Order {
    if (this.#isCurrent(known)) return known;
    const through = this.#heads.length;
    return { rows: this.#merged(known.rows, this.#added(known.through).sort(compare), compare), through };
  }

  /** The rows from a number on that are not removed. */
  #added(from: number): number[] {
    const rows: number[] = [];
    for (let row = from; row < this.#heads.length; row += 1) if (this.#heads[row] !== undefined) rows.push(row);
    return rows;
  }

  #merged(before: Uint32Array, added: readonly number[], compare: (a: number, b: number) => number): Uint32Array {
    const rows = new Uint32Array(this.#alive);
    let [at, next] = [0, 0];
    for (const row of before) {
      if (this.#heads[row] === undefined) continue;
      while (next < added.length && compare(added[next]!, row) < 0) rows[at++] = added[next++]!;
      rows[at++] = row;
    }
    while (next < added.length) rows[at++] = added[next++]!;
    return rows;
  }

  /** With ties by document and item, so that a cursor finds its place again. */
  #comparison(path: string, descending: boolean): (a: number, b: number) => number {
    const read = this.reader(path);
    const sign = descending ? -1 : 1;
    return (a, b) => compareCells(read(a), read(b), sign) || this.#compareIds(a, b);
  }

  #compareIds(a: number, b: number): number {
    const [one, other] = [this.#heads[a]!.document_id, this.#heads[b]!.document_id];
    if (one !== other) return one < other ? -1 : 1;
    return (this.#items[a] ?? 0) - (this.#items[b] ?? 0);
  }
}

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const kindOf = (cell: string | number | boolean): ResultColumn['kind'] =>
  typeof cell === 'string' ? 'text' : typeof cell === 'number' ? 'number' : 'boolean';
