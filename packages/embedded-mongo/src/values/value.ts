import { Binary, BSONRegExp, Decimal128, Double, MaxKey, MinKey, ObjectId, type Timestamp } from 'bson';

/**
 * A document as the server handles it. It is a Map, because a JavaScript object moves integer-like names to the front,
 * and a document's order of fields is part of its value.
 */
export type BsonDocument = Map<string, BsonValue>;

/**
 * A BSON value. An int32 is a number, an int64 a bigint and a double a `Double`, so that arithmetic and storage
 * preserve the client's type. A missing field is `undefined`, which is not a value.
 */
export type BsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Date
  | Double
  | Decimal128
  | ObjectId
  | Binary
  | Timestamp
  | BSONRegExp
  | MinKey
  | MaxKey
  | OpaqueValue
  | BsonValue[]
  | Map<string, BsonValue>;

export type BsonNumber = number | bigint | Double | Decimal128;

/** A value that the server stores and returns but does not interpret: code, symbol, DBPointer or `undefined`. */
export class OpaqueValue {
  readonly type: number;
  readonly bytes: Buffer;

  constructor(type: number, bytes: Buffer) {
    this.type = type;
    this.bytes = bytes;
  }
}

/** The type numbers of the wire format (bsonspec.org). */
export const BsonType = {
  double: 0x01,
  string: 0x02,
  object: 0x03,
  array: 0x04,
  binData: 0x05,
  undefined: 0x06,
  objectId: 0x07,
  bool: 0x08,
  date: 0x09,
  null: 0x0a,
  regex: 0x0b,
  dbPointer: 0x0c,
  javascript: 0x0d,
  symbol: 0x0e,
  javascriptWithScope: 0x0f,
  int: 0x10,
  timestamp: 0x11,
  long: 0x12,
  decimal: 0x13,
  maxKey: 0x7f,
  minKey: 0xff,
} as const;

const typeNames = new Map<number, string>(Object.entries(BsonType).map(([name, code]) => [code, name]));

/** The rank of each type when values are compared. It is also the first byte of an index key. */
export const TypeOrder = {
  minKey: 0x01,
  undefined: 0x02,
  null: 0x05,
  number: 0x10,
  string: 0x15,
  symbol: 0x16,
  object: 0x20,
  array: 0x25,
  binary: 0x30,
  objectId: 0x35,
  boolean: 0x40,
  date: 0x45,
  timestamp: 0x47,
  regex: 0x50,
  dbPointer: 0x55,
  code: 0x60,
  codeWithScope: 0x65,
  maxKey: 0xf0,
} as const;

const orderOfType = new Map<number, number>([
  [BsonType.double, TypeOrder.number],
  [BsonType.string, TypeOrder.string],
  [BsonType.object, TypeOrder.object],
  [BsonType.array, TypeOrder.array],
  [BsonType.binData, TypeOrder.binary],
  [BsonType.undefined, TypeOrder.undefined],
  [BsonType.objectId, TypeOrder.objectId],
  [BsonType.bool, TypeOrder.boolean],
  [BsonType.date, TypeOrder.date],
  [BsonType.null, TypeOrder.null],
  [BsonType.regex, TypeOrder.regex],
  [BsonType.dbPointer, TypeOrder.dbPointer],
  [BsonType.javascript, TypeOrder.code],
  [BsonType.symbol, TypeOrder.symbol],
  [BsonType.javascriptWithScope, TypeOrder.codeWithScope],
  [BsonType.int, TypeOrder.number],
  [BsonType.timestamp, TypeOrder.timestamp],
  [BsonType.long, TypeOrder.number],
  [BsonType.decimal, TypeOrder.number],
  [BsonType.maxKey, TypeOrder.maxKey],
  [BsonType.minKey, TypeOrder.minKey],
]);

export function bsonType(value: BsonValue): number {
  switch (typeof value) {
    case 'number':
      return BsonType.int;
    case 'bigint':
      return BsonType.long;
    case 'string':
      return BsonType.string;
    case 'boolean':
      return BsonType.bool;
  }
  if (value === null) return BsonType.null;
  if (value instanceof Map) return BsonType.object;
  if (Array.isArray(value)) return BsonType.array;
  if (value instanceof ObjectId) return BsonType.objectId;
  if (value instanceof Date) return BsonType.date;
  if (value instanceof Double) return BsonType.double;
  if (value instanceof Binary) return BsonType.binData;
  if (value instanceof Decimal128) return BsonType.decimal;
  if (value instanceof BSONRegExp) return BsonType.regex;
  if (value instanceof OpaqueValue) return value.type;
  if (value instanceof MinKey) return BsonType.minKey;
  if (value instanceof MaxKey) return BsonType.maxKey;
  return BsonType.timestamp;
}

/** The rank of a value's type; a missing field ranks as null. */
export function typeOrder(value: BsonValue | undefined): number {
  return value === undefined ? TypeOrder.null : orderOfType.get(bsonType(value))!;
}

/** The type's name in error messages and in `$type`; `missing` without a value. */
export function typeName(value: BsonValue | undefined): string {
  return value === undefined ? 'missing' : typeNames.get(bsonType(value))!;
}

export const isDocument = (value: BsonValue | undefined): value is BsonDocument => value instanceof Map;

export const isNumber = (value: BsonValue | undefined): value is BsonNumber =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Double || value instanceof Decimal128;

/** A document is a set of operators when its first name starts with a dollar sign, except for a DBRef. */
export function isOperatorDocument(value: BsonValue | undefined): value is BsonDocument {
  if (!(value instanceof Map)) return false;
  const [first] = value.keys();
  return first !== undefined && first.startsWith('$') && !isReferenceField(first);
}

/** The fields of a DBRef start with a dollar sign, as operators do. */
export const isReferenceField = (name: string): boolean => name === '$ref' || name === '$id' || name === '$db';

/** Whether MongoDB takes a value for true: not for false, null, zero, `undefined` and a missing field. */
export function isTruthy(value: BsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === 0n) return false;
  if (value instanceof Double) return value.value !== 0;
  if (value instanceof Decimal128) return Number(value.toString()) !== 0;
  return !(value instanceof OpaqueValue && value.type === BsonType.undefined);
}
