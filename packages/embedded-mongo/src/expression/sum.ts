import { Decimal128, Double } from 'bson';
import { divideExact, toDecimal128 } from '../bson/decimal.ts';
import { asDecimal, combine, toNumber } from '../bson/number.ts';
import { isNumber, type BsonNumber, type BsonValue } from '../bson/value.ts';

/** The exact sum, in the widest type of its numbers. Other values are ignored. */
export function sumOf(values: Iterable<BsonValue | undefined>): BsonNumber {
  let sum: BsonNumber = 0;
  for (const value of values) if (isNumber(value)) sum = combine('add', sum, value);
  return sum;
}

export function average(sum: BsonNumber, count: number): BsonValue {
  if (count === 0) return null;
  if (!(sum instanceof Decimal128)) return new Double(toNumber(sum) / count);
  const exact = asDecimal(sum);
  return exact ? toDecimal128(divideExact(exact, { coefficient: BigInt(count), exponent: 0 })) : sum;
}
