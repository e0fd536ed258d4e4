import { Binary, BSONRegExp, Decimal128, Double, ObjectId, Timestamp } from 'bson';
import { maxDepth } from '../errors/limits.ts';
import { MongoError } from '../errors/mongo-error.ts';
import { bsonType, OpaqueValue, type BsonDocument, type BsonValue } from '../values/value.ts';
import { ByteWriter } from './byte-writer.ts';

const writer = new ByteWriter();

let depth = 0;

/**
 * Encodes a document. A field whose value is undefined is left out. Throws Overflow when the document is nested deeper
 * than the decoder allows.
 */
export function encodeDocument(document: BsonDocument): Buffer {
  writer.reset();
  depth = 0;
  writeDocument(document);
  return writer.take();
}

function writeDocument(document: BsonDocument): void {
  const start = startFrame();
  for (const [name, value] of document) if (value !== undefined) writeElement(name, value);
  endFrame(start);
}

function writeArray(values: readonly BsonValue[]): void {
  const start = startFrame();
  for (let index = 0; index < values.length; index++) writeElement(String(index), values[index]!);
  endFrame(start);
}

function startFrame(): number {
  if (depth++ > maxDepth) throw new MongoError(15, 'Overflow', `document is nested deeper than ${maxDepth} levels`);
  const start = writer.length;
  writer.int32(0);
  return start;
}

function endFrame(start: number): void {
  depth--;
  writer.byte(0);
  writer.int32At(start, writer.length - start);
}

function writeElement(name: string, value: BsonValue): void {
  writer.byte(bsonType(value));
  writer.text(name);
  writeValue(value);
}

function writeValue(value: BsonValue): void {
  switch (typeof value) {
    case 'number':
      return writer.int32(value);
    case 'bigint':
      return writer.int64(value);
    case 'string':
      return writeString(value);
    case 'boolean':
      return writer.byte(value ? 1 : 0);
  }
  if (value === null) return;
  if (value instanceof Map) return writeDocument(value);
  if (Array.isArray(value)) return writeArray(value);
  if (value instanceof ObjectId) return writer.bytes(value.id);
  if (value instanceof Double) return writer.double(value.value);
  if (value instanceof Date) return writer.int64(BigInt(value.getTime()));
  if (value instanceof Decimal128 || value instanceof OpaqueValue) return writer.bytes(value.bytes);
  if (value instanceof Timestamp) return writer.int64(BigInt.asIntN(64, value.toBigInt()));
  if (value instanceof Binary) return writeBinary(value);
  if (value instanceof BSONRegExp) {
    writer.text(value.pattern);
    writer.text(value.options);
  }
}

function writeString(value: string): void {
  const start = writer.length;
  writer.int32(0);
  writer.text(value);
  writer.int32At(start, writer.length - start - 4);
}

function writeBinary(value: Binary): void {
  const data = value.buffer.subarray(0, value.position);
  const inner = value.sub_type === Binary.SUBTYPE_BYTE_ARRAY ? 4 : 0;
  writer.int32(data.length + inner);
  writer.byte(value.sub_type);
  if (inner) writer.int32(data.length);
  writer.bytes(data);
}
