import { Double } from 'bson';
import { locationError, notImplemented } from '../errors/mongo-error.ts';
import { compileExpression } from '../expression/expression.ts';
import { noVariables, type Evaluate, type Variables } from '../expression/scope.ts';
import { assign } from '../values/assign.ts';
import { toNumber } from '../values/number.ts';
import {
  isDocument,
  isNumber,
  isOperatorDocument,
  isTruthy,
  type BsonDocument,
  type BsonValue,
} from '../values/value.ts';
import { elementPredicate } from './filter.ts';
import { keepPaths, mapPath, pathTree, removePaths, type PathTree } from './path-tree.ts';
import type { Positions } from './predicate.ts';

interface ProjectionContext {
  positions?: Positions | undefined;
  textScore?: number | undefined;
  variables?: Variables | undefined;
}
export type Projection = (document: BsonDocument, context?: ProjectionContext) => BsonDocument;

interface Parts {
  included: string[];
  excluded: string[];
  /** Whether the projection includes `_id`; undefined when it does not name it. */
  identifier: boolean | undefined;
  /** Changes to arrays, made after the fields are selected. */
  arrays: {
    path: string;
    change: (values: BsonValue[], positions: Positions | undefined) => BsonValue[] | undefined;
  }[];
  computed: { path: string[]; evaluate: Evaluate }[];
  scores: string[][];
}

/**
 * Compiles the projection of a find or a `$project`. With `find` it accepts `$slice`, `$elemMatch` and the positional
 * `.$`. Throws MongoDB's errors for unknown operators.
 */
export function compileProjection(
  projection: BsonDocument,
  { find = false, variables = new Set<string>() }: { find?: boolean; variables?: ReadonlySet<string> },
): Projection {
  const parts: Parts = { included: [], excluded: [], identifier: undefined, arrays: [], computed: [], scores: [] };
  collectParts(projection, '', parts, find, variables);
  const inclusive = isInclusive(parts);
  const tree = pathTree(inclusive ? [...parts.included, ...parts.arrays.map(({ path }) => path)] : parts.excluded);
  return (document, context = {}) => {
    const result = selectFields(document, tree, inclusive, parts.identifier);
    for (const { path, change } of parts.arrays) {
      mapPath(result, path.split('.'), (value) => (Array.isArray(value) ? change(value, context.positions) : value));
    }
    const scope = { root: document, variables: context.variables ?? noVariables };
    for (const { path, evaluate } of parts.computed) assign(result, path, evaluate(scope));
    for (const path of parts.scores) {
      if (context.textScore === undefined)
        throw locationError(40218, 'query requires text score metadata, but it is not available');
      assign(result, path, new Double(context.textScore));
    }
    return result;
  };
}

export const projectionNeedsPositions = (projection: BsonDocument): boolean =>
  [...projection.keys()].some((path) => path.endsWith('.$'));

function isInclusive({ included, excluded, identifier, computed, arrays }: Parts): boolean {
  if (included.length > 0) {
    const path = excluded[0];
    if (path !== undefined) throw locationError(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
    return true;
  }
  if (excluded.length > 0) {
    if (computed.length > 0) throw locationError(31252, 'Cannot use an expression in an exclusion projection');
    return false;
  }
  return computed.length > 0 || (identifier === true && arrays.length === 0);
}

function selectFields(
  document: BsonDocument,
  tree: PathTree,
  inclusive: boolean,
  identifier: boolean | undefined,
): BsonDocument {
  if (!inclusive) {
    const rest = removePaths(document, tree);
    if (identifier === false) rest.delete('_id');
    return rest;
  }
  const kept = keepPaths(document, tree);
  const id = document.get('_id');
  if (identifier === false || id === undefined) return kept;
  return new Map<string, BsonValue>([['_id', kept.get('_id') ?? id], ...kept]);
}

function collectParts(
  spec: BsonDocument,
  prefix: string,
  parts: Parts,
  find: boolean,
  variables: ReadonlySet<string>,
): void {
  for (const [name, value] of spec) {
    if (name === '') throw locationError(40352, 'FieldPath cannot be constructed with empty string');
    const path = prefix + name;
    if (isDocument(value) && value.size > 0 && !isOperatorDocument(value)) {
      collectParts(value, `${path}.`, parts, find, variables);
    } else if (typeof value === 'boolean' || isNumber(value)) collectFlag(path, isTruthy(value), parts, find);
    else if (!(find && isOperatorDocument(value) && collectArray(path, value, parts))) {
      const isLiteral = typeof value === 'string' && !value.startsWith('$') && find;
      parts.computed.push({
        path: path.split('.'),
        evaluate: isLiteral ? () => value : compileExpression(value, variables),
      });
    }
  }
}

function collectFlag(path: string, isIncluded: boolean, parts: Parts, find: boolean): void {
  if (path.startsWith('$')) throw locationError(16410, "FieldPath field names may not start with '$'.");
  if (path === '_id') parts.identifier = isIncluded;
  else if (path.endsWith('.$') && find) {
    if (!isIncluded) throw locationError(31395, 'positional projection cannot be used with exclusion');
    const array = path.slice(0, -2);
    parts.included.push(array);
    parts.arrays.push({ path: array, change: (values, positions) => [values[positionOf(array, positions)]!] });
  } else if (isIncluded) {
    parts.included.push(path);
    if (parts.excluded[0] !== undefined) {
      throw locationError(31253, `Cannot do inclusion on field ${path} in exclusion projection`);
    }
  } else parts.excluded.push(path);
}

function positionOf(path: string, positions: Positions | undefined): number {
  const index = positions?.get(path) ?? (positions?.size === 1 ? [...positions.values()][0] : undefined);
  if (index !== undefined) return index;
  throw locationError(
    51246,
    "Executor error during find command: positional operator '.$' couldn't find a matching element in the array",
  );
}

function collectArray(path: string, operator: BsonDocument, parts: Parts): boolean {
  const slice = operator.get('$slice');
  const elemMatch = operator.get('$elemMatch');
  if (operator.has('$meta')) {
    if (operator.get('$meta') !== 'textScore') throw notImplemented('$meta takes textScore on this server');
    parts.scores.push(path.split('.'));
    return true;
  }
  if (slice !== undefined) {
    const bounds = parseSlice(slice);
    if (!bounds) return false;
    parts.arrays.push({ path, change: (values) => sliceArray(values, bounds) });
    return true;
  }
  if (elemMatch === undefined) return false;
  if (path.includes('.')) throw locationError(31275, 'Cannot use $elemMatch projection on a nested field.');
  const matches = elementPredicate(elemMatch, noVariables);
  parts.included.push(path);
  parts.arrays.push({
    path,
    change: (values) => {
      const first = values.find(matches);
      return first === undefined ? undefined : [first];
    },
  });
  return true;
}

interface Slice {
  skip: number;
  /** Undefined: all elements that follow. */
  limit: number | undefined;
}

/** The argument of `$slice` in the projection of a find; undefined for the aggregation operator of that name. */
function parseSlice(argument: BsonValue): Slice | undefined {
  if (isNumber(argument)) {
    const count = Math.trunc(toNumber(argument));
    return count >= 0 ? { skip: 0, limit: count } : { skip: count, limit: undefined };
  }
  if (!Array.isArray(argument) || !argument.every(isNumber)) return undefined;
  const [skip, limit] = argument.map((part) => Math.trunc(toNumber(part)));
  if (argument.length !== 2 || !(limit! > 0)) {
    throw locationError(28724, '$slice takes [skip, limit] with a positive limit');
  }
  return { skip: skip!, limit: limit! };
}

function sliceArray(values: BsonValue[], { skip, limit }: Slice): BsonValue[] {
  const start = skip < 0 ? Math.max(0, values.length + skip) : skip;
  return values.slice(start, limit === undefined ? undefined : start + limit);
}
