import { Binary, BSONRegExp, ObjectId, Timestamp } from 'bson';
import { compareNumbers } from './number.ts';
import { isNumber, OpaqueValue, TypeOrder, typeOrder, type BsonDocument, type BsonValue } from './value.ts';

const compareBytes = (a: Uint8Array, b: Uint8Array): number => Buffer.compare(a, b);

/** UTF-8 orders by code point, JavaScript by UTF-16 unit. The two orders differ only beyond the surrogates. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return /[\ud800-\udfff]/.test(a + b) ? compareBytes(Buffer.from(a), Buffer.from(b)) : a < b ? -1 : 1;
}

/** The order of BSON values: by type, then by value. A missing value equals null. */
export function compareValues(a: BsonValue | undefined, b: BsonValue | undefined): number {
  const order = typeOrder(a);
  const difference = order - typeOrder(b);
  if (difference !== 0) return difference < 0 ? -1 : 1;
  if (a === undefined || b === undefined || a === null || b === null) return 0;
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (a instanceof Map && b instanceof Map) return compareDocuments(a, b);
  if (Array.isArray(a) && Array.isArray(b)) return compareArrays(a, b);
  if (a instanceof ObjectId && b instanceof ObjectId) return compareBytes(a.id, b.id);
  if (a instanceof Date && b instanceof Date) return Math.sign(a.getTime() - b.getTime());
  if (typeof a === 'boolean') return Number(a) - Number(b);
  if (a instanceof Binary && b instanceof Binary) return compareBinary(a, b);
  if (a instanceof Timestamp && b instanceof Timestamp) return a.compare(b);
  if (a instanceof BSONRegExp && b instanceof BSONRegExp) {
    return compareText(a.pattern, b.pattern) || compareText(a.options, b.options);
  }
  return order === TypeOrder.minKey || order === TypeOrder.maxKey ? 0 : compareBytes(opaqueBytes(a), opaqueBytes(b));
}

/** Whether two values are equal in the order of values: an int32 equals a double of its value, a missing value null. */
export const equalValues = (a: BsonValue | undefined, b: BsonValue | undefined): boolean => compareValues(a, b) === 0;

function compareDocuments(a: BsonDocument, b: BsonDocument): number {
  const others = b[Symbol.iterator]();
  for (const [name, value] of a) {
    const next = others.next();
    if (next.done) return 1;
    const [otherName, otherValue] = next.value;
    const result =
      Math.sign(typeOrder(value) - typeOrder(otherValue)) ||
      compareText(name, otherName) ||
      compareValues(value, otherValue);
    if (result !== 0) return result;
  }
  return others.next().done ? 0 : -1;
}

function compareArrays(a: BsonValue[], b: BsonValue[]): number {
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index++) {
    const result = compareValues(a[index], b[index]);
    if (result !== 0) return result;
  }
  return Math.sign(a.length - b.length);
}

function compareBinary(a: Binary, b: Binary): number {
  return (
    Math.sign(a.position - b.position) ||
    Math.sign(a.sub_type - b.sub_type) ||
    compareBytes(a.buffer.subarray(0, a.position), b.buffer.subarray(0, b.position))
  );
}

/** The bytes that order opaque values; empty for other values. */
export const opaqueBytes = (value: BsonValue): Buffer => (value instanceof OpaqueValue ? value.bytes : Buffer.alloc(0));
