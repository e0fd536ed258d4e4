import { isUtf8 } from 'node:buffer';
import { Binary, BSONRegExp, Decimal128, Double, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { maxDepth } from '../errors/limits.ts';
import { invalidBson } from '../errors/mongo-error.ts';
import { BsonType, OpaqueValue, type BsonDocument, type BsonValue } from '../values/value.ts';

const minCodeWithScopeBytes = 14;
const maxDateMs = 8_640_000_000_000_000n;

/** One element of a document's bytes: the offsets of its name and its value. */
interface RawElement {
  type: number;
  name: string;
  /** Offset of the type byte. */
  start: number;
  valueStart: number;
  end: number;
}

/** The bytes of the document at an offset. Throws InvalidBSON when its length is impossible. */
export function documentAt(bytes: Buffer, offset: number, limit = bytes.length): Buffer {
  if (offset + 5 > limit) throw invalidBson('document is cut short');
  const length = bytes.readInt32LE(offset);
  if (length < 5 || offset + length > limit) throw invalidBson(`invalid document length ${length}`);
  if (bytes[offset + length - 1] !== 0) throw invalidBson('document does not end with a zero byte');
  return bytes.subarray(offset, offset + length);
}

/** The elements of a document, without decoding their values. */
export function* elementsOf(document: Buffer): Generator<RawElement> {
  const limit = documentAt(document, 0).length - 1;
  let position = 4;
  while (position < limit) {
    const start = position;
    const type = document[position]!;
    const nameEnd = endOfCString(document, position + 1, limit);
    const name = document.toString('utf8', position + 1, nameEnd);
    const valueStart = nameEnd + 1;
    const end = valueStart + valueSize(document, type, valueStart, limit);
    if (end > limit) throw invalidBson(`value of '${name}' is cut short`);
    yield { type, name, start, valueStart, end };
    position = end;
  }
}

/**
 * Decodes a document. With `fields`, only these top-level fields are decoded: a scan of large documents for a few
 * fields is then cheap. Throws InvalidBSON for bytes that are not a document.
 */
export function decodeDocument(bytes: Buffer, fields?: ReadonlySet<string>): BsonDocument {
  return decodeInside(bytes, 0, bytes.length, 0, fields);
}

/** Throws InvalidBSON unless the bytes are one well-formed document, nested no deeper than MongoDB allows. */
export function checkDocument(bytes: Buffer): void {
  checkInside(bytes, 0, bytes.length, 0);
}

function decodeInside(bytes: Buffer, offset: number, limit: number, depth: number, fields?: ReadonlySet<string>) {
  const end = checkFrame(bytes, offset, limit, depth);
  const document: BsonDocument = new Map();
  let position = offset + 4;
  while (position < end) {
    const type = bytes[position]!;
    const nameEnd = endOfCString(bytes, position + 1, end);
    const name = readName(bytes, position + 1, nameEnd);
    const valueEnd = nameEnd + 1 + valueSize(bytes, type, nameEnd + 1, end);
    if (valueEnd > end) throw invalidBson(`value of '${name}' is cut short`);
    if (!fields || fields.has(name)) document.set(name, decodeValue(bytes, type, nameEnd + 1, valueEnd, depth));
    position = valueEnd;
  }
  return document;
}

function decodeArray(bytes: Buffer, offset: number, limit: number, depth: number): BsonValue[] {
  const end = checkFrame(bytes, offset, limit, depth);
  const values: BsonValue[] = [];
  let position = offset + 4;
  while (position < end) {
    const type = bytes[position]!;
    const valueStart = endOfCString(bytes, position + 1, end) + 1;
    const valueEnd = valueStart + valueSize(bytes, type, valueStart, end);
    if (valueEnd > end) throw invalidBson('array is cut short');
    values.push(decodeValue(bytes, type, valueStart, valueEnd, depth));
    position = valueEnd;
  }
  return values;
}

function decodeValue(bytes: Buffer, type: number, start: number, end: number, depth: number): BsonValue {
  switch (type) {
    case BsonType.double:
      return new Double(bytes.readDoubleLE(start));
    case BsonType.string:
      return bytes.toString('utf8', start + 4, end - 1);
    case BsonType.object:
      return decodeInside(bytes, start, end, depth + 1);
    case BsonType.array:
      return decodeArray(bytes, start, end, depth + 1);
    case BsonType.binData:
      return decodeBinary(bytes, start, end);
    case BsonType.objectId:
      return new ObjectId(bytes.subarray(start, end));
    case BsonType.bool:
      return bytes[start] === 1;
    case BsonType.date:
      return decodeDate(bytes.readBigInt64LE(start));
    case BsonType.null:
      return null;
    case BsonType.regex: {
      const patternEnd = endOfCString(bytes, start, end);
      return new BSONRegExp(bytes.toString('utf8', start, patternEnd), bytes.toString('utf8', patternEnd + 1, end - 1));
    }
    case BsonType.int:
      return bytes.readInt32LE(start);
    case BsonType.timestamp:
      return new Timestamp(bytes.readBigUInt64LE(start));
    case BsonType.long:
      return bytes.readBigInt64LE(start);
    case BsonType.decimal:
      return new Decimal128(Buffer.from(bytes.subarray(start, end)));
    case BsonType.minKey:
      return new MinKey();
    case BsonType.maxKey:
      return new MaxKey();
    default:
      return new OpaqueValue(type, Buffer.from(bytes.subarray(start, end)));
  }
}

function decodeBinary(bytes: Buffer, start: number, end: number): Binary {
  const subtype = bytes[start + 4]!;
  const dataStart = subtype === Binary.SUBTYPE_BYTE_ARRAY ? start + 9 : start + 5;
  return new Binary(bytes.subarray(dataStart, end), subtype);
}

function decodeDate(milliseconds: bigint): Date {
  if (milliseconds > maxDateMs || milliseconds < -maxDateMs) throw invalidBson('date is out of range');
  return new Date(Number(milliseconds));
}

function checkInside(bytes: Buffer, offset: number, limit: number, depth: number): void {
  const end = checkFrame(bytes, offset, limit, depth);
  let position = offset + 4;
  while (position < end) {
    const type = bytes[position]!;
    const valueStart = endOfCString(bytes, position + 1, end) + 1;
    const valueEnd = valueStart + valueSize(bytes, type, valueStart, end);
    if (valueEnd > end) throw invalidBson('value is cut short');
    checkValue(bytes, type, valueStart, valueEnd, depth);
    position = valueEnd;
  }
}

function checkValue(bytes: Buffer, type: number, start: number, end: number, depth: number): void {
  switch (type) {
    case BsonType.object:
    case BsonType.array:
      return checkInside(bytes, start, end, depth + 1);
    case BsonType.string:
    case BsonType.javascript:
    case BsonType.symbol:
      return checkString(bytes, start, end);
    case BsonType.dbPointer:
      return checkString(bytes, start, end - 12);
    case BsonType.javascriptWithScope: {
      const scopeStart = start + 8 + stringLength(bytes, start + 4, end);
      checkString(bytes, start + 4, scopeStart);
      return checkInside(bytes, scopeStart, end, depth + 1);
    }
    case BsonType.bool:
      if (bytes[start]! > 1) throw invalidBson('boolean is neither 0 nor 1');
      return;
    case BsonType.date:
      decodeDate(bytes.readBigInt64LE(start));
      return;
    case BsonType.binData:
      if (bytes[start + 4] !== Binary.SUBTYPE_BYTE_ARRAY) return;
      if (end - start < 9 || bytes.readInt32LE(start + 5) !== end - start - 9) {
        throw invalidBson('length inside binary data of subtype 2 is wrong');
      }
  }
}

function checkString(bytes: Buffer, start: number, end: number): void {
  if (bytes[end - 1] !== 0) throw invalidBson('string does not end with a zero byte');
  if (!isUtf8(bytes.subarray(start + 4, end - 1))) throw invalidBson('string is not UTF-8');
}

/** Checks the frame of a document and returns the offset of its closing zero byte. */
function checkFrame(bytes: Buffer, offset: number, limit: number, depth: number): number {
  if (depth > maxDepth) throw invalidBson(`document is nested deeper than ${maxDepth} levels`);
  if (offset + 5 > limit || bytes.readInt32LE(offset) !== limit - offset) throw invalidBson('document length is wrong');
  if (bytes[limit - 1] !== 0) throw invalidBson('document does not end with a zero byte');
  return limit - 1;
}

function endOfCString(bytes: Buffer, start: number, limit: number): number {
  let position = start;
  while (position < limit && bytes[position] !== 0) position++;
  if (position >= limit) throw invalidBson('name does not end with a zero byte');
  return position;
}

function readName(bytes: Buffer, start: number, end: number): string {
  for (let position = start; position < end; position++) {
    if (bytes[position]! > 0x7f) return bytes.toString('utf8', start, end);
  }
  return bytes.toString('latin1', start, end);
}

function stringLength(bytes: Buffer, start: number, limit: number): number {
  const length = readLength(bytes, start, limit);
  if (length < 1) throw invalidBson('invalid string length');
  return length;
}

function readLength(bytes: Buffer, start: number, limit: number): number {
  if (start + 4 > limit) throw invalidBson('length is cut short');
  const length = bytes.readInt32LE(start);
  if (length < 0) throw invalidBson('length is negative');
  return length;
}

function valueSize(bytes: Buffer, type: number, start: number, limit: number): number {
  switch (type) {
    case BsonType.null:
    case BsonType.undefined:
    case BsonType.minKey:
    case BsonType.maxKey:
      return 0;
    case BsonType.bool:
      return 1;
    case BsonType.int:
      return 4;
    case BsonType.double:
    case BsonType.date:
    case BsonType.timestamp:
    case BsonType.long:
      return 8;
    case BsonType.objectId:
      return 12;
    case BsonType.decimal:
      return 16;
    case BsonType.string:
    case BsonType.javascript:
    case BsonType.symbol:
      return 4 + stringLength(bytes, start, limit);
    case BsonType.object:
    case BsonType.array:
      return readLength(bytes, start, limit);
    case BsonType.javascriptWithScope: {
      const length = readLength(bytes, start, limit);
      if (length < minCodeWithScopeBytes) throw invalidBson('code with scope is cut short');
      return length;
    }
    case BsonType.binData:
      return 5 + readLength(bytes, start, limit);
    case BsonType.dbPointer:
      return 16 + stringLength(bytes, start, limit);
    case BsonType.regex: {
      const patternEnd = endOfCString(bytes, start, limit);
      return endOfCString(bytes, patternEnd + 1, limit) + 1 - start;
    }
    default:
      throw invalidBson(`type ${type} is not known`);
  }
}
