import { OrdersInMemory, type EntryPlace } from './kept-orders.ts';

/** A set of rows of a collection: one bit for each. */
export class RowBits {
  words: Uint32Array;

  constructor(words: Uint32Array = new Uint32Array(64)) {
    this.words = words;
  }

  add(row: number): void {
    const at = row >>> 5;
    if (at >= this.words.length) {
      const grown = new Uint32Array(Math.ceil((at + 1) * 1.25));
      grown.set(this.words);
      this.words = grown;
    }
    this.words[at]! |= 1 << (row & 31);
  }

  delete(row: number): void {
    if (row >>> 5 < this.words.length) this.words[row >>> 5]! &= ~(1 << (row & 31));
  }

  has(row: number): boolean {
    return ((this.words[row >>> 5] ?? 0) & (1 << (row & 31))) !== 0;
  }

  /** How many rows it has. */
  count(): number {
    let count = 0;
    for (let word of this.words) {
      word -= (word >>> 1) & 0x55555555;
      word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
      count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    return count;
  }

  *[Symbol.iterator](): Generator<number> {
    for (const [at, word] of this.words.entries())
      for (let left = word; left !== 0; left &= left - 1) yield at * 32 + 31 - Math.clz32(left & -left);
  }
}

/** The rows of the entries that begin with a key. Those up to `builtTo` are known. */
export class RowsOfPrefix {
  readonly prefix: Buffer;
  readonly bits = new RowBits();
  /** Undefined for all. */
  builtTo: EntryPlace | undefined;
  isForgotten = false;

  constructor(prefix: Buffer) {
    this.prefix = prefix;
    this.builtTo = { key: prefix, row: -1 };
  }

  knows(key: Buffer, row: number): boolean {
    if (this.builtTo === undefined) return true;
    const order = Buffer.compare(key, this.builtTo.key);
    return order < 0 || (order === 0 && row <= this.builtTo.row);
  }
}

/** All sets together take at most about so much memory. */
const maxBytes = 32 << 20;

/**
 * The rows of ranges of indexes that queries have combined, in memory. Every write of an entry changes them too; a write that
 * is undone forgets those that it changed.
 */
export class RowsInMemory {
  readonly orders = new OrdersInMemory();
  /** In the order of their use. */
  readonly #all = new Map<RowsOfPrefix, { index: number; text: string }>();
  /** By index, length and text of the begin of keys. */
  readonly #byIndex = new Map<number, Map<number, Map<string, RowsOfPrefix>>>();
  readonly #changed = new Set<RowsOfPrefix>();

  /** The set of an index for the begin of a key; a new one is empty, and is to be built. */
  of(index: number, prefix: Buffer): RowsOfPrefix {
    const text = prefix.toString('latin1');
    const byLength = this.#byIndex.get(index) ?? new Map<number, Map<string, RowsOfPrefix>>();
    const byText = byLength.get(prefix.length) ?? new Map<string, RowsOfPrefix>();
    const rows = byText.get(text) ?? new RowsOfPrefix(prefix);
    this.#byIndex.set(index, byLength.set(prefix.length, byText.set(text, rows)));
    this.#all.delete(rows);
    this.#all.set(rows, { index, text });
    this.#makeRoom(rows);
    return rows;
  }

  /** How many rows have an entry that begins with a key, if its set is in memory. */
  countOf(index: number, prefix: Buffer): number | undefined {
    const rows = this.#byIndex.get(index)?.get(prefix.length)?.get(prefix.toString('latin1'));
    return rows?.builtTo === undefined ? rows?.bits.count() : undefined;
  }

  /** Notes that an entry is there, or no longer. */
  note(index: number, key: Buffer, row: number, isThere: boolean): void {
    this.orders.note(index, key, row);
    for (const [length, byText] of this.#byIndex.get(index) ?? []) {
      const rows = byText.get(key.toString('latin1', 0, length));
      if (!rows?.knows(key, row)) continue;
      if (isThere) rows.bits.add(row);
      else rows.bits.delete(row);
      this.#changed.add(rows);
    }
  }

  /** Forgets what changed since the last commit. */
  undo(): void {
    this.orders.undo();
    for (const rows of this.#changed) this.#forget(rows);
    this.#changed.clear();
  }

  commit(): void {
    this.orders.commit();
    this.#changed.clear();
  }

  /** Forgets the sets of an index, or all. */
  forget(index?: number): void {
    this.orders.forget(index);
    for (const [rows, of] of this.#all) if (index === undefined || of.index === index) this.#forget(rows);
  }

  #makeRoom(latest: RowsOfPrefix): void {
    let bytes = 0;
    for (const { bits } of this.#all.keys()) bytes += bits.words.byteLength;
    for (const rows of this.#all.keys()) {
      if (bytes <= maxBytes || rows === latest) return;
      bytes -= rows.bits.words.byteLength;
      this.#forget(rows);
    }
  }

  #forget(rows: RowsOfPrefix): void {
    const of = this.#all.get(rows);
    rows.isForgotten = true;
    this.#all.delete(rows);
    if (of === undefined) return;
    const byLength = this.#byIndex.get(of.index);
    const byText = byLength?.get(rows.prefix.length);
    byText?.delete(of.text);
    if (byText?.size === 0) byLength?.delete(rows.prefix.length);
    if (byLength?.size === 0) this.#byIndex.delete(of.index);
  }
}
