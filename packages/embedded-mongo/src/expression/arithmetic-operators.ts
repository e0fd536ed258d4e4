import { Decimal128, Double } from 'bson';
import { badValue, locationError, typeMismatch } from '../errors/mongo-error.ts';
import { compareValues } from '../values/compare.ts';
import { divideExact, roundExact, toDecimal128 } from '../values/decimal.ts';
import { fromBigInt, isInteger, toExactDecimal, toNumber } from '../values/number.ts';
import { isNumber, typeName, type BsonNumber, type BsonValue } from '../values/value.ts';
import { average, combine, sumOf } from './combine-numbers.ts';
import { binary, isNullish, onArguments, unary, type OperatorCompiler, type OperatorTable } from './operator.ts';
import type { MaybeValue } from './scope.ts';

function numberOf(value: MaybeValue, name: string): BsonNumber {
  if (isNumber(value)) return value;
  throw typeMismatch(`${name} only supports numeric types, not ${typeName(value)}`);
}

const negative = (value: BsonNumber): BsonNumber => combine('multiply', value, -1);

function add(values: MaybeValue[], name: string): BsonValue {
  if (values.some(isNullish)) return null;
  const dates = values.filter((value) => value instanceof Date);
  if (dates.length > 1) throw locationError(16612, 'only one date allowed in an $add expression');
  const sum = values
    .filter((value) => !(value instanceof Date))
    .reduce<BsonNumber>((total, value) => combine('add', total, numberOf(value, name)), 0);
  return dates[0] ? new Date(dates[0].getTime() + Math.round(toNumber(sum))) : sum;
}

function subtract(a: MaybeValue, b: MaybeValue, name: string): BsonValue {
  if (isNullish(a) || isNullish(b)) return null;
  if (a instanceof Date) {
    if (b instanceof Date) return BigInt(a.getTime() - b.getTime());
    return new Date(a.getTime() - Math.round(toNumber(numberOf(b, name))));
  }
  return combine('add', numberOf(a, name), negative(numberOf(b, name)));
}

function divide(a: MaybeValue, b: MaybeValue, name: string): BsonValue {
  if (isNullish(a) || isNullish(b)) return null;
  const dividend = numberOf(a, name);
  const divisor = numberOf(b, name);
  if (toNumber(divisor) === 0) throw badValue("can't $divide by zero");
  if (!(a instanceof Decimal128 || b instanceof Decimal128)) return new Double(toNumber(dividend) / toNumber(divisor));
  const x = toExactDecimal(dividend);
  const y = toExactDecimal(divisor);
  return x && y ? toDecimal128(divideExact(x, y)) : Decimal128.fromString('NaN');
}

function modulo(a: MaybeValue, b: MaybeValue, name: string): BsonValue {
  if (isNullish(a) || isNullish(b)) return null;
  const dividend = numberOf(a, name);
  const divisor = numberOf(b, name);
  if (toNumber(divisor) === 0) throw locationError(16610, "can't $mod by zero");
  if (isInteger(dividend) && isInteger(divisor)) {
    const result = BigInt(dividend) % BigInt(divisor);
    return typeof dividend === 'bigint' || typeof divisor === 'bigint' ? result : fromBigInt(result);
  }
  if (a instanceof Decimal128 || b instanceof Decimal128) throw notOnDecimals(name);
  return new Double(toNumber(dividend) % toNumber(divisor));
}

const notOnDecimals = (name: string) => badValue(`${name} of a decimal is not supported by this server`);

/** A function of doubles. The result of an integer is a double, too. */
const onDouble = (apply: (value: number) => number): OperatorCompiler =>
  unary((value, name) => {
    if (isNullish(value)) return null;
    if (value instanceof Decimal128) throw notOnDecimals(name);
    return new Double(apply(toNumber(numberOf(value, name))));
  });

/** A whole number in the type of the argument. */
const rounding = (direction: 'floor' | 'ceil'): OperatorCompiler =>
  unary((value, name) => {
    if (isNullish(value)) return null;
    const number = numberOf(value, name);
    if (isInteger(number)) return number;
    if (number instanceof Double) return new Double(Math[direction](number.value));
    const exact = toExactDecimal(number);
    return exact ? toDecimal128(roundExact(exact, 0, direction)) : number;
  });

const toPlaces = (mode: 'halfEven' | 'truncate'): OperatorCompiler =>
  onArguments(1, 2, ([value, place = 0], name) => {
    if (isNullish(value) || place === null) return null;
    const number = numberOf(value, name);
    const places = toNumber(numberOf(place, name));
    if (!Number.isInteger(places) || places < -20 || places > 100) {
      throw locationError(51083, `cannot apply ${name} with precision value ${places}; value must be in [-20, 100]`);
    }
    const exact = toExactDecimal(number);
    if (!exact || (isInteger(number) && places >= 0)) return number;
    const rounded = toDecimal128(roundExact(exact, places, mode));
    if (number instanceof Decimal128) return rounded;
    const result = Number(rounded.toString());
    if (number instanceof Double) return new Double(result);
    return typeof number === 'bigint' ? BigInt(result) : fromBigInt(BigInt(result));
  });

function absolute(value: MaybeValue, name: string): BsonValue {
  if (isNullish(value)) return null;
  const number = numberOf(value, name);
  return toNumber(number) < 0 ? negative(number) : number;
}

/** An operator on all its arguments, or on the elements of its only argument if that is an array. */
const overValues = (apply: (values: MaybeValue[]) => BsonValue): OperatorCompiler =>
  onArguments(0, Infinity, (values) => apply(values.length === 1 && Array.isArray(values[0]) ? values[0] : values));

function extreme(values: MaybeValue[], sign: 1 | -1): BsonValue {
  const present = values.filter((value) => !isNullish(value));
  return (
    present.reduce<MaybeValue>(
      (best, value) => (best === undefined || compareValues(value, best) * sign > 0 ? value : best),
      undefined,
    ) ?? null
  );
}

export const arithmeticOperators: OperatorTable = [
  ['$abs', unary(absolute)],
  ['$add', onArguments(0, Infinity, add)],
  ['$avg', overValues((values) => average(sumOf(values), values.filter(isNumber).length))],
  ['$ceil', rounding('ceil')],
  ['$divide', binary(divide)],
  ['$exp', onDouble(Math.exp)],
  ['$floor', rounding('floor')],
  ['$ln', onDouble(Math.log)],
  ['$log10', onDouble(Math.log10)],
  ['$max', overValues((values) => extreme(values, 1))],
  ['$min', overValues((values) => extreme(values, -1))],
  ['$mod', binary(modulo)],
  [
    '$multiply',
    onArguments(0, Infinity, (values, name) =>
      values.some(isNullish)
        ? null
        : values.reduce<BsonNumber>((product, value) => combine('multiply', product, numberOf(value, name)), 1),
    ),
  ],
  ['$rand', () => () => new Double(Math.random())],
  ['$round', toPlaces('halfEven')],
  ['$sqrt', onDouble(Math.sqrt)],
  ['$subtract', binary(subtract)],
  ['$sum', overValues(sumOf)],
  ['$trunc', toPlaces('truncate')],
];
