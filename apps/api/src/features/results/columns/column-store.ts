import type { ResultColumn, Cell } from '@docwright/contract';
import { headColumns, type RowHead } from './row-head.ts';
import { RowOrders, type NumberedRows } from './row-orders.ts';

/** A row as it is added: its cells by path, and the exact digits of numbers that JSON would round. */
export interface NewRow {
  cells: ReadonlyMap<string, Cell>;
  item?: number;
  exact?: ReadonlyMap<string, string>;
}

/** Rows of documents that follow each other, a list for each of their fields. */
export interface RowBlock {
  /** Of each document. */
  heads: readonly RowHead[];
  /** The number of rows of each document; absent if each has one. */
  counts?: readonly number[] | undefined;
  /** Of each row; absent if none has one. */
  items?: readonly (number | undefined)[] | undefined;
  /** By path, of each row. */
  columns: readonly (readonly [string, readonly Cell[]])[];
  /** Of the rows that have them, by their place in the block. */
  exact: readonly (readonly [number, ReadonlyMap<string, string>])[];
}

/** A row that was removed, with what it was. Its cells are left. */
interface RemovedRow {
  row: number;
  head: RowHead;
}

/** Further columns are left out; a schema with so many fields has lists of objects instead. */
const maxColumns = 500;
const charactersOfCell = 100;
/** At least so many of the last removed rows are known. */
const maxRemoved = 5_000;

/**
 * The rows of one prompt in memory, a list of values for each column: filters, sorts and sums over 100,000 rows take
 * milliseconds. A row keeps its number until the store is compacted; the rows of a document are replaced together.
 */
export class ColumnStore implements NumberedRows {
  readonly #columns = new Map<string, Cell[]>();
  readonly #kinds = new Map<string, Record<ResultColumn['kind'], number>>();
  /** Of documents that were added or replaced one by one. */
  readonly #rowsOf = new Map<string, readonly number[]>();
  /** The ids of the documents of blocks, in order, and their first rows: a map of a million takes a second to make. */
  readonly #documents: string[] = [];
  readonly #firstRows: number[] = [];
  #endOfBlocks = 0;
  readonly #heads: (RowHead | undefined)[] = [];
  readonly #items: (number | undefined)[] = [];
  readonly #exact = new Map<number, ReadonlyMap<string, string>>();
  readonly orders = new RowOrders(this);
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
    for (const row of this.rowsOf(documentId)) {
      this.#removed.push({ row, head: this.#heads[row]! });
      this.#heads[row] = undefined;
      this.#alive -= 1;
    }
    if (this.#removed.length > 2 * maxRemoved) {
      this.#forgottenRemovals += maxRemoved;
      this.#removed = this.#removed.slice(maxRemoved);
    }
    if (head === undefined || rows.length === 0) {
      if (this.#placeInBlocks(documentId) === undefined) this.#rowsOf.delete(documentId);
      else this.#rowsOf.set(documentId, []);
      return;
    }
    this.#rowsOf.set(
      documentId,
      rows.map((row) => this.#add(head, row)),
    );
  }

  /** Adds the rows of documents, by their ids, after those of the blocks before. A new store is filled so. */
  addBlock({ heads, counts, items, columns, exact }: RowBlock): void {
    this.revision += 1;
    const first = this.#heads.length;
    if (first !== this.#endOfBlocks) throw new Error('Blocks are the first rows of a store.');
    for (const [at, given] of heads.entries()) {
      const last = this.#documents.at(-1);
      if (last !== undefined && last > given.document_id) throw new Error('The documents of blocks are not in order.');
      // All rows of a document have one head, also if it began in the block before.
      const head = last === given.document_id ? this.#heads.at(-1) : given;
      if (last !== given.document_id) {
        this.#documents.push(given.document_id);
        this.#firstRows.push(this.#heads.length);
      }
      const count = counts?.[at] ?? 1;
      for (let row = 0; row < count; row += 1) this.#heads.push(head);
    }
    this.#endOfBlocks = this.#heads.length;
    const added = this.#heads.length - first;
    for (let at = 0; at < added; at += 1) this.#items.push(items?.[at]);
    for (const [at, digits] of exact) this.#exact.set(first + at, digits);
    for (const [path, cells] of columns) {
      const column = this.#columnFor(path);
      if (column === undefined) continue;
      while (column.length < first) column.push(null);
      for (const cell of cells) this.#addCell(path, column, cell);
    }
    this.#alive += added;
  }

  /** Undefined for a document that no block has. */
  #placeInBlocks(documentId: string): number | undefined {
    let [low, high] = [0, this.#documents.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#documents[middle]! < documentId) low = middle + 1;
      else high = middle;
    }
    return this.#documents[low] === documentId ? low : undefined;
  }

  /** Undefined if there are too many. */
  #columnFor(path: string): Cell[] | undefined {
    const known = this.#columns.get(path);
    if (known !== undefined || this.#columns.size >= maxColumns) return known;
    const column: Cell[] = [];
    this.#columns.set(path, column);
    this.#kinds.set(path, { text: 0, number: 0, boolean: 0 });
    if (headColumns[path]) this.hiddenHeads += 1;
    return column;
  }

  #addCell(path: string, column: Cell[], value: Cell): void {
    column.push(value);
    if (typeof value === 'string') this.#characters += value.length;
    if (value !== null) this.#kinds.get(path)![kindOf(value)] += 1;
  }

  #add(head: RowHead, { cells, item, exact }: NewRow): number {
    const row = this.#heads.length;
    this.#heads.push(head);
    this.#items.push(item);
    if (exact !== undefined && exact.size > 0) this.#exact.set(row, exact);
    for (const [path, value] of cells) {
      const column = this.#columnFor(path);
      if (column === undefined) continue;
      // Gaps would make the list sparse, and slow.
      while (column.length < row) column.push(null);
      this.#addCell(path, column, value);
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
    const changed = this.#rowsOf.get(documentId);
    if (changed !== undefined) return changed;
    const place = this.#placeInBlocks(documentId);
    if (place === undefined) return [];
    const [first, end] = [this.#firstRows[place]!, this.#firstRows[place + 1] ?? this.#endOfBlocks];
    return end === first + 1 ? [first] : Array.from({ length: end - first }, (_, at) => first + at);
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

  /** The digits of all numbers of a row that JSON would round. */
  exactOf(row: number): ReadonlyMap<string, string> | undefined {
    return this.#exact.get(row);
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
    await this.orders.order(path, descending);
  }

  /** All rows in the order of a column, rows without a value last, ties by document and item. */
  sorted(path: string, descending: boolean): Uint32Array {
    return this.orders.sorted(path, descending);
  }
}

const kindOf = (cell: string | number | boolean): ResultColumn['kind'] =>
  typeof cell === 'string' ? 'text' : typeof cell === 'number' ? 'number' : 'boolean';
