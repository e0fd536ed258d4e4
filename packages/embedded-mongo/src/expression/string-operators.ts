import { locationError } from '../errors/mongo-error.ts';
import { toNumber } from '../values/number.ts';
import { isNumber, typeName, type BsonDocument, type BsonValue } from '../values/value.ts';
import { integerOf } from './array-operators.ts';
import {
  binary,
  isNullish,
  namedArguments,
  onArguments,
  unary,
  type Compile,
  type OperatorCompiler,
  type OperatorTable,
} from './operator.ts';
import { compileRegularExpression } from './regular-expression.ts';
import type { Evaluate, MaybeValue } from './scope.ts';

function textOf(value: MaybeValue, name: string): string {
  if (typeof value === 'string') return value;
  throw locationError(16702, `${name} only supports strings, not ${typeName(value)}`);
}

/** A value as text: null is the empty string, numbers and dates are converted. */
function looseText(value: MaybeValue, name: string): string {
  if (isNullish(value)) return '';
  if (value instanceof Date) return value.toISOString();
  return isNumber(value) ? String(toNumber(value)) : textOf(value, name);
}

/** Changes ASCII letters only, as MongoDB does. */
const changeCase = (from: RegExp, change: (letter: string) => string): OperatorCompiler =>
  unary((value, name) => looseText(value, name).replace(from, change));

function substring([value, start, length]: MaybeValue[], name: string): BsonValue {
  const characters = Array.from(looseText(value, name));
  const from = integerOf(start, name);
  const count = integerOf(length, name);
  if (from < 0 || count < 0) throw locationError(34452, `${name} needs a non-negative start and length`);
  return characters.slice(from, from + count).join('');
}

function indexOf([value, wanted, start = 0]: MaybeValue[], name: string): BsonValue {
  if (isNullish(value)) return null;
  const text = Array.from(textOf(value, name));
  const from = integerOf(start, name);
  const before = text.slice(0, from).join('').length;
  const index = text.join('').indexOf(textOf(wanted, name), before);
  return index < 0 ? -1 : Array.from(text.join('').slice(0, index)).length;
}

const trimming =
  (start: boolean, end: boolean): OperatorCompiler =>
  (argument, compile, name) => {
    const options = namedArguments(argument, name, ['input'], ['chars']);
    const input = compile(options.get('input')!);
    const chars = compile(options.get('chars') ?? ' \t\n\r\v\f\0\u00a0\u1680\u2000\u2028\u2029\u3000');
    return (scope) => {
      const value = input(scope);
      if (isNullish(value)) return null;
      const dropped = new Set(Array.from(textOf(chars(scope), name)));
      const text = Array.from(textOf(value, name));
      const kept = (character: string): boolean => !dropped.has(character);
      const first = start ? text.findIndex(kept) : 0;
      const last = end ? text.findLastIndex(kept) : text.length - 1;
      return first < 0 ? '' : text.slice(first, last + 1).join('');
    };
  };

const replacing =
  (all: boolean): OperatorCompiler =>
  (argument, compile, name) => {
    const options = namedArguments(argument, name, ['input', 'find', 'replacement']);
    const parts = ['input', 'find', 'replacement'].map((part) => compile(options.get(part)!));
    return (scope) => {
      const values = parts.map((evaluate) => evaluate(scope));
      if (values.some(isNullish)) return null;
      const [input, find, replacement] = values.map((value) => textOf(value, name)) as [string, string, string];
      return all ? input.replaceAll(find, () => replacement) : input.replace(find, () => replacement);
    };
  };

function regexMatch(argument: BsonValue, compile: Compile, name: string): Evaluate {
  const options: BsonDocument = namedArguments(argument, name, ['input', 'regex'], ['options']);
  const input = compile(options.get('input')!);
  const regex = compile(options.get('regex')!);
  const flags = options.has('options') ? compile(options.get('options')!) : () => undefined;
  return (scope) => {
    const value = input(scope);
    const pattern = regex(scope);
    if (isNullish(value) || isNullish(pattern)) return false;
    return compileRegularExpression(pattern, flags(scope)).test(textOf(value, name));
  };
}

export const stringOperators: OperatorTable = [
  [
    '$concat',
    onArguments(0, Infinity, (values, name) =>
      values.some(isNullish) ? null : values.map((value) => textOf(value, name)).join(''),
    ),
  ],
  ['$indexOfCP', onArguments(2, 3, indexOf)],
  ['$ltrim', trimming(true, false)],
  ['$regexMatch', regexMatch],
  ['$replaceAll', replacing(true)],
  ['$replaceOne', replacing(false)],
  ['$rtrim', trimming(false, true)],
  [
    '$split',
    binary((value, separator, name) => (isNullish(value) ? null : textOf(value, name).split(textOf(separator, name)))),
  ],
  ['$strLenBytes', unary((value, name) => Buffer.byteLength(textOf(value, name)))],
  ['$strLenCP', unary((value, name) => Array.from(textOf(value, name)).length)],
  ['$substrCP', onArguments(3, 3, substring)],
  ['$toLower', changeCase(/[A-Z]+/g, (letters) => letters.toLowerCase())],
  ['$toUpper', changeCase(/[a-z]+/g, (letters) => letters.toUpperCase())],
  ['$trim', trimming(true, true)],
];
