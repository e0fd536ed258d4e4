import { MongoError } from '../errors.ts';
import { bufferOf, type Collection } from './collection.ts';
import type { CollectionPlan, IndexPlan, Plan } from './plan.ts';

/** A document by its row; the bytes are left out when only the row is wanted. */
export interface Row {
  id: number;
  bytes: Buffer | undefined;
}

const firstBatch = 16;
const largestBatch = 256;
const mostBytes = 1 << 20;
const lastRow = Number.MAX_SAFE_INTEGER;
/** Makes of a key the least that is greater: no key is the beginning of another. */
const zero = Buffer.from([0]);

/**
 * The rows of a plan, in batches. Between batches no statement is open and the caller may let others work: the scan goes
 * on behind the last row. Throws QueryPlanKilled when the collection or index is gone by then.
 */
export function* scan(collection: Collection, plan: Plan, withBytes: boolean): Generator<Row[]> {
  if (plan.kind === 'collection') return yield* scanCollection(collection, plan, withBytes);
  const seen = plan.kind === 'union' || plan.index.multikey ? new Set<number>() : undefined;
  const parts = plan.kind === 'union' ? plan.plans.map((part) => scan(collection, part, withBytes)) : [];
  if (plan.kind === 'index') parts.push(scanIndex(collection, plan, withBytes));
  for (const part of parts) for (const rows of part) yield seen ? unseen(rows, seen) : rows;
}

function unseen(rows: Row[], seen: Set<number>): Row[] {
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function* scanCollection(collection: Collection, plan: CollectionPlan, withBytes: boolean): Generator<Row[]> {
  const columns = withBytes ? 'rid, doc' : 'rid';
  const sql = plan.descending
    ? `SELECT ${columns} FROM d${collection.id} WHERE rid < ? ORDER BY rid DESC`
    : `SELECT ${columns} FROM d${collection.id} WHERE rid > ? ORDER BY rid`;
  let position = plan.descending ? lastRow : -1;
  yield* batches(collection, undefined, (size) => {
    const { rows } = take(collection, sql, [position], size, withBytes);
    position = rows.at(-1)?.id ?? position;
    return rows;
  });
}

function* scanIndex(collection: Collection, plan: IndexPlan, withBytes: boolean): Generator<Row[]> {
  const ranges = plan.descending ? plan.ranges.toReversed() : plan.ranges;
  const sql = plan.index.isIdentifier
    ? identifierSql(collection, plan, withBytes)
    : indexSql(collection, plan, withBytes);
  for (const { low, high } of ranges) {
    let position = plan.descending ? high : low;
    const end = plan.descending ? low : high;
    let row = plan.descending ? lastRow : -1;
    yield* batches(collection, plan, (size) => {
      const from = plan.index.isIdentifier ? [position, end] : [position, row, end];
      const { rows, lastKey } = take(collection, sql, from, size, withBytes);
      if (lastKey) {
        row = rows.at(-1)!.id;
        position = plan.index.isIdentifier && !plan.descending ? Buffer.concat([lastKey, zero]) : lastKey;
      }
      return rows;
    });
  }
}

function indexSql({ id }: Collection, { index, descending }: IndexPlan, withBytes: boolean): string {
  const table = withBytes ? `x${index.id} x CROSS JOIN d${id} d ON d.rid = x.rid` : `x${index.id} x`;
  const columns = withBytes ? 'x.k AS k, x.rid AS rid, d.doc AS doc' : 'x.k AS k, x.rid AS rid';
  return descending
    ? `SELECT ${columns} FROM ${table} WHERE (x.k, x.rid) < (?, ?) AND x.k >= ? ORDER BY x.k DESC, x.rid DESC`
    : `SELECT ${columns} FROM ${table} WHERE (x.k, x.rid) > (?, ?) AND x.k <= ? ORDER BY x.k, x.rid`;
}

function identifierSql({ id }: Collection, { descending }: IndexPlan, withBytes: boolean): string {
  const columns = withBytes ? 'k, rid, doc' : 'k, rid';
  return descending
    ? `SELECT ${columns} FROM d${id} WHERE k < ? AND k >= ? ORDER BY k DESC`
    : `SELECT ${columns} FROM d${id} WHERE k >= ? AND k <= ? ORDER BY k`;
}

function* batches(
  collection: Collection,
  plan: IndexPlan | undefined,
  next: (size: number) => Row[],
): Generator<Row[]> {
  for (let size = firstBatch; ; size = Math.min(size * 2, largestBatch)) {
    if (collection.dropped) throw new MongoError(175, 'QueryPlanKilled', 'collection dropped');
    if (plan?.index.dropped) throw new MongoError(175, 'QueryPlanKilled', `index '${plan.index.name}' dropped`);
    const rows = next(size);
    if (rows.length === 0) return;
    yield rows;
  }
}

function take(
  collection: Collection,
  sql: string,
  parameters: (Buffer | number)[],
  size: number,
  withBytes: boolean,
): { rows: Row[]; lastKey: Buffer | undefined } {
  const rows: Row[] = [];
  let lastKey: Buffer | undefined;
  let bytes = 0;
  for (const { rid, k, doc } of collection.storage.statement(sql).iterate(...parameters)) {
    const row = { id: Number(rid), bytes: withBytes ? bufferOf(doc as Uint8Array) : undefined };
    rows.push(row);
    lastKey = k instanceof Uint8Array ? bufferOf(k) : undefined;
    bytes += row.bytes?.length ?? 0;
    if (rows.length >= size || bytes >= mostBytes) break;
  }
  return { rows, lastKey };
}
