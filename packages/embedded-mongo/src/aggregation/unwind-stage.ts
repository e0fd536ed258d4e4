import { locationError } from '../errors/mongo-error.ts';
import { assign } from '../values/assign.ts';
import { copyValue, valueAt } from '../values/path.ts';
import { isDocument, isTruthy, type BsonDocument, type BsonValue } from '../values/value.ts';
import { onEach, type Stage } from './stage.ts';

/** `$unwind`: one document for each element of an array. */
export function unwindStage(argument: BsonValue): Stage {
  const options: BsonDocument = isDocument(argument) ? argument : new Map([['path', argument]]);
  for (const name of options.keys()) {
    if (!['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'].includes(name)) {
      throw locationError(28811, `unrecognized option to $unwind stage: ${name}`);
    }
  }
  const path = options.get('path');
  if (typeof path !== 'string') throw locationError(28808, 'expected a string as the path for $unwind stage');
  if (!path.startsWith('$') || path.length < 2) {
    throw locationError(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  }
  const indexName = options.get('includeArrayIndex');
  if (indexName !== undefined && (typeof indexName !== 'string' || indexName === '' || indexName.startsWith('$'))) {
    throw locationError(28810, 'includeArrayIndex option to $unwind stage must be a field name');
  }
  const keepEmpty = isTruthy(options.get('preserveNullAndEmptyArrays'));
  return onEach((document) => unwind(document, path.slice(1), indexName, keepEmpty));
}

function* unwind(
  document: BsonDocument,
  path: string,
  indexName: string | undefined,
  keepEmpty: boolean,
): Generator<BsonDocument> {
  const value = valueAt(document, path);
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) {
    if (keepEmpty) yield withElement(document, path, Array.isArray(value) ? undefined : value, indexName, null);
    return;
  }
  if (!Array.isArray(value)) {
    yield withElement(document, path, value, indexName, null);
    return;
  }
  for (const [index, element] of value.entries()) {
    yield withElement(document, path, element, indexName, BigInt(index));
  }
}

function withElement(
  document: BsonDocument,
  path: string,
  element: BsonValue | undefined,
  indexName: string | undefined,
  index: BsonValue,
): BsonDocument {
  const result: BsonDocument = new Map(document);
  const [root = ''] = path.split('.');
  if (path !== root && result.has(root)) result.set(root, copyValue(result.get(root)!));
  assign(result, path.split('.'), element);
  if (indexName !== undefined) assign(result, indexName.split('.'), index);
  return result;
}
