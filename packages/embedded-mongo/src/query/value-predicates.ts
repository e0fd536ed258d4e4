import { Binary, ObjectId } from 'bson';
import { badValue } from '../errors/mongo-error.ts';
import { compareValues } from '../values/compare.ts';
import { compareNumbers, isInteger, toNumber } from '../values/number.ts';
import { show } from '../values/show.ts';
import { bsonType, BsonType, isNumber, TypeOrder, typeOrder, type BsonValue } from '../values/value.ts';
import type { ValuePredicate } from './predicate.ts';

type Comparison = '$gt' | '$gte' | '$lt' | '$lte';

const satisfies: Record<Comparison, (order: number) => boolean> = {
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
};

export function equalTo(wanted: BsonValue): ValuePredicate {
  if (wanted === null) return (value) => value === undefined || value === null;
  if (typeof wanted === 'string' || typeof wanted === 'boolean') return (value) => value === wanted;
  if (wanted instanceof ObjectId) return (value) => value instanceof ObjectId && value.equals(wanted);
  return (value) => value !== undefined && compareValues(value, wanted) === 0;
}

/** Compares values of the bound's type; other values do not match. NaN equals only NaN. */
export function comparedTo(operator: Comparison, bound: BsonValue): ValuePredicate {
  const holds = satisfies[operator];
  const order = typeOrder(bound);
  if (order === TypeOrder.null) return operator === '$gte' || operator === '$lte' ? equalTo(null) : () => false;
  if (order === TypeOrder.minKey || order === TypeOrder.maxKey) return (value) => holds(compareValues(value, bound));
  if (isNumber(bound)) {
    const boundIsNaN = Number.isNaN(toNumber(bound));
    return (value) =>
      isNumber(value) && Number.isNaN(toNumber(value)) === boundIsNaN && holds(compareNumbers(value, bound));
  }
  return (value) => value !== undefined && typeOrder(value) === order && holds(compareValues(value, bound));
}

const typeAliases: Record<string, number> = BsonType;

/** The type numbers of an argument of `$type`. The name `number` stands for four of them. */
export function typesNamed(argument: BsonValue): Set<number> {
  const types = new Set<number>();
  for (const name of Array.isArray(argument) ? argument : [argument]) {
    if (name === 'number')
      [BsonType.double, BsonType.int, BsonType.long, BsonType.decimal].forEach((n) => types.add(n));
    else if (typeof name === 'string' && Object.hasOwn(typeAliases, name)) types.add(typeAliases[name]!);
    else if (isNumber(name)) types.add(typeNumber(toNumber(name)));
    else throw badValue(`Unknown type name alias: ${show(name)}`);
  }
  if (types.size === 0) throw badValue('$type must match at least one type');
  return types;
}

function typeNumber(number: number): number {
  if (number === -1) return BsonType.minKey;
  if (Object.values(typeAliases).includes(number) && number !== BsonType.minKey) return number;
  throw badValue(`Invalid numerical type code: ${number}`);
}

export const ofTypes =
  (types: ReadonlySet<number>): ValuePredicate =>
  (value) =>
    value !== undefined && types.has(bsonType(value));

export function remainderOf(argument: BsonValue): ValuePredicate {
  if (!Array.isArray(argument) || argument.length !== 2) {
    const tooFew = !Array.isArray(argument) || argument.length < 2;
    throw badValue(tooFew ? 'malformed mod, not enough elements' : 'malformed mod, too many elements');
  }
  const divisor = wholePart(argument[0], 'divisor');
  const remainder = wholePart(argument[1], 'remainder');
  if (divisor === 0n) throw badValue('divisor cannot be 0');
  return (value) => isNumber(value) && Number.isFinite(toNumber(value)) && truncated(value) % divisor === remainder;
}

function wholePart(value: BsonValue | undefined, what: string): bigint {
  if (!isNumber(value)) throw badValue(`malformed mod, ${what} not a number`);
  if (!Number.isFinite(toNumber(value))) throw badValue(`malformed mod, ${what} value is invalid`);
  return truncated(value);
}

const truncated = (value: Parameters<typeof toNumber>[0]): bigint =>
  isInteger(value) ? BigInt(value) : BigInt(Math.trunc(toNumber(value)));

type BitTest = '$bitsAllSet' | '$bitsAllClear' | '$bitsAnySet' | '$bitsAnyClear';

export function bitsOf(test: BitTest, argument: BsonValue): ValuePredicate {
  const mask = bitMask(argument);
  return (value) => {
    const bits = bitsIn(value);
    if (bits === undefined) return false;
    const common = bits & mask;
    if (test === '$bitsAllSet') return common === mask;
    if (test === '$bitsAllClear') return common === 0n;
    return test === '$bitsAnySet' ? common !== 0n : common !== mask;
  };
}

function bitMask(argument: BsonValue): bigint {
  if (Array.isArray(argument)) return argument.reduce<bigint>((mask, position) => mask | bitAt(position), 0n);
  const bits = bitsIn(argument);
  if (bits === undefined || (isNumber(argument) && toNumber(argument) < 0)) {
    throw badValue('bit tests take a non-negative integer, binary data or an array of bit positions');
  }
  return bits;
}

function bitAt(position: BsonValue): bigint {
  const number = isNumber(position) ? toNumber(position) : Number.NaN;
  if (!Number.isInteger(number) || number < 0 || number > 1_000_000) {
    throw badValue('bit positions must be non-negative integers');
  }
  return 1n << BigInt(number);
}

/** The bits of binary data or of an integer. A negative integer extends its sign beyond 64 bits, as in MongoDB. */
function bitsIn(value: BsonValue | undefined): bigint | undefined {
  if (value instanceof Binary) {
    const bytes = Buffer.from(value.buffer.subarray(0, value.position)).reverse();
    return bytes.length > 0 ? BigInt(`0x${bytes.toString('hex')}`) : 0n;
  }
  if (!isNumber(value)) return undefined;
  const number = toNumber(value);
  return Number.isInteger(number) ? truncated(value) : undefined;
}
