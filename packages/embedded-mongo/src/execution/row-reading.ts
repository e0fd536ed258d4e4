import type { Yielder } from '../event-loop/yielder.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { RowBits, type RowsOfPrefix } from '../storage/kept-rows.ts';
import { bufferOf } from '../storage/sqlite-connection.ts';
import { parametersFor, type EntryCondition } from './entry-condition.ts';
import { entriesUpTo } from './estimate.ts';
import { prefixEnd } from './key-ranges.ts';
import type { IndexPlan, RowsPlan, StoredRow, SubstringPlan } from './plan-kinds.ts';
import { requireIndex } from './substring-plan.ts';

/** So many entries are read in a few milliseconds, each time. */
const maxGathered = 20_000;
/** Fewer take less time to read than memory to keep. */
const minKept = 4_096;
const maxRanges = 8;
const rowsPerStep = 4_096;
const maxAttempts = 3;

/** The rows of a walk of an index; undefined if its entries cannot say them, or are too many for one use. */
export async function rowsOfPlan(
  collection: StoredCollection,
  plan: IndexPlan,
  yielder: Yielder,
): Promise<RowBits | undefined> {
  const { index, ranges, leading, condition } = plan;
  if (index.isIdentifier || ranges.length > maxRanges) return undefined;
  const rows = new RowBits();
  if (condition || entriesUpTo(collection, plan, minKept) < minKept || !isKeepable(plan)) {
    if (entriesUpTo(collection, plan, maxGathered) >= maxGathered) return undefined;
    const sql = `SELECT group_concat(x.rid) AS rids FROM x${index.id} x WHERE x.k >= ? AND x.k <= ?${condition ? ` AND ${condition.sql}` : ''}`;
    for (const range of ranges) {
      const parameters = [range.low, range.high, ...parametersFor(condition, range)];
      addTo(rows, collection.connection.statement(sql).get(...parameters));
    }
    return rows;
  }
  const kept: RowsOfPrefix[] = [];
  for (const { low } of ranges) {
    const own = await keptRows(collection, index.id, low, yielder);
    if (own === undefined || leading === undefined) return undefined;
    kept.push(own);
  }
  if (kept.length === 1) return kept[0]!.bits;
  for (const { bits } of kept) for (const row of bits) rows.add(row);
  return rows;
}

/** Whether each document has at most one entry for the leading values, so that its removal takes the row away. */
const isKeepable = ({ index, leading }: IndexPlan): boolean =>
  leading !== undefined && index.fields.every((_, at) => at < leading || !index.isMultikeyAt(at));

/** The rows of the entries that begin with a key, read once; undefined if the index was dropped or changed too often meanwhile. */
async function keptRows(
  collection: StoredCollection,
  index: number,
  prefix: Buffer,
  yielder: Yielder,
): Promise<RowsOfPrefix | undefined> {
  const { connection } = collection;
  const end = Buffer.concat([prefix, prefixEnd]);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const kept = connection.keptRows.of(index, prefix);
    while (kept.builtTo !== undefined && !kept.isForgotten) {
      if (collection.isDropped || !collection.indexes.some(({ id }) => id === index)) return undefined;
      const { key, row } = kept.builtTo;
      const behind = `FROM x${index} WHERE (k, rid) > (?, ?) AND k <= ?`;
      const last = connection
        .statement(`SELECT k, rid ${behind} ORDER BY k, rid LIMIT 1 OFFSET ?`)
        .get(key, row, end, rowsPerStep - 1);
      const place = last && { key: bufferOf(last['k'] as Uint8Array), row: Number(last['rid']) };
      // SQLite ends a walk by a bound of the key alone.
      const step = `SELECT group_concat(rid) AS rids ${behind} AND (k, rid) <= (?, ?)`;
      const upTo = place ?? { key: end, row: Number.MAX_SAFE_INTEGER };
      const read = connection.statement(step).get(key, row, upTo.key, upTo.key, upTo.row);
      addTo(kept.bits, read);
      kept.builtTo = place;
      if (yielder.isDue) await yielder.yield();
    }
    if (!kept.isForgotten) return kept;
  }
  return undefined;
}

function addTo(rows: RowBits, read: Record<string, unknown> | undefined): void {
  for (const row of rowsIn(read)) rows.add(row);
}

/** The rows of a list of them. */
export function rowsIn(read: Record<string, unknown> | undefined): number[] {
  const rids = read?.['rids'];
  return typeof rids === 'string' ? (JSON.parse(`[${rids}]`) as number[]) : [];
}

/** The rows with values of `_id`, by their keys. */
export function rowsOfIdentifiers({ connection, id }: StoredCollection, keys: readonly Buffer[]): RowBits {
  const rows = new RowBits();
  const sql = `SELECT group_concat(rid) AS rids FROM d${id} WHERE k IN (SELECT unhex(value) FROM json_each(?))`;
  addTo(rows, connection.statement(sql).get(JSON.stringify(keys.map((key) => key.toString('hex')))));
  return rows;
}

/** Those of the rows, or of all, that have the text of a plan; undefined if they and those with the text are too many to look at. */
export async function rowsWithTextAmong(
  { connection }: StoredCollection,
  { table, expression, text, rows: withParts }: SubstringPlan,
  rows: RowBits | undefined,
  count: number | undefined,
  yielder: Yielder,
): Promise<RowBits | undefined> {
  let among: number[];
  if (rows && count !== undefined && count <= maxGathered) among = [...rows];
  else if (withParts === undefined) return undefined;
  else {
    among = [];
    const some = `SELECT rowid FROM t${table.id} WHERE t${table.id} MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?`;
    for (let read = [-1]; read.length > 0;) {
      requireIndex(table);
      const matching = connection.statement(`SELECT group_concat(rowid) AS rids FROM (${some})`);
      read = rowsIn(matching.get(expression, read.at(-1)!, maxGathered));
      for (const row of read) if (rows?.has(row) ?? true) among.push(row);
      if (yielder.isDue) await yielder.yield();
    }
  }
  const found = new RowBits();
  const sql = `SELECT group_concat(s.rid) AS rids FROM json_each(?) j CROSS JOIN s${table.id} s ON s.rid = j.value
    WHERE instr(s.text, ?) > 0`;
  for (let at = 0; at < among.length; at += rowsPerStep) {
    requireIndex(table);
    addTo(found, connection.statement(sql).get(JSON.stringify(among.slice(at, at + rowsPerStep)), text));
    if (yielder.isDue) await yielder.yield();
  }
  return found;
}

/** The condition that an entry is of one of the rows. */
export function rowsCondition({ words }: RowBits): EntryCondition {
  // A byte for each row: SQLite reads one in any place of a value without reading the others.
  const bytes = Buffer.alloc(words.length * 32);
  for (const [at, word] of words.entries())
    for (let left = word; left !== 0; left &= left - 1) bytes[at * 32 + 31 - Math.clz32(left & -left)] = 1;
  return { sql: `substr(?, x.rid + 1, 1) = x'01'`, parameters: [bytes], checksAllEntries: false };
}

/** The rows of a plan, in batches. */
export function* scanRows(
  { connection, id }: StoredCollection,
  { rows }: RowsPlan,
  withBytes: boolean,
  batch: number,
): Generator<StoredRow[]> {
  const document = withBytes ? ', d.doc AS doc' : '';
  const sql = `SELECT d.rid AS rid${document} FROM json_each(?) j CROSS JOIN d${id} d ON d.rid = j.value`;
  let ids: number[] = [];
  const read = () =>
    Array.from(connection.statement(sql).iterate(JSON.stringify(ids)), ({ rid, doc }) => ({
      id: Number(rid),
      bytes: withBytes ? bufferOf(doc as Uint8Array) : undefined,
    }));
  for (const row of rows) {
    ids.push(row);
    if (ids.length < batch) continue;
    yield read();
    ids = [];
  }
  if (ids.length > 0) yield read();
}
