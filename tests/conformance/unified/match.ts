import { isDeepStrictEqual } from 'node:util';
import { Binary, Decimal128, Double, Int32, Long, ObjectId, type Document } from 'mongodb';

type Entities = ReadonlyMap<string, unknown>;

/** Throws if a value does not match the expectation of the unified test format; documents at the root can have more fields. */
export function assertMatches(expected: unknown, actual: unknown, entities: Entities, path = 'result'): void {
  match(expected, plain(actual), entities, path, true);
}

function match(expected: unknown, actual: unknown, entities: Entities, path: string, root: boolean): void {
  const special = specialOperator(expected);
  if (special) return matchSpecial(special[0], special[1], actual, entities, path);
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) throw mismatch(path, expected, actual);
    if (expected.length !== actual.length) throw mismatch(`${path}.length`, expected.length, actual.length);
    expected.forEach((element, index) => match(element, plain(actual[index]), entities, `${path}.${index}`, root));
    return;
  }
  if (isPlainObject(expected)) return matchDocument(expected, actual, entities, path, root);
  if (!sameScalar(expected, actual)) throw mismatch(path, expected, actual);
}

function matchDocument(expected: Document, actual: unknown, entities: Entities, path: string, root: boolean): void {
  if (actual === null || typeof actual !== 'object') throw mismatch(path, expected, actual);
  const document = actual as Document;
  for (const [name, value] of Object.entries(expected)) {
    const inner = plain(document[name]);
    const special = specialOperator(value);
    const mayBeAbsent = special && ['$$exists', '$$unsetOrMatches'].includes(special[0]);
    if (inner === undefined && !mayBeAbsent) throw mismatch(`${path}.${name}`, value, inner);
    match(value, inner, entities, `${path}.${name}`, false);
  }
  const more = Object.keys(document).find((name) => !(name in expected) && document[name] !== undefined);
  if (!root && more !== undefined) throw mismatch(`${path}.${more}`, undefined, document[more]);
}

function matchSpecial(operator: string, argument: unknown, actual: unknown, entities: Entities, path: string): void {
  switch (operator) {
    case '$$exists':
      if ((actual !== undefined) !== argument) throw mismatch(path, `exists: ${String(argument)}`, actual);
      return;
    case '$$unsetOrMatches':
      if (actual !== undefined && actual !== null) match(argument, actual, entities, path, true);
      return;
    case '$$type':
      if (![argument].flat().some((type) => hasType(String(type), actual))) throw mismatch(path, argument, actual);
      return;
    case '$$matchesEntity':
      return match(entities.get(String(argument)), actual, entities, path, false);
    case '$$matchesHexBytes':
      if ((actual as Buffer).toString('hex') !== argument) throw mismatch(path, argument, actual);
      return;
    default:
      throw new Error(`the operator ${operator} is not known`);
  }
}

function specialOperator(expected: unknown): [string, unknown] | undefined {
  if (!isPlainObject(expected)) return undefined;
  const entries = Object.entries(expected);
  return entries.length === 1 && entries[0]![0].startsWith('$$') ? entries[0] : undefined;
}

function hasType(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return typeof value === 'object' && value !== null;
    case 'string':
      return typeof value === 'string';
    case 'int':
    case 'long':
    case 'double':
      return typeof value === 'number';
    case 'date':
      return value instanceof Date;
    case 'binData':
      return value instanceof Binary || Buffer.isBuffer(value);
    case 'objectId':
      return value instanceof ObjectId;
    default:
      throw new Error(`the type ${type} is not known`);
  }
}

/** Numbers of all types are compared by value, and a Map becomes a document, whose order counts. */
function plain(value: unknown): unknown {
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (value instanceof Long) return value.toNumber();
  if (value instanceof Map) return Object.fromEntries(value);
  return value;
}

function sameScalar(expected: unknown, actual: unknown): boolean {
  const wanted = plain(expected);
  if (wanted instanceof ObjectId) return actual instanceof ObjectId && wanted.equals(actual);
  if (wanted instanceof Decimal128) return String(actual) === wanted.toString();
  if (wanted instanceof Binary) return actual instanceof Binary && wanted.toString('hex') === actual.toString('hex');
  return isDeepStrictEqual(wanted, actual);
}

const isPlainObject = (value: unknown): value is Document =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype;

const mismatch = (path: string, expected: unknown, actual: unknown): Error =>
  new Error(`${path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
