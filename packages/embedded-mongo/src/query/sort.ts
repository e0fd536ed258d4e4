import { MinKey } from 'bson';
import { emptyArray, sortKey, type KeyPart } from '../bson/sort-key.ts';
import { badValue, locationError, notImplemented } from '../errors/mongo-error.ts';
import { compareValues } from '../values/compare.ts';
import { toNumber } from '../values/number.ts';
import { visitPath } from '../values/path.ts';
import { isNumber, type BsonDocument } from '../values/value.ts';

export interface SortField {
  path: string;
  direction: 1 | -1;
}

/** The fields of a sort document. Throws MongoDB's errors for a direction that is neither 1 nor -1. */
export function parseSort(sort: BsonDocument): SortField[] {
  return [...sort].map(([path, value]) => {
    if (path === '') throw badValue('FieldPath cannot be constructed with empty string');
    if (value instanceof Map) throw notImplemented('$meta sort is not supported by this server');
    const direction = isNumber(value) ? toNumber(value) : Number.NaN;
    if (direction !== 1 && direction !== -1) {
      throw locationError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    }
    return { path, direction };
  });
}

/** The key of a document in a sort. An array counts by its least element ascending, by its greatest descending. */
export function documentSortKey(fields: readonly SortField[]): (document: BsonDocument) => Buffer {
  const directions = fields.map(({ direction }) => direction);
  const split = fields.map(({ path, direction }) => ({ parts: path.split('.'), direction }));
  return (document) =>
    sortKey(
      split.map(({ parts, direction }) => extremeAt(document, parts, direction)),
      directions,
    );
}

/** Compares documents in the order of a sort document. */
export function documentSorter(sort: BsonDocument): (a: BsonDocument, b: BsonDocument) => number {
  const key = documentSortKey(parseSort(sort));
  return (a, b) => Buffer.compare(key(a), key(b));
}

function extremeAt(document: BsonDocument, parts: readonly string[], direction: 1 | -1): KeyPart {
  let extreme: KeyPart;
  let seen = false;
  const consider = (value: KeyPart): void => {
    if (!seen || compareParts(value, extreme) * direction < 0) extreme = value;
    seen = true;
  };
  visitPath(document, parts, (value) => {
    if (!Array.isArray(value)) consider(value);
    else if (value.length > 0) value.forEach(consider);
    else consider(emptyArray);
    return false;
  });
  return extreme;
}

/** An empty array sorts before every value but MinKey. */
function compareParts(a: KeyPart, b: KeyPart): number {
  if (a !== emptyArray && b !== emptyArray) return compareValues(a, b);
  if (a === b) return 0;
  if (a === emptyArray) return b instanceof MinKey ? 1 : -1;
  return a instanceof MinKey ? -1 : 1;
}
