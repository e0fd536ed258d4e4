/** A place in an index: an entry. */
export interface EntryPlace {
  key: Buffer;
  row: number;
}

/** The places of rows in an index among the entries that begin with a key. Entries up to `builtTo` are known. */
export class OrderOfPrefix {
  readonly prefix: Buffer;
  /** Of each row, from 1; 0 of a row that is not there, or whose entry was written since. */
  places = new Uint32Array(0);
  built = 0;
  /** Undefined for all. */
  builtTo: EntryPlace | undefined;
  isForgotten = false;
  isBeingRead = false;

  constructor(prefix: Buffer) {
    this.prefix = prefix;
    this.builtTo = { key: prefix, row: -1 };
  }

  /** Adds the next row of the order. */
  add(row: number): void {
    if (row >= this.places.length) {
      const grown = new Uint32Array(Math.ceil((row + 1) * 1.25));
      grown.set(this.places);
      this.places = grown;
    }
    this.built += 1;
    this.places[row] = this.built;
  }
}

/** Each takes four bytes a row. */
const maxOrders = 6;

/**
 * The order of rows in ranges of indexes, in memory. A write of an entry takes the place of its row away: the others keep the order that they
 * have among each other.
 */
export class OrdersInMemory {
  /** In the order of their use. */
  readonly #all = new Map<string, { order: OrderOfPrefix; index: number }>();
  #written: { order: OrderOfPrefix; row: number }[] = [];

  /** The order of an index behind the begin of a key; a new one is empty, and is to be built. */
  of(index: number, prefix: Buffer): OrderOfPrefix {
    const key = `${index} ${prefix.toString('latin1')}`;
    const order = this.#all.get(key)?.order ?? new OrderOfPrefix(prefix);
    this.#all.delete(key);
    this.#all.set(key, { order, index });
    if (this.#all.size > maxOrders) this.#forget(this.#all.keys().next().value!);
    return order;
  }

  /** The whole order, if it is in memory. */
  known(index: number, prefix: Buffer): OrderOfPrefix | undefined {
    const order = this.#all.get(`${index} ${prefix.toString('latin1')}`)?.order;
    if (order?.builtTo !== undefined) return undefined;
    return order && this.of(index, prefix);
  }

  /** Notes that an entry was written. */
  note(index: number, key: Buffer, row: number): void {
    for (const { order, index: own } of this.#all.values()) {
      if (own !== index || !key.subarray(0, order.prefix.length).equals(order.prefix)) continue;
      order.places[row] = 0;
      this.#written.push({ order, row });
    }
  }

  /** A place that was read between a write and its undoing is wrong. */
  undo(): void {
    for (const { order, row } of this.#written) order.places[row] = 0;
    this.commit();
  }

  commit(): void {
    if (this.#written.length > 0) this.#written = [];
  }

  /** Forgets the orders of an index, or all. */
  forget(index?: number): void {
    for (const [key, { index: own }] of this.#all) if (index === undefined || own === index) this.#forget(key);
  }

  forgetOrder(index: number, prefix: Buffer): void {
    this.#forget(`${index} ${prefix.toString('latin1')}`);
  }

  #forget(key: string): void {
    const known = this.#all.get(key);
    if (known) known.order.isForgotten = true;
    this.#all.delete(key);
  }
}
