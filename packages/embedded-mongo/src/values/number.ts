import { Decimal128, Double } from 'bson';
import { compareExact, exactDecimal, exactDouble, type ExactDecimal } from './decimal.ts';
import type { BsonNumber } from './value.ts';

const minInt = -(2 ** 31);
const maxInt = 2 ** 31 - 1;

/** The JavaScript number nearest to a BSON number. */
export function toNumber(value: BsonNumber): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Double ? value.value : Number(value.toString());
}

/** The narrowest of int32, int64 and double that holds a JavaScript number. */
export function fromNumber(value: number): BsonNumber {
  if (Number.isInteger(value) && value >= minInt && value <= maxInt && !Object.is(value, -0)) return value;
  return Number.isSafeInteger(value) ? BigInt(value) : new Double(value);
}

export const isInteger = (value: BsonNumber): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

/** Orders numbers of all types by their exact value; NaN comes before all others. */
export function compareNumbers(a: BsonNumber, b: BsonNumber): number {
  if (a instanceof Decimal128 || b instanceof Decimal128) return compareWithDecimal(a, b);
  const x = a instanceof Double ? a.value : a;
  const y = b instanceof Double ? b.value : b;
  if (x < y) return -1;
  if (x > y) return 1;
  if (x == y) return 0;
  return Number(Number.isNaN(y)) - Number(Number.isNaN(x));
}

function compareWithDecimal(a: BsonNumber, b: BsonNumber): number {
  const x = exactValue(a);
  const y = exactValue(b);
  if (x && y) return orderOfMagnitude(x) === orderOfMagnitude(y) ? compareExact(x, y) : compareBySize(x, y);
  return compareNumbers(new Double(x ? 0 : toNumber(a)), new Double(y ? 0 : toNumber(b)));
}

/** Sign and number of digits. Comparing them first keeps 1E6000 and 1E-6000 from becoming a number of 12,000 digits. */
function orderOfMagnitude({ coefficient, exponent }: ExactDecimal): number {
  if (coefficient === 0n) return 0;
  const digits = coefficient.toString().length - (coefficient < 0n ? 1 : 0) + exponent + 10_000;
  return coefficient < 0n ? -digits : digits;
}

const compareBySize = (x: ExactDecimal, y: ExactDecimal): number =>
  Math.sign(orderOfMagnitude(x) - orderOfMagnitude(y));

/** The exact value, or undefined for NaN and the infinities. */
function exactValue(value: BsonNumber): ExactDecimal | undefined {
  if (value instanceof Decimal128) return exactDecimal(value);
  if (isInteger(value)) return { coefficient: BigInt(value), exponent: 0 };
  return Number.isFinite(value.value) ? exactDouble(value.value) : undefined;
}

/**
 * The exact value of a number. A double counts by its shortest decimal form, as when MongoDB converts it to a decimal:
 * 0.1 stays 0.1. Undefined for NaN and the infinities.
 */
export function toExactDecimal(value: BsonNumber): ExactDecimal | undefined {
  if (value instanceof Double) {
    return Number.isFinite(value.value) ? exactDecimal(Decimal128.fromString(String(value.value))) : undefined;
  }
  return exactValue(value);
}

/** An int32 if the value fits, otherwise an int64. */
export function fromBigInt(value: bigint): number | bigint {
  return value >= BigInt(minInt) && value <= BigInt(maxInt) ? Number(value) : value;
}
