import { ObjectId } from 'bson';
import { decodeDocument } from '../bson/decode.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { bufferOf } from '../storage/sqlite-connection.ts';
import { TypeOrder, type BsonValue } from '../values/value.ts';
import type { IndexPlan, StoredRow } from './plan-kinds.ts';

/** Fewer are as quick one by one. */
const fewIdentifiers = 8;
const identifiersPerStep = 256;
const objectIdKeyLength = 13;

/** Whether the plan has so many single values of `_id` that they are searched together. */
export const hasManyIdentifiers = ({ index, leading, ranges }: IndexPlan): boolean =>
  index.isIdentifier && leading === 1 && ranges.length >= fewIdentifiers;

/**
 * The rows with single values of `_id`, in their order, hundreds in one statement. No statement is open between batches.
 *
 * @param maxBytes after which a batch ends
 */
export function* scanIdentifiers(
  { connection, id }: StoredCollection,
  { ranges, isDescending }: IndexPlan,
  withBytes: boolean,
  maxBytes: number,
): Generator<StoredRow[]> {
  const columns = withBytes ? 'k, rid, doc' : 'k, rid';
  const wanted = 'SELECT unhex(value) FROM json_each(?)';
  const order = isDescending ? 'DESC' : 'ASC';
  const sql = `SELECT ${columns} FROM d${id} WHERE k IN (${wanted}) ORDER BY k ${order}`;
  const keys = ranges.map(({ low }) => low);
  if (isDescending) keys.reverse();
  for (let at = 0; at < keys.length;) {
    const step = keys.slice(at, at + identifiersPerStep);
    at += step.length;
    const rows: StoredRow[] = [];
    let bytes = 0;
    for (const { k, rid, doc } of connection
      .statement(sql)
      .iterate(JSON.stringify(step.map((key) => key.toString('hex'))))) {
      const row = { id: Number(rid), bytes: withBytes ? bufferOf(doc as Uint8Array) : undefined };
      rows.push(row);
      bytes += row.bytes?.length ?? 0;
      if (bytes < maxBytes) continue;
      const last = bufferOf(k as Uint8Array);
      at += step.findIndex((key) => key.equals(last)) + 1 - step.length;
      break;
    }
    yield rows;
  }
}

/** The `_id` of each row: most are read from their keys, without the documents. Rows that were deleted have none. */
export function* identifiersOf(collection: StoredCollection, rows: readonly number[]): Generator<BsonValue> {
  const { connection, id } = collection;
  const sql = `SELECT d.rid AS rid, d.k AS k FROM json_each(?) j CROSS JOIN d${id} d ON d.rid = j.value`;
  for (let at = 0; at < rows.length; at += identifiersPerStep) {
    if (collection.isDropped) return;
    const found = connection.statement(sql).all(JSON.stringify(rows.slice(at, at + identifiersPerStep)));
    for (const { rid, k } of found) {
      const key = bufferOf(k as Uint8Array);
      const isPlain = key[0] === TypeOrder.objectId && key.length === objectIdKeyLength;
      const value = isPlain ? new ObjectId(key.subarray(1)) : wholeIdentifier(collection, Number(rid));
      if (value !== undefined) yield value;
    }
  }
}

/** The object ids of rows, 12 bytes each, in one text for each statement: a value for each takes three times as long. Undefined if an id is no object id. */
export function* objectIdsOf(collection: StoredCollection, rows: readonly number[]): Generator<Buffer | undefined> {
  const { connection, id } = collection;
  const sql = `SELECT count(*) AS found, sum(length(d.k) = ${objectIdKeyLength} AND substr(d.k, 1, 1) = ?) AS plain,
    group_concat(hex(substr(d.k, 2)), '') AS ids FROM json_each(?) j CROSS JOIN d${id} d ON d.rid = j.value`;
  const type = Buffer.from([TypeOrder.objectId]);
  for (let at = 0; at < rows.length; at += identifiersPerStep) {
    if (collection.isDropped) return;
    const step = JSON.stringify(rows.slice(at, at + identifiersPerStep));
    const { found, plain, ids } = connection.statement(sql).get(type, step)!;
    if (Number(found) === 0) continue;
    yield found === plain ? Buffer.from(String(ids), 'hex') : undefined;
  }
}

function wholeIdentifier(collection: StoredCollection, row: number): BsonValue | undefined {
  const bytes = collection.read(row);
  return bytes && decodeDocument(bytes, new Set(['_id'])).get('_id');
}
