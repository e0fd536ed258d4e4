import { Yielder } from '../event-loop/yielder.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { RowBits } from '../storage/kept-rows.ts';
import { bufferOf } from '../storage/sqlite-connection.ts';
import { prefixEnd } from './key-ranges.ts';
import type { IndexPlan } from './plan-kinds.ts';
import { rowsIn } from './row-reading.ts';

const rowsPerStep = 4_096;
/** Where more of the rows were written since, their order is read anew. */
const maxWritten = 500;

/** The begin of the keys of a walk whose order can be kept; undefined if entries have to be looked at. */
function prefixOf({ index, ranges, leading, condition, isDistinct, isSorted }: IndexPlan): Buffer | undefined {
  const isKeepable = isSorted && isDistinct && leading !== undefined && !condition && !index.isIdentifier;
  if (!isKeepable || ranges.length !== 1 || index.partialFilter || index.isSparse) return undefined;
  return ranges[0]!.low;
}

/** Whether the order of a walk is in memory. */
export function isOrderKnown({ connection }: StoredCollection, walk: IndexPlan): boolean {
  const prefix = prefixOf(walk);
  return prefix !== undefined && connection.keptRows.orders.known(walk.index.id, prefix) !== undefined;
}

/**
 * Those of some rows that can be among the first in the order of a walk, however late in it they come: the first ones, and all whose
 * entry was written since the order was read into memory. Undefined until it is read, which begins then.
 *
 * @param end number of rows that are wanted
 */
export function firstRows(
  collection: StoredCollection,
  walk: IndexPlan,
  rows: RowBits,
  end: number,
): RowBits | undefined {
  const prefix = prefixOf(walk);
  if (prefix === undefined) return undefined;
  const { orders } = collection.connection.keptRows;
  const order = orders.known(walk.index.id, prefix);
  const first = new RowBits();
  const placed: number[] = [];
  let written = 0;
  for (const row of order ? rows : []) {
    if (order!.places[row]) placed.push(row);
    else {
      first.add(row);
      written += 1;
    }
  }
  if (!order || written > maxWritten) {
    if (order) orders.forgetOrder(walk.index.id, prefix);
    // A file that is closed meanwhile needs no order.
    readOrder(collection, walk, prefix, new Yielder()).catch(() => undefined);
    return undefined;
  }
  const places = Uint32Array.from(placed, (row) => order.places[row]!).sort();
  const [least, most] = walk.isDescending
    ? [places.at(-Math.min(end, places.length)), Infinity]
    : [0, places[Math.min(end, places.length) - 1]];
  for (const row of placed) if (order.places[row]! >= (least ?? 0) && order.places[row]! <= (most ?? 0)) first.add(row);
  return first;
}

/** Reads an order in steps, beside other commands. */
async function readOrder(
  collection: StoredCollection,
  { index }: IndexPlan,
  prefix: Buffer,
  yielder: Yielder,
): Promise<void> {
  const { connection } = collection;
  const end = Buffer.concat([prefix, prefixEnd]);
  const order = connection.keptRows.orders.of(index.id, prefix);
  if (order.isBeingRead) return;
  order.isBeingRead = true;
  while (order.builtTo !== undefined && !order.isForgotten) {
    await yielder.yield();
    if (collection.isDropped || index.isDropped) return;
    const { key, row } = order.builtTo;
    const behind = `FROM x${index.id} WHERE (k, rid) > (?, ?) AND k <= ?`;
    const last = connection
      .statement(`SELECT k, rid ${behind} ORDER BY k, rid LIMIT 1 OFFSET ?`)
      .get(key, row, end, rowsPerStep - 1);
    const place = last && { key: bufferOf(last['k'] as Uint8Array), row: Number(last['rid']) };
    const upTo = place ?? { key: end, row: Number.MAX_SAFE_INTEGER };
    const step = `SELECT group_concat(rid, ',' ORDER BY k, rid) AS rids ${behind} AND (k, rid) <= (?, ?)`;
    for (const next of rowsIn(connection.statement(step).get(key, row, upTo.key, upTo.key, upTo.row))) order.add(next);
    order.builtTo = place;
  }
}
