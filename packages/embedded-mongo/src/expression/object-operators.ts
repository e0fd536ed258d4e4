import { failedToParse, locationError } from '../errors/mongo-error.ts';
import { isDocument, typeName, type BsonDocument, type BsonValue } from '../values/value.ts';
import { arrayOf } from './array-operators.ts';
import { isNullish, namedArguments, onArguments, unary, type Compile, type OperatorTable } from './operator.ts';
import type { Evaluate, MaybeValue } from './scope.ts';

function documentOf(value: MaybeValue, name: string): BsonDocument {
  if (isDocument(value)) return value;
  throw locationError(40400, `${name} requires object inputs, but input is of type ${typeName(value)}`);
}

function merge(values: MaybeValue[], name: string): BsonValue {
  return new Map(values.filter((value) => !isNullish(value)).flatMap((value) => [...documentOf(value, name)]));
}

function toEntries(value: MaybeValue, name: string): BsonValue {
  if (isNullish(value)) return null;
  return [...documentOf(value, name)].map(
    ([k, v]) =>
      new Map<string, BsonValue>([
        ['k', k],
        ['v', v],
      ]),
  );
}

function fromEntries(value: MaybeValue, name: string): BsonValue {
  if (isNullish(value)) return null;
  return new Map(
    arrayOf(value, name).map((entry): [string, BsonValue] => {
      const [key, inner] = Array.isArray(entry) && entry.length === 2 ? entry : entryOf(entry);
      if (typeof key !== 'string' || inner === undefined) {
        throw locationError(40394, '$arrayToObject requires pairs of a string and a value, or objects with k and v');
      }
      return [key, inner];
    }),
  );
}

const entryOf = (entry: BsonValue): [MaybeValue, MaybeValue] =>
  isDocument(entry) ? [entry.get('k'), entry.get('v')] : [undefined, undefined];

/** The constant name of a field. It can contain dots and, in `$literal`, start with a dollar sign, unlike in a path. */
function literalName(argument: BsonValue, name: string): string {
  const value = isDocument(argument) && argument.has('$literal') ? argument.get('$literal') : argument;
  if (typeof value === 'string' && (value !== argument || !value.startsWith('$'))) return value;
  throw failedToParse(`${name} requires 'field' to be a constant string`);
}

function getField(argument: BsonValue, compile: Compile, name: string): Evaluate {
  const options =
    typeof argument === 'string' ? new Map([['field', argument]]) : named(argument, name, ['field'], ['input']);
  const field = literalName(options.get('field')!, name);
  const input = compile(options.get('input') ?? '$$CURRENT');
  return (scope) => {
    const document = input(scope);
    return isDocument(document) ? document.get(field) : document === null ? null : undefined;
  };
}

/** The named arguments. `{ $getField: { $literal: … } }` is short for `{ field: { $literal: … } }`. */
function named(argument: BsonValue, name: string, required: string[], optional: string[]): BsonDocument {
  if (isDocument(argument) && argument.has('$literal')) return new Map([['field', argument]]);
  return namedArguments(argument, name, required, optional);
}

function setField(argument: BsonValue, compile: Compile, name: string): Evaluate {
  const options = namedArguments(argument, name, ['field', 'input', 'value']);
  const field = literalName(options.get('field')!, name);
  const input = compile(options.get('input')!);
  const value = compile(options.get('value')!);
  return (scope) => {
    const document = input(scope);
    if (isNullish(document)) return null;
    const result = new Map(documentOf(document, name));
    const inner = value(scope);
    if (inner === undefined) result.delete(field);
    else result.set(field, inner);
    return result;
  };
}

function unsetField(argument: BsonValue, compile: Compile, name: string): Evaluate {
  const options = namedArguments(argument, name, ['field', 'input']);
  return setField(new Map([...options, ['value', '$$REMOVE']]), compile, '$setField');
}

export const objectOperators: OperatorTable = [
  ['$arrayToObject', unary(fromEntries)],
  ['$getField', getField],
  ['$mergeObjects', onArguments(0, Infinity, merge)],
  ['$objectToArray', unary(toEntries)],
  ['$setField', setField],
  ['$unsetField', unsetField],
];
