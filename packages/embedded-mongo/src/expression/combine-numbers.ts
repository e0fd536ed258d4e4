import { Decimal128, Double } from 'bson';
import { badValue } from '../errors/mongo-error.ts';
import { addExact, divideExact, multiplyExact, toDecimal128 } from '../values/decimal.ts';
import { fromBigInt, toExactDecimal, toNumber } from '../values/number.ts';
import { isNumber, type BsonNumber, type BsonValue } from '../values/value.ts';

const minLong = -(2n ** 63n);
const maxLong = 2n ** 63n - 1n;

/**
 * The sum or product, in the wider of the two types. An int32 widens to int64. Throws BadValue when int64 overflows.
 */
export function combine(operator: 'add' | 'multiply', a: BsonNumber, b: BsonNumber): BsonNumber {
  if (a instanceof Decimal128 || b instanceof Decimal128) {
    const x = toExactDecimal(a);
    const y = toExactDecimal(b);
    if (!x || !y) return Decimal128.fromString(infinityName(combineDoubles(operator, toNumber(a), toNumber(b))));
    return toDecimal128(operator === 'add' ? addExact(x, y) : multiplyExact(x, y));
  }
  if (a instanceof Double || b instanceof Double) return new Double(combineDoubles(operator, toNumber(a), toNumber(b)));
  const result = operator === 'add' ? BigInt(a) + BigInt(b) : BigInt(a) * BigInt(b);
  if (result < minLong || result > maxLong) throw badValue(`integer overflow in ${operator}`);
  return typeof a === 'bigint' || typeof b === 'bigint' ? result : fromBigInt(result);
}

const combineDoubles = (operator: 'add' | 'multiply', a: number, b: number): number =>
  operator === 'add' ? a + b : a * b;

const infinityName = (value: number): string =>
  Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : value < 0 ? '-Infinity' : 'NaN';

/** The exact sum, in the widest type of its numbers. Other values are ignored. */
export function sumOf(values: Iterable<BsonValue | undefined>): BsonNumber {
  let sum: BsonNumber = 0;
  for (const value of values) if (isNumber(value)) sum = combine('add', sum, value);
  return sum;
}

/** The average of numbers with this sum: a Decimal128 if the sum is one, otherwise a double; null for no numbers. */
export function average(sum: BsonNumber, count: number): BsonValue {
  if (count === 0) return null;
  if (!(sum instanceof Decimal128)) return new Double(toNumber(sum) / count);
  const exact = toExactDecimal(sum);
  return exact ? toDecimal128(divideExact(exact, { coefficient: BigInt(count), exponent: 0 })) : sum;
}
