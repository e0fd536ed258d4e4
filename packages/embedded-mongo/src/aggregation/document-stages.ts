import { locationError } from '../errors/mongo-error.ts';
import { compileExpression } from '../expression/expression.ts';
import type { Evaluate, Scope } from '../expression/scope.ts';
import { compileProjection } from '../query/projection.ts';
import { assign } from '../values/assign.ts';
import { copyValue } from '../values/path.ts';
import { show } from '../values/show.ts';
import { isDocument, isOperatorDocument, type BsonDocument, type BsonValue } from '../values/value.ts';

/** Makes one document from each document. */
type DocumentStage = (scope: Scope) => BsonDocument;

/** Compiles a stage that makes one document from each document; undefined for a stage of another kind. */
export function compileDocumentStage(
  name: string,
  argument: BsonValue,
  variables: ReadonlySet<string>,
): DocumentStage | undefined {
  switch (name) {
    case '$set':
    case '$addFields':
      return addFields(argument, name, variables);
    case '$unset':
      return unset(argument);
    case '$project':
      return project(argument, variables);
    case '$replaceWith':
      return replaceRoot(argument, name, variables);
    case '$replaceRoot':
      if (!isDocument(argument) || !argument.has('newRoot')) {
        throw locationError(40231, 'no newRoot specified for the $replaceRoot stage');
      }
      return replaceRoot(argument.get('newRoot')!, name, variables);
    default:
      return undefined;
  }
}

function project(argument: BsonValue, variables: ReadonlySet<string>): DocumentStage {
  if (!isDocument(argument)) throw locationError(15969, '$project specification must be an object');
  if (argument.size === 0) throw locationError(51272, '$project specification must have at least one field');
  const projection = compileProjection(argument, { variables });
  return (scope) => projection(scope.root, { variables: scope.variables });
}

function unset(argument: BsonValue): DocumentStage {
  const paths = Array.isArray(argument) ? argument : [argument];
  if (paths.length === 0 || !paths.every((path) => typeof path === 'string')) {
    throw locationError(31002, '$unset specification must be a string or an array of strings');
  }
  const projection = compileProjection(new Map(paths.map((path) => [path, 0])), {});
  return (scope) => projection(scope.root);
}

function replaceRoot(argument: BsonValue, name: string, variables: ReadonlySet<string>): DocumentStage {
  const evaluate = compileExpression(argument, variables);
  return (scope) => {
    const value = evaluate(scope);
    if (isDocument(value)) return value;
    throw locationError(
      40228,
      `'newRoot' expression of ${name} must evaluate to an object, but resulting value was: ${show(value)}`,
    );
  };
}

function addFields(argument: BsonValue, name: string, variables: ReadonlySet<string>): DocumentStage {
  if (!isDocument(argument)) {
    throw locationError(40272, `${name} specification stage must be an object, got ${show(argument)}`);
  }
  const fields = flatten(argument, '').map(({ path, value }): [string[], Evaluate] => [
    path.split('.'),
    compileExpression(value, variables),
  ]);
  return (scope) => {
    const result = copyValue(scope.root) as BsonDocument;
    for (const [parts, evaluate] of fields) assign(result, parts, evaluate(scope));
    return result;
  };
}

function flatten(document: BsonDocument, prefix: string): { path: string; value: BsonValue }[] {
  return [...document].flatMap(([name, value]) => {
    if (name.startsWith('$') || name === '') {
      throw locationError(16410, `FieldPath field names may not start with '$': ${name}`);
    }
    const path = prefix + name;
    const nested = isDocument(value) && value.size > 0 && !isOperatorDocument(value);
    return nested ? flatten(value, `${path}.`) : [{ path, value }];
  });
}
