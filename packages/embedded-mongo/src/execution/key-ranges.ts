import { BSONRegExp } from 'bson';
import { sortKey, stringPrefixKey, valueKey } from '../bson/sort-key.ts';
import { TypeOrder, typeOrder, type BsonValue } from '../values/value.ts';
import type { FieldBounds } from './field-bounds.ts';

/** The keys from `low` to `high`, both included. */
export interface KeyRange {
  low: Buffer;
  high: Buffer;
}

interface FieldRanges {
  /** In ascending order, without overlaps. */
  ranges: KeyRange[];
  /** True when each range is a single value: the next field of the index can then narrow it. */
  arePoints: boolean;
}

/** Appended to bytes, it sorts after every key that starts with these bytes. */
export const prefixEnd = Buffer.from([0xff]);

/** The ranges of one field in the keys of an index; undefined when no bound narrows them. */
export function fieldRanges(bounds: FieldBounds, direction: 1 | -1, isMultikey: boolean): FieldRanges | undefined {
  if (bounds.equals) {
    const keys = new Map(
      bounds.equals.map((value) => {
        const key = sortKey([value], [direction]);
        return [key.toString('latin1'), key];
      }),
    );
    const ranges = [...keys.values()].sort((a, b) => a.compare(b)).map((key) => ({ low: key, high: key }));
    return { ranges, arePoints: true };
  }
  const ranges = rangesOf(bounds, isMultikey);
  if (!ranges) return undefined;
  const directed =
    direction > 0 ? ranges : ranges.toReversed().map(({ low, high }) => ({ low: inverted(high), high: inverted(low) }));
  return {
    ranges: directed.map(({ low, high }) => ({ low, high: Buffer.concat([high, prefixEnd]) })),
    arePoints: false,
  };
}

function rangesOf(bounds: FieldBounds, isMultikey: boolean): KeyRange[] | undefined {
  const { prefix, contains } = bounds;
  if (prefix) return [prefixRange(prefix.text), patternPoint(prefix.pattern)];
  const compared = comparisonRange(bounds, isMultikey);
  if (compared) return [compared];
  return contains && [prefixRange(''), patternPoint(contains.pattern)];
}

/** The key of the pattern itself, which is behind all strings. */
function patternPoint(pattern: string): KeyRange {
  const key = valueKey(new BSONRegExp(pattern));
  return { low: key, high: key };
}

function prefixRange(prefix: string): KeyRange {
  const low = stringPrefixKey(prefix);
  return { low, high: Buffer.concat([low, prefixEnd]) };
}

/**
 * The range of a comparison, within the type of its bound. In a multikey index one element can satisfy the lower bound
 * and another the upper bound: then the range has only one of the two.
 */
function comparisonRange({ low, high }: FieldBounds, isMultikey: boolean): KeyRange | undefined {
  const bound = low ?? high;
  if (bound === undefined) return undefined;
  const order = typeOrder(bound);
  const hasTwoTypes = low !== undefined && high !== undefined && typeOrder(low) !== typeOrder(high);
  if (order === TypeOrder.minKey || order === TypeOrder.maxKey || hasTwoTypes) return undefined;
  const upper = isMultikey && low !== undefined ? undefined : high;
  return { low: keyOr(low, order), high: keyOr(upper, order + 1) };
}

const keyOr = (value: BsonValue | undefined, order: number): Buffer =>
  value === undefined ? Buffer.from([order]) : valueKey(value);

const inverted = (key: Buffer): Buffer => Buffer.from(key.map((byte) => byte ^ 0xff));
