import type { Cell } from '@docwright/contract';
import { finish, inTurns, type Steps } from '../../../platform/long-values/in-turns.ts';
import { compareCells, orderSteps, reversedSteps, rowsInStep } from './column-order.ts';
import { headColumns, type RowHead } from './row-head.ts';

/** The rows that are put in order. A row keeps its number and its values until it is removed. */
export interface NumberedRows {
  /** The number of rows that are not removed. */
  readonly size: number;
  /** The number that the next row gets. */
  readonly end: number;
  /** Grows as a column comes that hides one of heads. */
  readonly hiddenHeads: number;
  has(path: string): boolean;
  isRemoved(row: number): boolean;
  head(row: number): RowHead;
  heads(): (RowHead | undefined)[];
  item(row: number): number | undefined;
  reader(path: string, heads?: readonly (RowHead | undefined)[]): (row: number) => Cell;
}

/** All rows that were not removed, of those up to a number. */
interface Order {
  rows: Uint32Array;
  through: number;
}

/** More changes than this are sorted anew instead of merged. */
const maxMerged = 2_000;
const maxSorted = 24;

/** The last used orders of rows. */
export class RowOrders {
  readonly #rows: NumberedRows;
  readonly #orders = new Map<string, Order>();
  /** Orders that are being made. */
  readonly #ordering = new Map<string, Promise<void>>();
  #byId: Order | undefined;

  constructor(rows: NumberedRows) {
    this.#rows = rows;
  }

  /**
   * Puts the rows in the order of a column, in steps between which other work of the process continues. `sorted` then has few
   * changes to add.
   */
  async order(path: string, descending: boolean): Promise<void> {
    const key = this.#keyOf(path, descending);
    if (this.#rows.end <= rowsInStep || this.#isNear(this.#orders.get(key))) return;
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
      : finish(this.#orderSteps(path, descending));
    this.#keep(key, order);
    return order.rows;
  }

  /** All rows by document and item, as they are when it resolves. */
  async byId(): Promise<Uint32Array> {
    for (;;) {
      const order = await inTurns(this.#presentIdSteps());
      if (this.#isCurrent(order)) return order.rows;
    }
  }

  /** The orders of all rows up to a number, last used ones first. */
  through(end: number): [string, Uint32Array][] {
    const known = [...this.#orders].filter(([, order]) => order.through === end);
    return known.map(([key, { rows }]): [string, Uint32Array] => [key, rows]).toReversed();
  }

  /** Takes over orders of all rows, which are by document and item. */
  restore(orders: readonly (readonly [string, Uint32Array])[]): void {
    const through = this.#rows.end;
    const rows = new Uint32Array(through);
    for (let row = 0; row < through; row += 1) rows[row] = row;
    this.#byId = { rows, through };
    for (const [key, ordered] of orders.toReversed()) this.#keep(key, { rows: ordered, through });
  }

  #keyOf(path: string, descending: boolean): string {
    return `${descending ? '-' : '+'}${path} ${headColumns[path] ? this.#rows.hiddenHeads : ''}`;
  }

  #keep(key: string, order: Order): void {
    this.#orders.delete(key);
    this.#orders.set(key, order);
    for (const oldest of this.#orders.keys()) if (this.#orders.size > maxSorted) this.#orders.delete(oldest);
  }

  /** The values are those of the beginning: between two steps rows are added and removed, which is made up for later. */
  *#orderSteps(path: string, descending: boolean): Steps<Order> {
    const heads = this.#rows.heads();
    const isTime = path === 'changed_at' && !this.#rows.has(path);
    const read = isTime ? (row: number) => heads[row]!.changed_at : this.#rows.reader(path, heads);
    const opposite = this.#orders.get(this.#keyOf(path, !descending));
    if (opposite && this.#isCurrent(opposite)) return { ...opposite, rows: yield* reversedSteps(opposite.rows, read) };
    const { rows, through } = yield* this.#idSteps(heads);
    const ascending = yield* orderSteps(rows, read);
    return { rows: descending ? yield* reversedSteps(ascending, read) : ascending, through };
  }

  /** Of the rows at the first step: other work can come before it. */
  *#presentIdSteps(): Steps<Order> {
    return yield* this.#idSteps(this.#rows.heads());
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
    return order !== undefined && this.#rows.end - order.through <= maxMerged;
  }

  #isCurrent({ rows, through }: Order): boolean {
    return through === this.#rows.end && rows.length === this.#rows.size;
  }

  /** An order with the rows that were added since, and without the removed ones. */
  #refreshed(known: Order, compare: (a: number, b: number) => number): Order {
    if (this.#isCurrent(known)) return known;
    const through = this.#rows.end;
    return { rows: this.#merged(known.rows, this.#added(known.through).sort(compare), compare), through };
  }

  /** The rows from a number on that are not removed. */
  #added(from: number): number[] {
    const rows: number[] = [];
    for (let row = from; row < this.#rows.end; row += 1) if (!this.#rows.isRemoved(row)) rows.push(row);
    return rows;
  }

  #merged(before: Uint32Array, added: readonly number[], compare: (a: number, b: number) => number): Uint32Array {
    const rows = new Uint32Array(this.#rows.size);
    let [at, next] = [0, 0];
    for (const row of before) {
      if (this.#rows.isRemoved(row)) continue;
      while (next < added.length && compare(added[next]!, row) < 0) rows[at++] = added[next++]!;
      rows[at++] = row;
    }
    while (next < added.length) rows[at++] = added[next++]!;
    return rows;
  }

  /** With ties by document and item, so that a cursor finds its place again. */
  #comparison(path: string, descending: boolean): (a: number, b: number) => number {
    const read = this.#rows.reader(path);
    const sign = descending ? -1 : 1;
    return (a, b) => compareCells(read(a), read(b), sign) || this.#compareIds(a, b);
  }

  #compareIds(a: number, b: number): number {
    const [one, other] = [this.#rows.head(a).document_id, this.#rows.head(b).document_id];
    if (one !== other) return one < other ? -1 : 1;
    return (this.#rows.item(a) ?? 0) - (this.#rows.item(b) ?? 0);
  }
}
