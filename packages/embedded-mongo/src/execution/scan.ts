import { MongoError } from '../errors/mongo-error.ts';
import type { Yielder } from '../event-loop/yielder.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { bufferOf } from '../storage/sqlite-connection.ts';
import { parametersFor, type EntryCondition } from './entry-condition.ts';
import { hasManyIdentifiers, scanIdentifiers } from './identifier-scan.ts';
import type { CollectionPlan, IndexPlan, QueryPlan, StoredRow, SubstringPlan } from './plan-kinds.ts';
import { scanRows } from './row-reading.ts';
import { parametersOf, requireIndex, rowsWithText } from './substring-plan.ts';

const firstBatch = 16;
const maxBatch = 256;
const maxBytes = 1 << 20;
/** Index entries to skip in one step, which takes one or two milliseconds. */
const entriesPerStep = 20_000;
const searchesPerStep = 2_000;
const lastRow = Number.MAX_SAFE_INTEGER;
/** Appended to a key, it gives the next greater key: no key is a prefix of another. */
const zeroByte = Buffer.from([0]);

/** A position in the walk of an index: after this entry of this range, counted from 0. */
export interface ScanPosition {
  range: number;
  key: Buffer;
  row: number;
}

/**
 * The rows of a plan, in batches. A walk of an index starts after the position `after` and ends after `maxRead` rows. No statement is open between
 * batches, so that the caller can yield; the scan then continues after the last row. Throws QueryPlanKilled if the
 * collection or index was dropped in between.
 *
 * @param mayOmit whether rows of which a part of a union decides that they match come without their bytes
 */
export function* scan(
  collection: StoredCollection,
  plan: QueryPlan,
  withBytes: boolean,
  after?: ScanPosition,
  maxRead = Infinity,
  mayOmit = false,
): Generator<StoredRow[]> {
  if (plan.kind === 'collection') return yield* scanCollection(collection, plan, withBytes);
  if (plan.kind === 'substring') return yield* scanSubstring(collection, plan, withBytes);
  if (plan.kind === 'rows') {
    for (const rows of scanRows(collection, plan, withBytes, maxBatch)) {
      yield rows;
      requireNotDropped(collection);
    }
    return;
  }
  const seen = plan.kind === 'union' || !plan.isDistinct ? new Set<number>() : undefined;
  const partOf = (part: QueryPlan) =>
    scan(collection, part, withBytes && !(mayOmit && part.isExact), undefined, Infinity, mayOmit);
  const parts = plan.kind === 'union' ? plan.plans.map(partOf) : [];
  if (plan.kind === 'index') parts.push(scanIndex(collection, plan, withBytes, after, maxRead));
  for (const part of parts) for (const rows of part) yield seen ? unseen(rows, seen) : rows;
}

function unseen(rows: StoredRow[], seen: Set<number>): StoredRow[] {
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function* scanCollection(
  collection: StoredCollection,
  plan: CollectionPlan,
  withBytes: boolean,
): Generator<StoredRow[]> {
  const columns = withBytes ? 'rid, doc' : 'rid';
  const sql = plan.isDescending
    ? `SELECT ${columns} FROM d${collection.id} WHERE rid < ? ORDER BY rid DESC`
    : `SELECT ${columns} FROM d${collection.id} WHERE rid > ? ORDER BY rid`;
  let position = plan.isDescending ? lastRow : -1;
  yield* batches(collection, undefined, (size) => {
    const batch = readBatch(collection, sql, [position], size, withBytes);
    position = batch.rows.at(-1)?.id ?? position;
    return batch;
  });
}

function* scanSubstring(collection: StoredCollection, plan: SubstringPlan, withBytes: boolean): Generator<StoredRow[]> {
  const document = withBytes ? `, (SELECT d.doc FROM d${collection.id} d WHERE d.rid = s.rid) AS doc` : '';
  const { table } = plan;
  const rows = `${rowsWithText(plan)} AND t${table.id}.rowid > ?`;
  const sql = `SELECT s.rid AS rid${document} FROM ${rows} ORDER BY t${table.id}.rowid`;
  let position = -1;
  yield* batches(collection, undefined, (size) => {
    requireIndex(table);
    const batch = readBatch(collection, sql, [...parametersOf(plan), position], size, withBytes);
    position = batch.rows.at(-1)?.id ?? position;
    return batch;
  });
}

function* scanIndex(
  collection: StoredCollection,
  plan: IndexPlan,
  withBytes: boolean,
  after: ScanPosition | undefined,
  maxRead: number,
): Generator<StoredRow[]> {
  if (hasManyIdentifiers(plan) && !after && maxRead === Infinity)
    return yield* scanIdentifiers(collection, plan, withBytes, maxBytes);
  let left = maxRead;
  const sql = plan.index.isIdentifier
    ? identifierSql(collection, plan, withBytes)
    : indexSql(collection, plan, withBytes);
  for (const [at, range] of rangesInOrder(plan).entries()) {
    if (after && at < after.range) continue;
    const conditions = parametersFor(plan.condition, range);
    const { end } = range;
    let { key: position, row } = after?.range === at ? after : range;
    for (;;) {
      // Entries that meet a condition can be far apart: the caller can yield after each piece.
      const piece = endOfPiece(collection, plan, [position, row, end]);
      yield* batches(collection, plan, (size) => {
        const last = piece ?? end;
        const from = plan.index.isIdentifier ? [position, last] : [position, row, last, ...conditions];
        const batch = readBatch(collection, sql, from, Math.min(size, left), withBytes);
        left -= batch.rows.length;
        const { rows, lastKey } = batch;
        if (lastKey) {
          row = rows.at(-1)!.id;
          position = plan.index.isIdentifier && !plan.isDescending ? Buffer.concat([lastKey, zeroByte]) : lastKey;
        }
        return batch;
      });
      if (!piece) break;
      position = piece;
      row = plan.isDescending ? -1 : lastRow;
      yield [];
    }
  }
}

/** The key up to which a walk checks a condition at once; undefined for all entries. */
function endOfPiece(
  { connection }: StoredCollection,
  plan: IndexPlan,
  from: (Buffer | number | string)[],
): Buffer | undefined {
  const { condition, index } = plan;
  if (!condition || condition.checksAllEntries || index.isIdentifier) return undefined;
  const sql = `SELECT k FROM x${index.id} x WHERE ${between(plan)} ORDER BY ${walkOrder(plan)} LIMIT 1 OFFSET ?`;
  const found = connection.statement(sql).get(...from, stepOf(condition) - 1);
  return found && bufferOf(found['k'] as Uint8Array);
}

function indexSql({ id }: StoredCollection, plan: IndexPlan, withBytes: boolean): string {
  const table = withBytes ? `x${plan.index.id} x CROSS JOIN d${id} d ON d.rid = x.rid` : `x${plan.index.id} x`;
  const columns = withBytes ? 'x.k AS k, x.rid AS rid, d.doc AS doc' : 'x.k AS k, x.rid AS rid';
  return `SELECT ${columns} FROM ${table} WHERE ${between(plan)} ${conditionSql(plan)} ORDER BY ${walkOrder(plan)}`;
}

/** The entries after a position, up to a key. */
const between = ({ isDescending }: IndexPlan): string =>
  isDescending ? '(x.k, x.rid) < (?, ?) AND x.k >= ?' : '(x.k, x.rid) > (?, ?) AND x.k <= ?';

const walkOrder = ({ isDescending }: IndexPlan): string => (isDescending ? 'x.k DESC, x.rid DESC' : 'x.k, x.rid');

const conditionSql = ({ condition }: IndexPlan): string => (condition ? `AND ${condition.sql}` : '');

function identifierSql({ id }: StoredCollection, { isDescending }: IndexPlan, withBytes: boolean): string {
  const columns = withBytes ? 'k, rid, doc' : 'k, rid';
  return isDescending
    ? `SELECT ${columns} FROM d${id} WHERE k < ? AND k >= ? ORDER BY k DESC`
    : `SELECT ${columns} FROM d${id} WHERE k >= ? AND k <= ? ORDER BY k`;
}

/** The ranges in the order of the walk, each with the position before its first entry and its last key. */
function rangesInOrder({ ranges, isDescending }: IndexPlan): { key: Buffer; row: number; end: Buffer; low: Buffer }[] {
  return isDescending
    ? ranges.toReversed().map(({ low, high }) => ({ key: high, row: lastRow, end: low, low }))
    : ranges.map(({ low, high }) => ({ key: low, row: -1, end: high, low }));
}

/**
 * Skips up to `limit` index entries without reading documents. Returns their number and the new position; undefined at
 * the end of the index.
 */
export async function skipEntries(
  collection: StoredCollection,
  plan: IndexPlan,
  limit: number,
  yielder: Yielder,
): Promise<{ skipped: number; at?: ScanPosition }> {
  const { connection } = collection;
  const entries = `FROM x${plan.index.id} x WHERE ${between(plan)}`;
  const chosen = `${entries} ${conditionSql(plan)}`;
  const nth = (sql: string, from: (Buffer | number | string)[], step: number) =>
    connection.statement(`SELECT k, rid ${sql} ORDER BY ${walkOrder(plan)} LIMIT 1 OFFSET ?`).get(...from, step - 1);
  const counted = (sql: string, from: (Buffer | number | string)[]) =>
    Number(connection.statement(`SELECT count(*) AS n ${sql}`).get(...from)!['n']);
  let skipped = 0;
  for (const [range, { end, low, ...start }] of rangesInOrder(plan).entries()) {
    const conditions = parametersFor(plan.condition, { low });
    for (let { key, row } = start; ;) {
      if (yielder.isDue) await yielder.yield();
      requireNotDropped(collection, plan);
      const missing = limit - skipped;
      if (plan.condition?.checksAllEntries) {
        const last = missing < Infinity ? nth(chosen, [key, row, end, ...conditions], missing) : undefined;
        if (last) return { skipped: limit, at: positionOf(range, last) };
        skipped += counted(chosen, [key, row, end, ...conditions]);
        break;
      }
      // Entries that meet a condition can be far apart, so a step counts all entries, up to the last one of a key.
      const step = plan.condition ? stepOf(plan.condition) : Math.min(entriesPerStep, missing);
      const reached = nth(entries, [key, row, end], step);
      const next = reached && positionOf(range, reached);
      if (plan.condition) {
        const piece = [key, row, next?.key ?? end, ...conditions];
        const found = counted(chosen, piece);
        if (found >= missing) return { skipped: limit, at: positionOf(range, nth(chosen, piece, missing)!) };
        skipped += found;
      } else skipped += next ? step : counted(entries, [key, row, end]);
      if (!next) break;
      key = next.key;
      row = plan.condition ? (plan.isDescending ? -1 : lastRow) : next.row;
      if (skipped >= limit) return { skipped, at: next };
    }
  }
  return { skipped };
}

const stepOf = ({ isSearch }: EntryCondition): number => (isSearch === true ? searchesPerStep : entriesPerStep);

const positionOf = (range: number, { k, rid }: Record<string, unknown>): ScanPosition => ({
  range,
  key: bufferOf(k as Uint8Array),
  row: Number(rid),
});

/** Throws QueryPlanKilled if the collection, or the index of the plan, was dropped while the command yielded. */
export function requireNotDropped(collection: StoredCollection, plan?: IndexPlan): void {
  if (collection.isDropped) throw new MongoError(175, 'QueryPlanKilled', 'collection dropped');
  if (plan?.index.isDropped) throw new MongoError(175, 'QueryPlanKilled', `index '${plan.index.name}' dropped`);
}

function* batches(
  collection: StoredCollection,
  plan: IndexPlan | undefined,
  next: (size: number) => Batch,
): Generator<StoredRow[]> {
  for (
    let size = plan?.condition?.checksAllEntries ? maxBatch : firstBatch;
    ;
    size = Math.min(Math.ceil(size * 1.5), maxBatch)
  ) {
    requireNotDropped(collection, plan);
    const { rows, isLast } = next(size);
    if (rows.length > 0) yield rows;
    if (isLast) return;
  }
}

interface Batch {
  rows: StoredRow[];
  lastKey: Buffer | undefined;
  isLast: boolean;
}

function readBatch(
  collection: StoredCollection,
  sql: string,
  parameters: (Buffer | number | string)[],
  size: number,
  withBytes: boolean,
): Batch {
  const rows: StoredRow[] = [];
  let lastKey: Buffer | undefined;
  let bytes = 0;
  for (const { rid, k, doc } of collection.connection.statement(sql).iterate(...parameters)) {
    const row = { id: Number(rid), bytes: withBytes ? bufferOf(doc as Uint8Array) : undefined };
    rows.push(row);
    lastKey = k instanceof Uint8Array ? bufferOf(k) : undefined;
    bytes += row.bytes?.length ?? 0;
    if (rows.length >= size || bytes >= maxBytes) return { rows, lastKey, isLast: false };
  }
  return { rows, lastKey, isLast: true };
}
