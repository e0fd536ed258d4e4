import { BSONRegExp, ObjectId } from 'bson';
import { sortKey, stringPrefixKey, valueKey } from '../bson/sort-key.ts';
import { TypeOrder, typeOrder, type BsonValue } from '../values/value.ts';
import type { FieldBounds } from './field-bounds.ts';

/** The keys from `low` to `high`, both included. */
export interface KeyRange {
  low: Buffer;
  high: Buffer;
}

export interface FieldRanges {
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
  const directed = direction > 0 ? ranges : ranges.toReversed().map(invertedRange);
  return {
    ranges: directed.map(({ low, high, isLowOpen, isHighOpen }) => ({
      low: isLowOpen ? Buffer.concat([low, prefixEnd]) : low,
      high: isHighOpen ? beforeKey(high) : Buffer.concat([high, prefixEnd]),
    })),
    arePoints: false,
  };
}

/** A range that does not have the keys that start with an open end. */
interface OpenRange extends KeyRange {
  isLowOpen?: boolean;
  isHighOpen?: boolean;
}

const invertedRange = ({ low, high, isLowOpen = false, isHighOpen = false }: OpenRange): OpenRange => ({
  low: inverted(high),
  high: inverted(low),
  isLowOpen: isHighOpen,
  isHighOpen: isLowOpen,
});

/** Sorts after every lower key, and before this key and every longer one that starts with it. */
function beforeKey(key: Buffer): Buffer {
  const start = key.subarray(0, -1);
  const last = key.at(-1)!;
  return last === 0 ? start : Buffer.concat([start, Buffer.from([last - 1]), prefixEnd]);
}

function rangesOf(bounds: FieldBounds, isMultikey: boolean): OpenRange[] | undefined {
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
function comparisonRange({ low, high }: FieldBounds, isMultikey: boolean): OpenRange | undefined {
  const bound = low ?? high;
  if (bound === undefined) return undefined;
  const order = typeOrder(bound.value);
  const hasTwoTypes = low !== undefined && high !== undefined && typeOrder(low.value) !== typeOrder(high.value);
  if (order === TypeOrder.minKey || order === TypeOrder.maxKey || hasTwoTypes) return undefined;
  const upper = isMultikey && low !== undefined ? undefined : high;
  return {
    low: keyOr(low?.value, order),
    high: keyOr(upper?.value, order + 1),
    isLowOpen: low !== undefined && low.isOpen && hasOneKey(low.value),
    isHighOpen: upper !== undefined && upper.isOpen && hasOneKey(upper.value),
  };
}

/** Whether equal values have the same key, and no other value has it. */
const hasOneKey = (value: BsonValue): boolean =>
  typeof value === 'string' || typeof value === 'number' || value instanceof Date || value instanceof ObjectId;

const keyOr = (value: BsonValue | undefined, order: number): Buffer =>
  value === undefined ? Buffer.from([order]) : valueKey(value);

const inverted = (key: Buffer): Buffer => Buffer.from(key.map((byte) => byte ^ 0xff));
