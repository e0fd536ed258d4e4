import { decodeDocument } from '../bson/decode.ts';
import { badValue, notImplemented } from '../errors/mongo-error.ts';
import type { Yielder } from '../event-loop/yielder.ts';
import { requiredValue } from '../query/required-value.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { vectorBytes, VectorIndex } from '../storage/vector-index.ts';
import { toNumber } from '../values/number.ts';
import { isDocument, isNumber, type BsonDocument, type BsonValue } from '../values/value.ts';
import { oneBatch, type Batches } from './stage.ts';

const known = new Set(['index', 'path', 'queryVector', 'numCandidates', 'limit', 'filter']);

/** The documents of a `$vectorSearch`, nearest first; none when the index does not exist, as in MongoDB. */
export function vectorSearch(argument: BsonValue, collection: StoredCollection | undefined, yielder: Yielder): Batches {
  if (!isDocument(argument)) throw badValue('$vectorSearch takes an object');
  const unknown = [...argument.keys()].find((name) => !known.has(name));
  if (unknown) throw notImplemented(`${unknown} of $vectorSearch is not supported by this server`);
  const limit = positive(argument, 'limit');
  const candidates = Math.max(limit, positive(argument, 'numCandidates'));
  const index = collection?.searchTables.find((table) => table.name === argument.get('index'));
  if (!collection || !(index instanceof VectorIndex)) return oneBatch([]);
  if (argument.get('path') !== index.path) throw badValue(`index "${index.name}" has no vectors at that path`);
  const vector = vectorBytes(argument.get('queryVector'), index.dimensions);
  if (!vector) throw badValue(`queryVector takes ${index.dimensions} numbers, as many as are indexed`);
  const filter = valuesOf(index, argument.get('filter'));
  return nearest(collection, index, vector, { candidates, limit, filter }, yielder);
}

/** The values of the fields for filters. MongoDB takes any condition on them, this server a value of each. */
function valuesOf(index: VectorIndex, filter: BsonValue | undefined): BsonValue[] {
  if (filter !== undefined && !isDocument(filter)) throw badValue('"filter" of $vectorSearch takes an object');
  const conditions = filter ?? new Map<string, BsonValue>();
  const values = index.filters.map((path) => requiredValue(conditions.get(path)));
  if (conditions.size !== values.length || values.includes(undefined)) {
    throw notImplemented(
      `"filter" of $vectorSearch takes a value of each field that the index has for filters, and nothing else: ${index.filters.join(', ') || 'it has none'}`,
    );
  }
  return values as BsonValue[];
}

async function* nearest(
  collection: StoredCollection,
  index: VectorIndex,
  vector: Buffer,
  search: { candidates: number; limit: number; filter: readonly BsonValue[] },
  yielder: Yielder,
): Batches {
  const rows = await index.search(collection, vector, search, yielder);
  yield rows.flatMap(({ id }) => {
    const bytes = collection.isDropped ? undefined : collection.read(id);
    return bytes ? [decodeDocument(bytes)] : [];
  });
}

function positive(argument: BsonDocument, name: string): number {
  const value = argument.get(name);
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  if (Number.isInteger(number) && number >= 1 && number <= 10_000) return number;
  throw badValue(`"${name}" of $vectorSearch takes a whole number from 1 to 10000`);
}
