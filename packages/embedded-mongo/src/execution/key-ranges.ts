import { sortKey, stringPrefixKey, valueKey } from '../bson/sort-key.ts';
import { TypeOrder, typeOrder, type BsonValue } from '../values/value.ts';
import type { FieldBounds } from './field-bounds.ts';

/** Keys from `low` to `high`, inclusive. */
export interface KeyRange {
  low: Buffer;
  high: Buffer;
}

interface FieldRanges {
  ranges: KeyRange[];
  /** True when each range is a single value, so that the next field of the index can narrow it. */
  points: boolean;
}

/** Sorts after every key that starts with the same bytes. */
export const afterAll = Buffer.from([0xff]);

/** The ranges of one field's part of an index key; undefined when no bound is usable by an index. */
export function fieldRanges(bounds: FieldBounds, direction: 1 | -1, multikey: boolean): FieldRanges | undefined {
  if (bounds.equals) {
    const keys = new Map(
      bounds.equals.map((value) => {
        const key = sortKey([value], [direction]);
        return [key.toString('latin1'), key];
      }),
    );
    const ranges = [...keys.values()].sort((a, b) => a.compare(b)).map((key) => ({ low: key, high: key }));
    return { ranges, points: true };
  }
  const range =
    bounds.prefix !== undefined
      ? prefixRange(bounds.prefix)
      : (comparisonRange(bounds, multikey) ?? (bounds.contains === undefined ? undefined : prefixRange('')));
  if (!range) return undefined;
  const directed = direction > 0 ? range : { low: inverted(range.high), high: inverted(range.low) };
  return { ranges: [{ low: directed.low, high: Buffer.concat([directed.high, afterAll]) }], points: false };
}

function prefixRange(prefix: string): KeyRange {
  const low = stringPrefixKey(prefix);
  return { low, high: Buffer.concat([low, afterAll]) };
}

/**
 * In a multikey index, one element can satisfy the lower bound and another the upper, so only one of the two narrows. A
 * comparison is limited to the type of its bound.
 */
function comparisonRange({ low, high }: FieldBounds, multikey: boolean): KeyRange | undefined {
  const bound = low ?? high;
  if (bound === undefined) return undefined;
  const order = typeOrder(bound);
  const differs = low !== undefined && high !== undefined && typeOrder(low) !== typeOrder(high);
  if (order === TypeOrder.minKey || order === TypeOrder.maxKey || differs) return undefined;
  const upper = multikey && low !== undefined ? undefined : high;
  return { low: keyOr(low, order), high: keyOr(upper, order + 1) };
}

const keyOr = (value: BsonValue | undefined, order: number): Buffer =>
  value === undefined ? Buffer.from([order]) : valueKey(value);

const inverted = (key: Buffer): Buffer => Buffer.from(key.map((byte) => byte ^ 0xff));
