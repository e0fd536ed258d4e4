import { valueKey } from '../bson/sort-key.ts';
import { failedToParse, locationError } from '../errors/mongo-error.ts';
import { equalValues } from '../values/compare.ts';
import { fromNumber, toNumber } from '../values/number.ts';
import { show } from '../values/show.ts';
import { isNumber, isTruthy, typeName, type BsonDocument, type BsonValue } from '../values/value.ts';
import { binary, isNullish, namedArguments, onArguments, unary, type Compile, type OperatorTable } from './operator.ts';
import { withVariables, type Evaluate, type MaybeValue } from './scope.ts';

/** Throws Location17124 unless the value is an array. */
export function arrayOf(value: MaybeValue, name: string): BsonValue[] {
  if (Array.isArray(value)) return value;
  throw locationError(17124, `The argument to ${name} must be an array, but was of type: ${typeName(value)}`);
}

/** Throws Location28690 unless the value is a safe integer. */
export function integerOf(value: MaybeValue, name: string): number {
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw locationError(28690, `${name} requires an integer, found ${typeName(value)}`);
}

function elementAt(array: MaybeValue, index: MaybeValue, name: string): MaybeValue {
  if (isNullish(array) || isNullish(index)) return null;
  return arrayOf(array, name).at(integerOf(index, name));
}

const atEnd = (index: 0 | -1) => unary((array, name) => (isNullish(array) ? null : arrayOf(array, name).at(index)));

function slice([array, first, count]: MaybeValue[], name: string): BsonValue {
  if (isNullish(array) || isNullish(first) || count === null) return null;
  const values = arrayOf(array, name);
  const start = integerOf(first, name);
  if (count === undefined) return start >= 0 ? values.slice(0, start) : values.slice(start);
  const length = integerOf(count, name);
  if (length <= 0) throw locationError(28729, `Third argument to $slice must be positive: ${length}`);
  const from = start < 0 ? Math.max(0, values.length + start) : start;
  return values.slice(from, from + length);
}

function range([start, end, step = 1]: MaybeValue[], name: string): BsonValue {
  const [from, to, by] = [start, end, step].map((value) => integerOf(value, name)) as [number, number, number];
  if (by === 0) throw locationError(34449, '$range requires a non-zero step value');
  const length = Math.max(0, Math.ceil((to - from) / by));
  if (length > 1_000_000) throw locationError(34445, '$range would make more than a million elements');
  return Array.from({ length }, (_, index) => fromNumber(from + index * by));
}

function indexOf([array, wanted]: MaybeValue[], name: string): BsonValue {
  return isNullish(array) ? null : arrayOf(array, name).findIndex((element) => equalValues(element, wanted));
}

function variableName(options: BsonDocument): string {
  const name = options.get('as') ?? 'this';
  if (typeof name === 'string' && /^[a-z\u0080-\uffff]\w*$/.test(name)) return name;
  throw failedToParse(`${show(name)} starts with an invalid character for a user variable name`);
}

function filter(argument: BsonValue, compile: Compile, name: string): Evaluate {
  const options = namedArguments(argument, name, ['input', 'cond'], ['as', 'limit']);
  const variable = variableName(options);
  const input = compile(options.get('input')!);
  const condition = compile(options.get('cond')!, [variable]);
  const limit = compile(options.get('limit') ?? null);
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    const kept = arrayOf(array, name).filter((element) =>
      isTruthy(condition(withVariables(scope, [[variable, element]]))),
    );
    const max = limit(scope);
    return isNullish(max) ? kept : kept.slice(0, integerOf(max, name));
  };
}

function map(argument: BsonValue, compile: Compile, name: string): Evaluate {
  const options = namedArguments(argument, name, ['input', 'in'], ['as']);
  const variable = variableName(options);
  const input = compile(options.get('input')!);
  const body = compile(options.get('in')!, [variable]);
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    return arrayOf(array, name).map((element) => body(withVariables(scope, [[variable, element]])) ?? null);
  };
}

function reduce(argument: BsonValue, compile: Compile, name: string): Evaluate {
  const options = namedArguments(argument, name, ['input', 'initialValue', 'in']);
  const input = compile(options.get('input')!);
  const initial = compile(options.get('initialValue')!);
  const body = compile(options.get('in')!, ['value', 'this']);
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    return arrayOf(array, name).reduce<MaybeValue>(
      (value, element) =>
        body(
          withVariables(scope, [
            ['value', value],
            ['this', element],
          ]),
        ),
      initial(scope),
    );
  };
}

const keysOf = (array: MaybeValue, name: string): Map<string, BsonValue> =>
  new Map(arrayOf(array, name).map((element) => [valueKey(element).toString('latin1'), element]));

const union = (values: MaybeValue[], name: string): BsonValue =>
  values.some(isNullish) ? null : [...new Map(values.flatMap((array) => [...keysOf(array, name)])).values()];

function intersection([first, ...others]: MaybeValue[], name: string): BsonValue {
  if (isNullish(first) || others.some(isNullish)) return null;
  const sets = others.map((array) => keysOf(array, name));
  return [...keysOf(first, name)].filter(([key]) => sets.every((set) => set.has(key))).map(([, element]) => element);
}

function difference(a: MaybeValue, b: MaybeValue, name: string): BsonValue {
  if (isNullish(a) || isNullish(b)) return null;
  const removed = keysOf(b, name);
  return [...keysOf(a, name)].filter(([key]) => !removed.has(key)).map(([, element]) => element);
}

const isSubset = (a: MaybeValue, b: MaybeValue, name: string): boolean => {
  const whole = keysOf(b, name);
  return [...keysOf(a, name).keys()].every((key) => whole.has(key));
};

export const arrayOperators: OperatorTable = [
  ['$allElementsTrue', unary((array, name) => arrayOf(array, name).every(isTruthy))],
  ['$anyElementTrue', unary((array, name) => arrayOf(array, name).some(isTruthy))],
  ['$arrayElemAt', binary(elementAt)],
  [
    '$concatArrays',
    onArguments(0, Infinity, (values, name) =>
      values.some(isNullish) ? null : values.flatMap((value) => arrayOf(value, name)),
    ),
  ],
  ['$filter', filter],
  ['$first', atEnd(0)],
  ['$in', binary((wanted, array, name) => arrayOf(array, name).some((element) => equalValues(element, wanted)))],
  ['$indexOfArray', onArguments(2, 2, indexOf)],
  ['$isArray', unary((value) => Array.isArray(value))],
  ['$last', atEnd(-1)],
  ['$map', map],
  ['$range', onArguments(2, 3, range)],
  ['$reduce', reduce],
  ['$reverseArray', unary((array, name) => (isNullish(array) ? null : arrayOf(array, name).toReversed()))],
  ['$setDifference', binary(difference)],
  ['$setEquals', binary((a, b, name) => isSubset(a, b, name) && isSubset(b, a, name))],
  ['$setIntersection', onArguments(1, Infinity, intersection)],
  ['$setIsSubset', binary(isSubset)],
  ['$setUnion', onArguments(0, Infinity, union)],
  ['$size', unary((array, name) => arrayOf(array, name).length)],
  ['$slice', onArguments(2, 3, slice)],
];
