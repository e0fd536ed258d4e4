import { Timestamp } from 'bson';
import { compileDocumentStage } from '../aggregation/document-stages.ts';
import {
  badValue,
  failedToParse,
  immutableIdentifier,
  invalidOptions,
  locationError,
  MongoError,
} from '../errors/mongo-error.ts';
import { noVariables, type Variables } from '../expression/scope.ts';
import { compileFilter } from '../query/filter.ts';
import type { Positions, Predicate } from '../query/predicate.ts';
import { equalValues } from '../values/compare.ts';
import { show } from '../values/show.ts';
import { isDocument, typeName, type BsonDocument, type BsonValue } from '../values/value.ts';
import { arrayUpdateOperators } from './array-operators.ts';
import { expandPath } from './expand-path.ts';
import { currentTimestamp, fieldOperators, type FieldUpdate } from './field-operators.ts';
import { comparePaths } from './paths.ts';

interface UpdateContext {
  /** True when an upsert creates the document. */
  isInsert?: boolean;
  /** The array elements that the filter matched. */
  positions?: Positions;
}

/** A compiled update. `apply` changes the document or returns another one. */
export interface Update {
  kind: 'operators' | 'replacement' | 'pipeline';
  apply(document: BsonDocument, context?: UpdateContext): BsonDocument;
}

interface Change {
  operator: string;
  path: string;
  argument: BsonValue;
}

const operators = new Map<string, FieldUpdate>([...fieldOperators, ...arrayUpdateOperators]);

/** Compiles the `u` of an update statement. Throws MongoDB's errors for unknown operators. */
export function compileUpdate(
  update: BsonValue | undefined,
  arrayFilters: readonly BsonDocument[] = [],
  variables: Variables = noVariables,
): Update {
  if (Array.isArray(update)) {
    if (arrayFilters.length > 0) throw failedToParse('arrayFilters may not be specified for pipeline-style updates');
    return compilePipelineUpdate(update, variables);
  }
  if (!isDocument(update)) throw failedToParse('Update argument must be either an object or an array');
  const [first] = update.keys();
  if (first === undefined || !first.startsWith('$')) {
    if (arrayFilters.length > 0) throw failedToParse('arrayFilters may not be specified for replacement-style updates');
    return compileReplacement(update);
  }
  return compileOperatorUpdate(update, compileArrayFilters(arrayFilters, variables));
}

function compileOperatorUpdate(update: BsonDocument, filters: Map<string, Predicate>): Update {
  const changes = readChanges(update);
  for (const identifier of filters.keys()) {
    if (!changes.some(({ path }) => path.includes(`$[${identifier}]`))) {
      throw failedToParse(`The array filter for identifier '${identifier}' was not used in the update ${show(update)}`);
    }
  }
  rejectConflicts(changes);
  return {
    kind: 'operators',
    apply: (document, context = {}) => applyChanges(document, changes, filters, context),
  };
}

function applyChanges(
  document: BsonDocument,
  changes: readonly Change[],
  filters: ReadonlyMap<string, Predicate>,
  context: UpdateContext,
): BsonDocument {
  const identifier = document.get('_id');
  const concrete = changes
    .filter(({ operator }) => operator !== '$setOnInsert' || context.isInsert)
    .flatMap((change) =>
      expandPath(document, change.path, context.positions, filters).map((path) => ({ ...change, path })),
    )
    .sort((a, b) => comparePaths(a.path, b.path));
  for (const { operator, path, argument } of concrete) operators.get(operator)!(document, path, argument);
  if (identifier !== undefined && !sameIdentifier(identifier, document.get('_id'))) throw immutableIdentifier();
  return document;
}

const sameIdentifier = (before: BsonValue, after: BsonValue | undefined): boolean =>
  after !== undefined && equalValues(before, after);

function readChanges(update: BsonDocument): Change[] {
  const changes: Change[] = [];
  for (const [operator, fields] of update) {
    if (!operators.has(operator)) {
      throw failedToParse(
        `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
      );
    }
    if (!isDocument(fields)) {
      throw failedToParse(
        `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${show(fields)}}`,
      );
    }
    for (const [path, argument] of fields) {
      checkPath(path);
      changes.push({ operator, path, argument });
    }
  }
  return changes;
}

function checkPath(path: string): void {
  if (path === '') throw new MongoError(56, 'EmptyFieldName', 'An empty update path is not valid.');
  const parts = path.split('.');
  if (parts.includes('')) {
    throw new MongoError(
      56,
      'EmptyFieldName',
      `The update path '${path}' contains an empty field name, which is not allowed.`,
    );
  }
  if (parts.some((part) => part.startsWith('$') && part !== '$' && !/^\$\[[^\]]*\]$/.test(part))) {
    throw new MongoError(
      52,
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field in '${path}' is not allowed in the context of an update.`,
    );
  }
}

function rejectConflicts(changes: readonly Change[]): void {
  const paths = changes
    .flatMap(({ operator, path, argument }) =>
      typeof argument === 'string' && operator === '$rename' ? [path, argument] : [path],
    )
    .sort(comparePaths);
  for (let at = 1; at < paths.length; at++) {
    const path = paths[at]!;
    const before = paths[at - 1]!;
    if (path === before || path.startsWith(`${before}.`)) {
      throw new MongoError(
        40,
        'ConflictingUpdateOperators',
        `Updating the path '${path}' would create a conflict at '${before}'`,
      );
    }
  }
}

/** The array filters, by the identifier in `$[identifier]`. A filter is applied to a document with that one field. */
function compileArrayFilters(filters: readonly BsonDocument[], variables: Variables): Map<string, Predicate> {
  const compiled = new Map<string, Predicate>();
  for (const filter of filters) {
    const identifier = identifierOf(filter);
    if (compiled.has(identifier)) {
      throw failedToParse(`Found multiple array filters with the same top-level field name ${identifier}`);
    }
    compiled.set(identifier, compileFilter(filter, variables));
  }
  return compiled;
}

function identifierOf(filter: BsonDocument): string {
  const [identifier, other] = namesIn(filter);
  if (identifier === undefined) {
    throw failedToParse('Cannot use an expression without a top-level field name in arrayFilters');
  }
  if (other !== undefined) {
    throw failedToParse(
      `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${identifier}' and '${other}'`,
    );
  }
  if (!/^[a-z][A-Za-z0-9]*$/.test(identifier)) {
    throw badValue(
      `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${identifier}'`,
    );
  }
  return identifier;
}

function namesIn(filter: BsonDocument): Set<string> {
  const names = new Set<string>();
  for (const [name, argument] of filter) {
    if (!name.startsWith('$')) names.add(name.split('.')[0]!);
    else for (const clause of documentsIn(argument)) namesIn(clause).forEach((inner) => names.add(inner));
  }
  return names;
}

const documentsIn = (value: BsonValue): BsonDocument[] => (Array.isArray(value) ? value : [value]).filter(isDocument);

const pipelineUpdateStages = new Set(['$set', '$addFields', '$unset', '$project', '$replaceRoot', '$replaceWith']);

/** An update by an aggregation pipeline. It allows only stages that make one document from each document. */
function compilePipelineUpdate(pipeline: BsonValue[], variables: Variables): Update {
  const stages = pipeline.map((stage) => {
    if (!isDocument(stage)) throw failedToParse('Each element of the pipeline of an update must be an object');
    const [name] = stage.keys();
    if (name === undefined || stage.size > 1) {
      throw locationError(40323, 'A pipeline stage specification object must contain exactly one field.');
    }
    if (!pipelineUpdateStages.has(name)) throw invalidOptions(`${name} is not allowed to be used within an update`);
    return compileDocumentStage(name, stage.get(name)!, new Set(variables.keys()))!;
  });
  return {
    kind: 'pipeline',
    apply: (document) => {
      const changed = stages.reduce((current, stage) => stage({ root: current, variables }), document);
      return replace(document, changed);
    },
  };
}

/** An update that replaces the whole document except for its `_id`. */
function compileReplacement(replacement: BsonDocument): Update {
  const dollar = [...replacement.keys()].find((name) => name.startsWith('$'));
  if (dollar !== undefined) {
    throw new MongoError(
      52,
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${dollar}' in '${dollar}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    );
  }
  return { kind: 'replacement', apply: (document) => replace(document, replacement) };
}

/**
 * The replacement with the `_id` of the document, first. An empty timestamp at the top level becomes the current time.
 */
function replace(document: BsonDocument, replacement: BsonDocument): BsonDocument {
  const identifier = document.get('_id') ?? replacement.get('_id');
  if (replacement.has('_id') && !equalValues(identifier, replacement.get('_id'))) throw immutableIdentifier();
  const result: BsonDocument = new Map();
  if (identifier !== undefined) result.set('_id', identifier);
  for (const [name, value] of replacement) {
    if (name === '_id') continue;
    result.set(name, value instanceof Timestamp && value.isZero() ? currentTimestamp() : value);
  }
  return result;
}
