import { failedToParse, locationError, MongoError } from '../errors/mongo-error.ts';
import { rejectUnsupported } from '../errors/unsupported.ts';
import { isDocument, type BsonDocument, type BsonValue } from '../values/value.ts';
import { arithmeticOperators } from './arithmetic-operators.ts';
import { arrayOperators } from './array-operators.ts';
import { comparisonOperators } from './comparison-operators.ts';
import { conditionalOperators } from './conditional-operators.ts';
import { dateOperators } from './date-operators.ts';
import { objectOperators } from './object-operators.ts';
import type { Compile } from './operator.ts';
import type { Evaluate, MaybeValue, Scope } from './scope.ts';
import { stringOperators } from './string-operators.ts';
import { typeOperators } from './type-operators.ts';

const operators = new Map([
  ...arithmeticOperators,
  ...arrayOperators,
  ...comparisonOperators,
  ...conditionalOperators,
  ...dateOperators,
  ...objectOperators,
  ...stringOperators,
  ...typeOperators,
]);

const systemVariables = new Set(['ROOT', 'CURRENT', 'NOW', 'REMOVE']);

/**
 * Compiles an aggregation expression. `variables` are the names of `$$name` in scope. Throws MongoDB's errors for an
 * unknown operator or variable.
 */
export function compileExpression(expression: BsonValue, variables: ReadonlySet<string> = new Set()): Evaluate {
  const compile: Compile = (inner, more = []) =>
    compileExpression(inner, more.length > 0 ? variables.union(new Set(more)) : variables);
  if (typeof expression === 'string' && expression.startsWith('$')) return compilePath(expression, variables);
  if (Array.isArray(expression)) {
    const elements = expression.map((element) => compile(element));
    return (scope) => elements.map((evaluate) => evaluate(scope) ?? null);
  }
  return isDocument(expression) ? compileDocument(expression, compile) : () => expression;
}

function compileDocument(expression: BsonDocument, compile: Compile): Evaluate {
  const [first] = expression.keys();
  if (first === undefined || !first.startsWith('$')) return compileObject(expression, compile);
  if (expression.size > 1) {
    throw locationError(15983, 'An object representing an expression must have exactly one field');
  }
  const argument = expression.get(first)!;
  if (first === '$literal') return () => argument;
  const operator = operators.get(first);
  if (!operator) rejectUnsupported('expression', first);
  if (!operator) throw new MongoError(168, 'InvalidPipelineOperator', `Unrecognized expression '${first}'`);
  return operator(argument, compile, first);
}

function compileObject(expression: BsonDocument, compile: Compile): Evaluate {
  const fields: [string, Evaluate][] = [];
  for (const [name, value] of expression) {
    if (name.startsWith('$')) throw failedToParse(`field names in an object may not start with '$': ${name}`);
    if (name.includes('.')) throw failedToParse(`field names in an object may not contain '.': ${name}`);
    fields.push([name, compile(value)]);
  }
  return (scope) => {
    const document: BsonDocument = new Map();
    for (const [name, evaluate] of fields) {
      const value = evaluate(scope);
      if (value !== undefined) document.set(name, value);
    }
    return document;
  };
}

function compilePath(expression: string, variables: ReadonlySet<string>): Evaluate {
  if (!expression.startsWith('$$')) {
    const parts = pathParts(expression.slice(1));
    return (scope) => followPath(scope.root, parts, 0);
  }
  const [name = '', ...rest] = expression.slice(2).split('.');
  if (rest.length > 0) pathParts(rest.join('.'));
  if (!variables.has(name) && !systemVariables.has(name)) {
    throw locationError(17276, `Use of undefined variable: ${name}`);
  }
  return (scope) => followPath(variable(name, scope), rest, 0);
}

function pathParts(path: string): string[] {
  const parts = path.split('.');
  if (parts.some((part) => part === '')) throw locationError(15998, 'FieldPath field names may not be empty strings.');
  if (parts.some((part) => part.startsWith('$'))) {
    throw locationError(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);
  }
  return parts;
}

function variable(name: string, scope: Scope): MaybeValue {
  if (scope.variables.has(name)) return scope.variables.get(name);
  if (name === 'NOW') return new Date();
  return name === 'REMOVE' ? undefined : scope.root;
}

/** Unlike in a query, a number in the path is not a position, and an array on the path gives an array of results. */
function followPath(value: MaybeValue, parts: readonly string[], at: number): MaybeValue {
  if (at === parts.length) return value;
  if (value instanceof Map) return followPath(value.get(parts[at]!), parts, at + 1);
  if (!Array.isArray(value)) return undefined;
  return value.map((element) => followPath(element, parts, at)).filter((inner) => inner !== undefined);
}
