import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { valueKey } from '../bson/sort-key.ts';
import { maxDocumentBytes } from '../errors/limits.ts';
import { locationError } from '../errors/mongo-error.ts';
import { countHits } from '../execution/count-hits.ts';
import { findHits } from '../execution/find.ts';
import { identifiersOf } from '../execution/identifier-scan.ts';
import { requireNotDropped } from '../execution/scan.ts';
import { noVariables } from '../expression/scope.ts';
import { compileFilter } from '../query/filter.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { compareValues } from '../values/compare.ts';
import { fromNumber } from '../values/number.ts';
import { visitPath } from '../values/path.ts';
import type { BsonValue } from '../values/value.ts';
import type { Reply } from '../wire/reply.ts';
import { ok, type ReceivedCommand, type CommandTable } from './command.ts';
import {
  accepted,
  collation,
  collectionName,
  document,
  hint,
  integer,
  natural,
  readOptions,
  required,
  text,
} from './options.ts';

async function count({ storage, db, command, yielder }: ReceivedCommand): Promise<Reply> {
  const options = readOptions(command, 'count', {
    count: collectionName,
    query: document,
    limit: integer,
    skip: natural,
    hint,
    collation,
    fields: accepted,
  });
  const filter = options.query ?? new Map();
  const collection = storage.find(db, required(options.count, 'count.count'));
  if (!collection) compileFilter(filter, noVariables);
  const limit = Math.abs(options.limit ?? 0);
  const n = collection
    ? await countHits(collection, { filter, skip: options.skip, limit, hint: options.hint }, yielder)
    : 0;
  return ok([['n', fromNumber(n)]]);
}

async function distinct({ storage, db, command, yielder }: ReceivedCommand): Promise<Reply> {
  const options = readOptions(command, 'distinct', {
    distinct: collectionName,
    key: text,
    query: document,
    hint,
    collation,
  });
  const parts = required(options.key, 'distinct.key').split('.');
  const filter = options.query ?? new Map();
  const collection = storage.find(db, required(options.distinct, 'distinct.distinct'));
  const values = new Map<string, BsonValue>();
  const add = (value: BsonValue): unknown => values.set(valueKey(value).toString('latin1'), value);
  if (!collection) compileFilter(filter);
  const hits = collection ? await findHits(collection, { filter, hint: options.hint, wantBytes: false }, yielder) : [];
  const rows = hits.map(({ id }) => id);
  for (const value of collection ? valuesOf(collection, parts, rows) : []) {
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
  parts: string[],
  rows: readonly number[],
): Generator<BsonValue | undefined> {
  if (parts.join('.') === '_id') return yield* identifiersOf(collection, rows);
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

export const countCommands: CommandTable = [
  ['count', count],
  ['distinct', distinct],
];
