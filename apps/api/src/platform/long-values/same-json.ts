import { isDeepStrictEqual } from 'node:util';

/**
 * Whether two values are the same JSON: their types, numbers, texts and lists are equal, and objects have the same members
 * in any order. A missing value equals only a missing one.
 *
 * @example
 * isSameJson({ a: 1, b: [2] }, { b: [2], a: 1 }); // true
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(withoutSign(one), withoutSign(other));
}

/** JSON has one zero. */
const withoutSign = (value: unknown): unknown => (Object.is(value, -0) ? 0 : value);
