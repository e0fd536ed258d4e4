import { Decimal128, Double, ObjectId } from 'bson';
import { MongoError } from '../errors/mongo-error.ts';
import { roundExact, toDecimal128 } from '../values/decimal.ts';
import { toExactDecimal, toNumber } from '../values/number.ts';
import { show } from '../values/show.ts';
import { isNumber, isTruthy, typeName, type BsonValue } from '../values/value.ts';
import { isNullish, namedArguments, unary, type Compile, type OperatorTable } from './operator.ts';
import type { Evaluate, MaybeValue } from './scope.ts';

type Conversion = (value: BsonValue) => MaybeValue;

const failed = (value: BsonValue, target: string): MongoError =>
  new MongoError(
    241,
    'ConversionFailure',
    `Failed to convert a value of type ${typeName(value)} to ${target} in $convert with no onError value`,
  );

/** The integer that a number, text or boolean represents, or undefined. */
function wholeOf(value: BsonValue): bigint | undefined {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'string') return /^[+-]?\d+$/.test(value) ? BigInt(value) : undefined;
  if (value instanceof Date) return BigInt(value.getTime());
  if (!isNumber(value)) return undefined;
  const exact = toExactDecimal(value);
  if (!exact) return undefined;
  const { coefficient, exponent } = roundExact(exact, 0, 'truncate');
  return coefficient * 10n ** BigInt(Math.max(0, exponent));
}

const toInt: Conversion = (value) => {
  const whole = value instanceof Date ? undefined : wholeOf(value);
  return whole !== undefined && BigInt.asIntN(32, whole) === whole ? Number(whole) : undefined;
};

const toLong: Conversion = (value) => {
  const whole = wholeOf(value);
  return whole !== undefined && BigInt.asIntN(64, whole) === whole ? whole : undefined;
};

const numeric = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

const toDouble: Conversion = (value) => {
  if (isNumber(value)) return new Double(toNumber(value));
  if (typeof value === 'string') return numeric.test(value) ? new Double(Number(value)) : undefined;
  const whole = wholeOf(value);
  return whole === undefined ? undefined : new Double(Number(whole));
};

const toDecimal: Conversion = (value) => {
  if (value instanceof Decimal128) return value;
  if (typeof value === 'string') return numeric.test(value) ? Decimal128.fromString(value) : undefined;
  if (isNumber(value)) {
    const exact = toExactDecimal(value);
    return exact ? toDecimal128(exact) : Decimal128.fromString(String(toNumber(value)));
  }
  const whole = wholeOf(value);
  return whole === undefined ? undefined : Decimal128.fromString(String(whole));
};

const toText: Conversion = (value) => {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Double) return String(value.value);
  return typeof value === 'boolean' || isNumber(value) ? value.toString() : undefined;
};

const toDate: Conversion = (value) => {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  const time =
    typeof value === 'string'
      ? Date.parse(value)
      : isNumber(value) && typeof value !== 'number'
        ? toNumber(value)
        : Number.NaN;
  return Number.isNaN(time) || Math.abs(time) > 8.64e15 ? undefined : new Date(time);
};

const toObjectId: Conversion = (value) => {
  if (value instanceof ObjectId) return value;
  return typeof value === 'string' && /^[0-9a-fA-F]{24}$/.test(value) ? new ObjectId(value) : undefined;
};

const conversions: Record<string, Conversion> = {
  int: toInt,
  long: toLong,
  double: toDouble,
  decimal: toDecimal,
  string: toText,
  date: toDate,
  objectId: toObjectId,
  bool: isTruthy,
};

const converting = (target: string) =>
  unary((value) => {
    if (isNullish(value)) return null;
    const converted = conversions[target]!(value);
    if (converted === undefined) throw failed(value, target);
    return converted;
  });

function convert(argument: BsonValue, compile: Compile, name: string): Evaluate {
  const options = namedArguments(argument, name, ['input', 'to'], ['onError', 'onNull']);
  const input = compile(options.get('input')!);
  const onNull = compile(options.get('onNull') ?? null);
  const onError = options.has('onError') ? compile(options.get('onError')!) : undefined;
  const target = options.get('to');
  const conversion = typeof target === 'string' && Object.hasOwn(conversions, target) ? conversions[target] : undefined;
  if (!conversion) throw new MongoError(2, 'BadValue', `Unknown type name: ${show(target)}`);
  return (scope) => {
    const value = input(scope);
    if (isNullish(value)) return onNull(scope);
    const converted = conversion(value);
    if (converted !== undefined) return converted;
    if (!onError) throw failed(value, show(target));
    return onError(scope);
  };
}

export const typeOperators: OperatorTable = [
  ['$convert', convert],
  ['$isNumber', unary((value) => isNumber(value))],
  ['$toBool', converting('bool')],
  ['$toDate', converting('date')],
  ['$toDecimal', converting('decimal')],
  ['$toDouble', converting('double')],
  ['$toInt', converting('int')],
  ['$toLong', converting('long')],
  ['$toObjectId', converting('objectId')],
  ['$toString', converting('string')],
  ['$type', unary((value) => typeName(value))],
];
