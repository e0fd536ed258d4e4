import { toNumber } from '../bson/number.ts';
import { isNumber, type BsonValue } from '../bson/value.ts';
import { locationError } from '../errors.ts';

export interface Slice {
  skip: number;
  /** Undefined: all elements that follow. */
  limit: number | undefined;
}

/** The argument of a find projection's `$slice`; undefined when it is the aggregation's `$slice` of an array expression. */
export function parseSlice(argument: BsonValue): Slice | undefined {
  if (isNumber(argument)) {
    const count = Math.trunc(toNumber(argument));
    return count >= 0 ? { skip: 0, limit: count } : { skip: count, limit: undefined };
  }
  if (!Array.isArray(argument) || !argument.every(isNumber)) return undefined;
  const [skip, limit] = argument.map((part) => Math.trunc(toNumber(part)));
  if (argument.length !== 2 || !(limit! > 0)) {
    throw locationError(28724, '$slice takes [skip, limit] with a positive limit');
  }
  return { skip: skip!, limit: limit! };
}

export function sliceArray(values: BsonValue[], { skip, limit }: Slice): BsonValue[] {
  const start = skip < 0 ? Math.max(0, values.length + skip) : skip;
  return values.slice(start, limit === undefined ? undefined : start + limit);
}
