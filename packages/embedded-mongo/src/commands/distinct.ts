import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { valueKey } from '../bson/sort-key.ts';
import { maxDocumentBytes } from '../errors/limits.ts';
import { locationError } from '../errors/mongo-error.ts';
import type { Yielder } from '../event-loop/yielder.ts';
import { fieldBounds } from '../execution/field-bounds.ts';
import { findHits } from '../execution/find.ts';
import { identifiersOf } from '../execution/identifier-scan.ts';
import { indexCandidate } from '../execution/index-candidate.ts';
import { candidates } from '../execution/plan.ts';
import type { IndexPlan } from '../execution/plan-kinds.ts';
import { requireNotDropped } from '../execution/scan.ts';
import { compileFilter } from '../query/filter.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { bufferOf } from '../storage/sqlite-connection.ts';
import { compareValues } from '../values/compare.ts';
import { visitPath } from '../values/path.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import type { Reply } from '../wire/reply.ts';
import { ok, type CommandTable, type ReceivedCommand } from './command.ts';
import { collation, collectionName, document, hint, readOptions, required, text } from './options.ts';

async function distinct({ storage, db, command, yielder }: ReceivedCommand): Promise<Reply> {
  const options = readOptions(command, 'distinct', {
    distinct: collectionName,
    key: text,
    query: document,
    hint,
    collation,
  });
  const path = required(options.key, 'distinct.key');
  const filter = options.query ?? new Map();
  const collection = storage.find(db, required(options.distinct, 'distinct.distinct'));
  const values = new Map<string, BsonValue>();
  const add = (value: BsonValue): unknown => values.set(valueKey(value).toString('latin1'), value);
  if (!collection) compileFilter(filter);
  const isAdded =
    collection && options.hint === undefined && (await addEachOnce(collection, path, filter, add, yielder));
  const hits =
    collection && isAdded !== true
      ? await findHits(collection, { filter, hint: options.hint, wantBytes: false }, yielder)
      : [];
  const rows = hits.map(({ id }) => id);
  for (const value of collection ? valuesOf(collection, path, rows) : []) {
    if (Array.isArray(value)) value.forEach(add);
    else if (value !== undefined) add(value);
    if (!yielder.isDue) continue;
    await yielder.yield();
    requireNotDropped(collection!);
  }
  const reply = ok([['values', [...values.values()].sort(compareValues)]]);
  if (encodeDocument(reply).length > maxDocumentBytes) throw locationError(17217, 'distinct too big, 16mb cap');
  return reply;
}

function* valuesOf(
  collection: StoredCollection,
  path: string,
  rows: readonly number[],
): Generator<BsonValue | undefined> {
  if (path === '_id') return yield* identifiersOf(collection, rows);
  const parts = path.split('.');
  for (const row of rows) {
    const bytes = collection.read(row);
    if (!bytes) continue;
    const values: (BsonValue | undefined)[] = [];
    visitPath(decodeDocument(bytes, new Set([parts[0]!])), parts, (value) => {
      values.push(value);
      return false;
    });
    yield* values;
  }
}

/**
 * Reads one document of each value, where the fields before the path in an index are all that the filter has conditions on. Returns false
 * if there is no such index, or an index cannot search for a value: the caller then reads all documents.
 */
async function addEachOnce(
  collection: StoredCollection,
  path: string,
  filter: BsonDocument,
  add: (value: BsonValue) => unknown,
  yielder: Yielder,
): Promise<boolean> {
  const walk = candidates(collection, filter, []).find(({ plan }) => hasValuesBehind(plan, path))?.plan;
  if (walk === undefined) return false;
  const { index } = walk;
  const [{ low, high }] = walk.ranges as [IndexPlan['ranges'][number]];
  const next = `SELECT k, rid FROM x${index.id} WHERE k > ? AND k <= ? ORDER BY k LIMIT 1`;
  for (let after = low; ;) {
    requireNotDropped(collection, walk);
    const found = collection.connection.statement(next).get(after, high);
    if (found === undefined) return true;
    const [value, ...others] = [...valuesOf(collection, path, [Number(found['rid'])])];
    const own = new Map([...filter, [path, value ?? null]]);
    const [end, ...further] = indexCandidate(index, own, fieldBounds(own), [], true)?.plan.ranges ?? [];
    const isSearched =
      end !== undefined && further.length === 0 && Buffer.compare(end.high, bufferOf(found['k'] as Uint8Array)) >= 0;
    if (others.length > 0 || !isSearched || end.high.equals(high)) return false;
    if (value !== undefined) add(value);
    after = end.high;
    if (yielder.isDue) await yielder.yield();
  }
}

/** Whether each entry of a walk is one matching document, and the entries are in the order of a path. */
const hasValuesBehind = (
  { index, ranges, leading, condition, isExact, isDistinct }: IndexPlan,
  path: string,
): boolean =>
  leading !== undefined &&
  index.fields[leading]?.path === path &&
  !index.isMultikeyAt(leading) &&
  ranges.length === 1 &&
  isExact &&
  isDistinct &&
  !condition &&
  !index.isIdentifier &&
  !index.isSparse &&
  !index.partialFilter;

export const distinctCommands: CommandTable = [['distinct', distinct]];
