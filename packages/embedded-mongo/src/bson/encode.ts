import { Binary, BSONRegExp, Decimal128, Double, ObjectId, Timestamp } from 'bson';
import { bsonType, OpaqueValue, type BsonDocument, type BsonValue } from './value.ts';

const keptBytes = 1 << 20;
let buffer = Buffer.allocUnsafe(1 << 14);
let length = 0;

/** The bytes of a document; fields whose value is missing are left out. */
export function encodeDocument(document: BsonDocument): Buffer {
  length = 0;
  writeDocument(document);
  const bytes = Buffer.from(buffer.subarray(0, length));
  if (buffer.length > keptBytes) buffer = Buffer.allocUnsafe(1 << 14);
  return bytes;
}

function writeDocument(document: BsonDocument): void {
  const start = reserve(4);
  for (const [name, value] of document) if (value !== undefined) writeElement(name, value);
  close(start);
}

function writeArray(values: readonly BsonValue[]): void {
  const start = reserve(4);
  for (let index = 0; index < values.length; index++) writeElement(String(index), values[index]!);
  close(start);
}

function close(start: number): void {
  writeByte(0);
  buffer.writeInt32LE(length - start, start);
}

function writeElement(name: string, value: BsonValue): void {
  writeByte(bsonType(value));
  writeCString(name);
  writeValue(value);
}

function writeValue(value: BsonValue): void {
  switch (typeof value) {
    case 'number':
      return writeInt32(value);
    case 'bigint':
      return writeInt64(value);
    case 'string':
      return writeString(value);
    case 'boolean':
      return writeByte(value ? 1 : 0);
  }
  if (value === null) return;
  if (value instanceof Map) return writeDocument(value);
  if (Array.isArray(value)) return writeArray(value);
  if (value instanceof ObjectId) return writeBytes(value.id);
  if (value instanceof Double) writeDouble(value.value);
  else if (value instanceof Date) writeInt64(BigInt(value.getTime()));
  else if (value instanceof Decimal128) writeBytes(value.bytes);
  else if (value instanceof OpaqueValue) writeBytes(value.bytes);
  else if (value instanceof Timestamp) writeInt64(BigInt.asIntN(64, value.toBigInt()));
  else if (value instanceof BSONRegExp) {
    writeCString(value.pattern);
    writeCString(value.options);
  } else if (value instanceof Binary) writeBinary(value);
}

function writeString(value: string): void {
  const byteLength = Buffer.byteLength(value);
  const start = reserve(4 + byteLength + 1);
  buffer.writeInt32LE(byteLength + 1, start);
  buffer.write(value, start + 4, 'utf8');
  buffer[length - 1] = 0;
}

function writeCString(value: string): void {
  const start = reserve(Buffer.byteLength(value) + 1);
  buffer.write(value, start, 'utf8');
  buffer[length - 1] = 0;
}

function writeBinary(value: Binary): void {
  const data = value.buffer.subarray(0, value.position);
  const inner = value.sub_type === Binary.SUBTYPE_BYTE_ARRAY ? 4 : 0;
  const start = reserve(5 + inner);
  buffer.writeInt32LE(data.length + inner, start);
  buffer[start + 4] = value.sub_type;
  if (inner) buffer.writeInt32LE(data.length, start + 5);
  writeBytes(data);
}

function writeBytes(bytes: Uint8Array): void {
  const start = reserve(bytes.length);
  buffer.set(bytes, start);
}

function writeByte(value: number): void {
  const start = reserve(1);
  buffer[start] = value;
}

function writeInt32(value: number): void {
  const start = reserve(4);
  buffer.writeInt32LE(value, start);
}

function writeInt64(value: bigint): void {
  const start = reserve(8);
  buffer.writeBigInt64LE(value, start);
}

function writeDouble(value: number): void {
  const start = reserve(8);
  buffer.writeDoubleLE(value, start);
}

/**
 * Makes room and returns the offset where it begins. Call it in a statement of its own: it may put a larger buffer in the
 * place of `buffer`, and an expression such as `buffer[reserve(1)] = 0` has taken hold of the old one before.
 */
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
