import { badValue, failedToParse, locationError, MongoError, typeMismatch } from '../errors/mongo-error.ts';
import type { Hint } from '../execution/plan.ts';
import { compileExpression } from '../expression/expression.ts';
import { noVariables, type Variables } from '../expression/scope.ts';
import { toNumber } from '../values/number.ts';
import { show } from '../values/show.ts';
import { isDocument, isNumber, isTruthy, typeName, type BsonDocument, type BsonValue } from '../values/value.ts';

/** Reads one field of a command, or throws MongoDB's error for a value that it does not accept. */
type Reader<T> = (value: BsonValue, field: string) => T;

type Read<S> = { [K in keyof S]?: S[K] extends Reader<infer T> ? T : never };

/** Fields that any command can have. They are read elsewhere or mean nothing on a single server. */
const genericOptions = new Set([
  '$clusterTime',
  '$db',
  '$readPreference',
  'apiDeprecationErrors',
  'apiStrict',
  'apiVersion',
  'comment',
  'lsid',
  'maxTimeMS',
  'readConcern',
  'writeConcern',
]);

/**
 * Reads the fields of a command or of one of its statements. A field that is not in the schema is an error, because
 * ignoring an option would give a wrong result. A null counts as absent.
 */
export function readOptions<S extends Record<string, Reader<unknown>>>(
  source: BsonDocument,
  name: string,
  schema: S,
): Read<S> {
  const options: Record<string, unknown> = {};
  for (const [field, value] of source) {
    if (Object.hasOwn(schema, field)) {
      if (value !== null) options[field] = schema[field]!(value, `${name}.${field}`);
    } else if (!genericOptions.has(field)) {
      throw locationError(40415, `BSON field '${name}.${field}' is an unknown field.`);
    }
  }
  return options as Read<S>;
}

/** The value of a required field. Throws Location40414 when it is absent. */
export function required<T>(value: T | undefined, field: string): T {
  if (value !== undefined) return value;
  throw locationError(40414, `BSON field '${field}' is missing but a required field`);
}

const wrongType = (field: string, value: BsonValue, expected: string): MongoError =>
  typeMismatch(`BSON field '${field}' is the wrong type '${typeName(value)}', expected type '${expected}'`);

export const anyValue: Reader<BsonValue> = (value) => value;

export const text: Reader<string> = (value, field) => {
  if (typeof value === 'string') return value;
  throw wrongType(field, value, 'string');
};

export const collectionName: Reader<string> = (value) => {
  if (typeof value === 'string' && value !== '') return value;
  throw new MongoError(73, 'InvalidNamespace', `collection name has invalid type or is empty: ${typeName(value)}`);
};

export const document: Reader<BsonDocument> = (value, field) => {
  if (isDocument(value)) return value;
  throw wrongType(field, value, 'object');
};

export const array: Reader<BsonValue[]> = (value, field) => {
  if (Array.isArray(value)) return value;
  throw wrongType(field, value, 'array');
};

export const documents: Reader<BsonDocument[]> = (value, field) =>
  array(value, field).map((element, index) => document(element, `${field}.${index}`));

/** A `let`. Its values are expressions, evaluated without a document. */
export const variables: Reader<Variables> = (value, field) => {
  const scope = { root: new Map(), variables: noVariables };
  return new Map(
    [...document(value, field)].map(([name, expression]) => [name, compileExpression(expression)(scope) ?? null]),
  );
};

export const flag: Reader<boolean> = (value, field) => {
  if (typeof value === 'boolean' || isNumber(value)) return isTruthy(value);
  throw wrongType(field, value, 'bool');
};

export const integer: Reader<number> = (value, field) => {
  if (!isNumber(value)) throw wrongType(field, value, 'long');
  const number = toNumber(value);
  if (!Number.isSafeInteger(number)) {
    throw badValue(`BSON field '${field}' must be a safe integer, found ${number}`);
  }
  return number;
};

export const natural: Reader<number> = (value, field) => {
  const number = integer(value, field);
  if (number >= 0) return number;
  throw locationError(51024, `BSON field '${field.split('.').at(-1)}' value must be >= 0, actual value '${number}'`);
};

export const hint: Reader<Hint | undefined> = (value) => {
  if (typeof value === 'string') return value;
  if (isDocument(value)) return value.size > 0 ? value : undefined;
  throw failedToParse(`hint must be a string or an object, found ${typeName(value)}`);
};

/** A collation. Only comparison by code point is supported; the error is MongoDB's for an unknown locale. */
export const collation: Reader<void> = (value, field) => {
  const locale = document(value, field).get('locale');
  if (locale === undefined) {
    if ((value as BsonDocument).size === 0) return;
    throw locationError(40414, `BSON field '${field}.locale' is missing but a required field`);
  }
  if (locale !== 'simple') {
    throw badValue(
      `Field 'locale' is invalid in: { locale: ${show(locale)} }. This server compares text by code point only ('simple').`,
    );
  }
};

/** An option without effect on this server, such as allowDiskUse, or one that is read elsewhere. */
export const accepted: Reader<void> = () => undefined;

/** An option that this server does not support: accepted only if it is false. */
export const unsupported: Reader<void> = (value, field) => {
  if (isTruthy(value)) throw new MongoError(115, 'CommandNotSupported', `${field} is not supported by this server`);
};

/** The `batchSize` of a `cursor` option. */
export const cursorOption: Reader<number | undefined> = (value, field) =>
  readOptions(document(value, field), field, { batchSize: natural }).batchSize;

/**
 * Reads the fields that any command can have. Throws for a transaction and for a concern that needs several servers.
 */
export function readGenericOptions(command: BsonDocument): { maxTimeMs: number | undefined; journaled: boolean } {
  if (command.has('txnNumber') || command.has('startTransaction') || command.get('autocommit') === false) {
    throw new MongoError(
      20,
      'IllegalOperation',
      'Transaction numbers are only allowed on a replica set member or mongos',
    );
  }
  checkReadConcern(command.get('readConcern'));
  const journaled = readWriteConcern(command.get('writeConcern'));
  const maxTime = command.get('maxTimeMS');
  return { maxTimeMs: maxTime === undefined ? undefined : natural(maxTime, 'maxTimeMS'), journaled };
}

function checkReadConcern(concern: BsonValue | undefined): void {
  if (concern === undefined) return;
  const level = document(concern, 'readConcern').get('level');
  if (level === undefined || level === 'local' || level === 'available' || level === 'majority') return;
  if (level === 'snapshot' || level === 'linearizable') {
    throw new MongoError(
      123,
      'NotAReplicaSet',
      `node needs to be a replica set member to use readConcern level '${level}'`,
    );
  }
  throw failedToParse('Enumeration value for readConcern.level is not valid');
}

/** Whether the write must be on the disk before it is acknowledged. */
function readWriteConcern(concern: BsonValue | undefined): boolean {
  if (concern === undefined) return false;
  const options = document(concern, 'writeConcern');
  const w = options.get('w');
  if (isNumber(w)) {
    if (toNumber(w) > 1) throw badValue("cannot use 'w' > 1 when a host is not replicated");
  } else if (w !== undefined && w !== 'majority') {
    throw new MongoError(
      79,
      'UnknownReplWriteConcern',
      `cannot use non-majority 'w' mode ${show(w)} when a host is not a member of a replica set`,
    );
  }
  return isTruthy(options.get('j')) || isTruthy(options.get('fsync'));
}
