import { Binary, BSONRegExp, Decimal128, Double, ObjectId, Timestamp } from 'bson';
import { opaqueBytes } from './compare.ts';
import { exactDecimal, exactDouble, subtractExact, toDecimal128 } from './decimal.ts';
import { toNumber } from './number.ts';
import { isNumber, TypeOrder, typeOrder, type BsonDocument, type BsonNumber, type BsonValue } from './value.ts';

/** Stands in a key for an empty array, which an index keeps apart from null. */
export const emptyArray = Symbol('empty array');
export type KeyPart = BsonValue | undefined | typeof emptyArray;

let buffer = Buffer.allocUnsafe(1 << 12);
let length = 0;

/**
 * Bytes whose order under memcmp is the order of the values, so that a SQLite index on them is ordered as MongoDB orders.
 * Parts that run downwards are inverted bit by bit.
 */
export function sortKey(parts: readonly KeyPart[], directions: readonly number[]): Buffer {
  length = 0;
  for (let index = 0; index < parts.length; index++) {
    const start = length;
    const part = parts[index];
    if (part === emptyArray) writeByte(TypeOrder.undefined);
    else writeTyped(part);
    if (directions[index]! < 0) for (let at = start; at < length; at++) buffer[at]! ^= 0xff;
  }
  return Buffer.from(buffer.subarray(0, length));
}

export const valueKey = (value: BsonValue | undefined): Buffer => sortKey([value], [1]);

/** The key of every string that begins with a prefix begins with these bytes. */
export const stringPrefixKey = (prefix: string): Buffer => {
  const key = valueKey(prefix);
  return key.subarray(0, key.length - 1);
};

function writeTyped(value: BsonValue | undefined): void {
  writeByte(typeOrder(value));
  if (value !== undefined && value !== null) writeBody(value);
}

function writeBody(value: BsonValue): void {
  if (typeof value === 'string') return writeText(value);
  if (isNumber(value)) return writeNumber(value);
  if (value instanceof ObjectId) return writeBytes(value.id);
  if (typeof value === 'boolean') return writeByte(value ? 1 : 0);
  if (value instanceof Date) return writeDouble(value.getTime());
  if (value instanceof Map) return writeDocument(value);
  if (Array.isArray(value)) {
    for (const element of value) writeTyped(element);
    return writeByte(0);
  }
  if (value instanceof Binary) {
    writeUnsigned(value.position);
    writeByte(value.sub_type);
    return writeBytes(value.buffer.subarray(0, value.position));
  }
  if (value instanceof Timestamp) {
    writeUnsigned(value.getHighBitsUnsigned());
    return writeUnsigned(value.getLowBitsUnsigned());
  }
  if (value instanceof BSONRegExp) {
    writeText(value.pattern);
    return writeText(value.options);
  }
  const order = typeOrder(value);
  if (order !== TypeOrder.minKey && order !== TypeOrder.maxKey && order !== TypeOrder.undefined) {
    writeEscaped(opaqueBytes(value));
  }
}

function writeDocument(document: BsonDocument): void {
  for (const [name, value] of document) {
    writeByte(typeOrder(value));
    writeText(name);
    if (value !== null) writeBody(value);
  }
  writeByte(0);
}

/** The nearest double, then what it leaves over, so that large integers and decimals keep their exact order. */
function writeNumber(value: BsonNumber): void {
  const nearest = toNumber(value);
  writeDouble(nearest);
  const rest = remainder(value, nearest);
  writeByte(rest === undefined ? 0x80 : rest.upper < 0 ? 0x7f : 0x81);
  if (rest === undefined) return;
  writeDouble(rest.upper);
  writeDouble(rest.lower);
}

function remainder(value: BsonNumber, nearest: number): { upper: number; lower: number } | undefined {
  if (typeof value === 'number' || value instanceof Double || !Number.isFinite(nearest)) return undefined;
  if (typeof value === 'bigint') {
    const rest = Number(value - BigInt(nearest));
    return rest === 0 ? undefined : { upper: rest, lower: 0 };
  }
  const exact = exactDecimal(value);
  if (!exact || Math.abs(exact.exponent) > 400) return undefined;
  const rest = subtractExact(exact, exactDouble(nearest));
  if (rest.coefficient === 0n) return undefined;
  const upper = decimalToNumber(toDecimal128(rest));
  return { upper, lower: decimalToNumber(toDecimal128(subtractExact(rest, exactDouble(upper)))) };
}

const decimalToNumber = (value: Decimal128): number => Number(value.toString());

function writeText(text: string): void {
  const start = reserve(Buffer.byteLength(text) + 1);
  buffer.write(text, start, 'utf8');
  buffer[length - 1] = 0;
  if (!text.includes('\0')) return;
  length = start;
  writeEscaped(Buffer.from(text));
}

/** A zero byte inside is followed by 0xff, so that the closing zero sorts first. */
function writeEscaped(bytes: Uint8Array): void {
  for (const byte of bytes) {
    writeByte(byte);
    if (byte === 0) writeByte(0xff);
  }
  writeByte(0);
}

function writeDouble(value: number): void {
  const start = reserve(8);
  if (Number.isNaN(value)) {
    buffer.fill(0, start, length);
    return;
  }
  buffer.writeDoubleBE(value === 0 ? 0 : value, start);
  if (buffer[start]! & 0x80) for (let at = start; at < length; at++) buffer[at]! ^= 0xff;
  else buffer[start]! ^= 0x80;
}

function writeUnsigned(value: number): void {
  buffer.writeUInt32BE(value >>> 0, reserve(4));
}

function writeByte(value: number): void {
  buffer[reserve(1)] = value;
}

function writeBytes(bytes: Uint8Array): void {
  buffer.set(bytes, reserve(bytes.length));
}

function reserve(size: number): number {
  const start = length;
  length += size;
  if (length > buffer.length) {
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, length));
    buffer.copy(larger, 0, 0, start);
    buffer = larger;
  }
  return start;
}
