import { Binary, BSONRegExp, Double, ObjectId, Timestamp, type Decimal128 } from 'bson';
import { opaqueBytes } from '../values/compare.ts';
import { exactDecimal, exactDouble, subtractExact, toDecimal128 } from '../values/decimal.ts';
import { toNumber } from '../values/number.ts';
import { isNumber, TypeOrder, typeOrder, type BsonDocument, type BsonNumber, type BsonValue } from '../values/value.ts';
import { ByteWriter } from './byte-writer.ts';

/** Represents an empty array in a key, because an index distinguishes it from null. */
export const emptyArray = Symbol('empty array');
export type KeyPart = BsonValue | undefined | typeof emptyArray;

const writer = new ByteWriter();

/**
 * Bytes whose order under memcmp is the order of the values, so that a SQLite index on them has MongoDB's order.
 * Descending parts are inverted bit by bit.
 */
export function sortKey(parts: readonly KeyPart[], directions: readonly number[]): Buffer {
  writer.reset();
  for (let index = 0; index < parts.length; index++) {
    const start = writer.length;
    const part = parts[index];
    if (part === emptyArray) writer.byte(TypeOrder.undefined);
    else writeTyped(part);
    if (directions[index]! < 0) writer.invertFrom(start);
  }
  return writer.take();
}

export const valueKey = (value: BsonValue | undefined): Buffer => sortKey([value], [1]);

/** The first bytes of the key of every string with this prefix. */
export const stringPrefixKey = (prefix: string): Buffer => {
  const key = valueKey(prefix);
  return key.subarray(0, key.length - 1);
};

function writeTyped(value: BsonValue | undefined): void {
  writer.byte(typeOrder(value));
  if (value !== undefined && value !== null) writeBody(value);
}

function writeBody(value: BsonValue): void {
  if (typeof value === 'string') return writeText(value);
  if (isNumber(value)) return writeNumber(value);
  if (value instanceof ObjectId) return writer.bytes(value.id);
  if (typeof value === 'boolean') return writer.byte(value ? 1 : 0);
  if (value instanceof Date) return writeDouble(value.getTime());
  if (value instanceof Map) return writeDocument(value);
  if (Array.isArray(value)) {
    for (const element of value) writeTyped(element);
    return writer.byte(0);
  }
  if (value instanceof Binary) {
    writer.unsignedBigEndian(value.position);
    writer.byte(value.sub_type);
    return writer.bytes(value.buffer.subarray(0, value.position));
  }
  if (value instanceof Timestamp) {
    writer.unsignedBigEndian(value.getHighBitsUnsigned());
    return writer.unsignedBigEndian(value.getLowBitsUnsigned());
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
    writer.byte(typeOrder(value));
    writeText(name);
    if (value !== null) writeBody(value);
  }
  writer.byte(0);
}

/** The nearest double, then the remainder: this orders large integers and decimals exactly. */
function writeNumber(value: BsonNumber): void {
  const nearest = toNumber(value);
  writeDouble(nearest);
  const rest = remainder(value, nearest);
  writer.byte(rest === undefined ? 0x80 : rest.upper < 0 ? 0x7f : 0x81);
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
  if (text.includes('\0') || text.includes('\u0001')) writeEscaped(Buffer.from(text));
  else writer.text(text);
}

/** The bytes and a zero byte. The bytes 0 and 1 become 1 1 and 1 2, so that no key is a prefix of another. */
function writeEscaped(bytes: Uint8Array): void {
  for (const byte of bytes) {
    if (byte <= 1) writer.byte(1);
    writer.byte(byte <= 1 ? byte + 1 : byte);
  }
  writer.byte(0);
}

/**
 * Flips the sign bit, and all bits of a negative number, so that the bytes have the order of the numbers. NaN is first.
 */
function writeDouble(value: number): void {
  const start = writer.length;
  if (Number.isNaN(value)) return writer.bytes(Buffer.alloc(8));
  writer.doubleBigEndian(value === 0 ? 0 : value);
  if (writer.byteAt(start) & 0x80) writer.invertFrom(start);
  else writer.flipSign(start);
}
