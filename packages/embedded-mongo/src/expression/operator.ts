import { failedToParse, locationError } from '../errors/mongo-error.ts';
import { isDocument, type BsonDocument, type BsonValue } from '../values/value.ts';
import type { Evaluate, MaybeValue } from './scope.ts';

/** Compiles an inner expression with the named variables in its scope. */
export type Compile = (expression: BsonValue, variables?: readonly string[]) => Evaluate;

export type OperatorCompiler = (argument: BsonValue, compile: Compile, name: string) => Evaluate;
export type OperatorTable = Iterable<[string, OperatorCompiler]>;

/** An operator with a list of arguments. A single argument needs no array. */
export function onArguments(
  min: number,
  max: number,
  apply: (values: MaybeValue[], name: string) => MaybeValue,
): OperatorCompiler {
  return (argument, compile, name) => {
    const list = Array.isArray(argument) ? argument : [argument];
    if (list.length < min || list.length > max) {
      const expected = min === max ? `${min}` : `${min} to ${max}`;
      throw locationError(
        16020,
        `Expression ${name} takes exactly ${expected} arguments. ${list.length} were passed in.`,
      );
    }
    const evaluators = list.map((inner) => compile(inner));
    return (scope) =>
      apply(
        evaluators.map((evaluate) => evaluate(scope)),
        name,
      );
  };
}

export const unary = (apply: (value: MaybeValue, name: string) => MaybeValue): OperatorCompiler =>
  onArguments(1, 1, ([value], name) => apply(value, name));

export const binary = (apply: (a: MaybeValue, b: MaybeValue, name: string) => MaybeValue): OperatorCompiler =>
  onArguments(2, 2, ([a, b], name) => apply(a, b, name));

/** True for null and for a missing value: most operators return null for both. */
export const isNullish = (value: MaybeValue): value is null | undefined => value === null || value === undefined;

/** The named arguments of an operator such as `$filter`. Throws FailedToParse for an unknown or missing argument. */
export function namedArguments(
  argument: BsonValue,
  name: string,
  required: readonly string[],
  optional: readonly string[] = [],
): BsonDocument {
  if (!isDocument(argument)) throw failedToParse(`${name} only supports an object as its argument`);
  for (const key of argument.keys()) {
    if (!required.includes(key) && !optional.includes(key)) {
      throw failedToParse(`Unrecognized argument to ${name}: ${key}`);
    }
  }
  const absent = required.find((key) => !argument.has(key));
  if (absent !== undefined) throw failedToParse(`Missing '${absent}' parameter to ${name}`);
  return argument;
}
