import { ObjectId, Timestamp } from 'bson';
import { locationError, notImplemented } from '../errors/mongo-error.ts';
import { show } from '../values/show.ts';
import { typeName, type BsonValue } from '../values/value.ts';
import { isNullish, namedArguments, type Compile, type OperatorCompiler, type OperatorTable } from './operator.ts';
import type { Evaluate, MaybeValue } from './scope.ts';

const dayMs = 86_400_000;

function dateOf(value: MaybeValue, name: string): Date {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.getHighBitsUnsigned() * 1000);
  throw locationError(16006, `can't convert from BSON type ${typeName(value)} to Date in ${name}`);
}

const requireUtc = (zone: MaybeValue, name: string): void => {
  if (!isNullish(zone) && zone !== 'UTC' && zone !== 'GMT' && zone !== 'Z') {
    throw notImplemented(`${name} in another time zone than UTC is not supported by this server`);
  }
};

/** A part of a date, given as `$date` or as `{ date, timezone }`. */
const part =
  (take: (date: Date) => number): OperatorCompiler =>
  (argument, compile, name) => {
    const whole = argument instanceof Map && argument.has('date');
    const options = whole ? namedArguments(argument, name, ['date'], ['timezone']) : new Map([['date', argument]]);
    const single = options.get('date')!;
    const date = compile(Array.isArray(single) && single.length === 1 ? single[0]! : single);
    const zone = compile(options.get('timezone') ?? null);
    return (scope) => {
      const value = date(scope);
      requireUtc(zone(scope), name);
      return isNullish(value) ? null : take(dateOf(value, name));
    };
  };

const dayOfYear = (date: Date): number =>
  Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / dayMs) + 1;

const pad = (value: number, length = 2): string => String(value).padStart(length, '0');

const specifiers: Record<string, (date: Date) => string> = {
  '%': () => '%',
  Y: (date) => pad(date.getUTCFullYear(), 4),
  m: (date) => pad(date.getUTCMonth() + 1),
  d: (date) => pad(date.getUTCDate()),
  H: (date) => pad(date.getUTCHours()),
  M: (date) => pad(date.getUTCMinutes()),
  S: (date) => pad(date.getUTCSeconds()),
  L: (date) => pad(date.getUTCMilliseconds(), 3),
  j: (date) => pad(dayOfYear(date), 3),
  w: (date) => String(date.getUTCDay() + 1),
  z: () => '+0000',
  Z: () => '0',
};

function dateToString(argument: BsonValue, compile: Compile, name: string): Evaluate {
  const options = namedArguments(argument, name, ['date'], ['format', 'timezone', 'onNull']);
  const date = compile(options.get('date')!);
  const format = compile(options.get('format') ?? '%Y-%m-%dT%H:%M:%S.%LZ');
  const zone = compile(options.get('timezone') ?? null);
  const onNull = compile(options.get('onNull') ?? null);
  return (scope) => {
    const value = date(scope);
    if (isNullish(value)) return onNull(scope);
    requireUtc(zone(scope), name);
    const pattern = format(scope);
    if (typeof pattern !== 'string') throw locationError(18533, '$dateToString requires that format be a string');
    return pattern.replace(/%(.?)/g, (_, letter: string) => {
      const specifier = Object.hasOwn(specifiers, letter) ? specifiers[letter] : undefined;
      if (!specifier) throw locationError(18536, `Invalid format character '%${letter}' in format string`);
      return specifier(dateOf(value, name));
    });
  };
}

const units = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond'];

function dateTrunc(argument: BsonValue, compile: Compile, name: string): Evaluate {
  const options = namedArguments(argument, name, ['date', 'unit'], ['timezone']);
  const date = compile(options.get('date')!);
  const unit = compile(options.get('unit')!);
  const zone = compile(options.get('timezone') ?? null);
  return (scope) => {
    const value = date(scope);
    if (isNullish(value)) return null;
    requireUtc(zone(scope), name);
    const wanted = unit(scope);
    const kept = units.findIndex((candidate) => candidate === wanted) + 1;
    if (kept === 0) throw notImplemented(`$dateTrunc by ${show(wanted)} is not supported by this server`);
    const source = dateOf(value, name);
    const parts = [
      source.getUTCFullYear(),
      source.getUTCMonth(),
      source.getUTCDate(),
      source.getUTCHours(),
      source.getUTCMinutes(),
      source.getUTCSeconds(),
      source.getUTCMilliseconds(),
    ];
    const [year, month = 0, ...rest] = parts.slice(0, kept);
    return new Date(Date.UTC(year!, month, ...rest));
  };
}

export const dateOperators: OperatorTable = [
  ['$dateToString', dateToString],
  ['$dateTrunc', dateTrunc],
  ['$dayOfMonth', part((date) => date.getUTCDate())],
  ['$dayOfWeek', part((date) => date.getUTCDay() + 1)],
  ['$dayOfYear', part(dayOfYear)],
  ['$hour', part((date) => date.getUTCHours())],
  ['$millisecond', part((date) => date.getUTCMilliseconds())],
  ['$minute', part((date) => date.getUTCMinutes())],
  ['$month', part((date) => date.getUTCMonth() + 1)],
  ['$second', part((date) => date.getUTCSeconds())],
  ['$year', part((date) => date.getUTCFullYear())],
];
