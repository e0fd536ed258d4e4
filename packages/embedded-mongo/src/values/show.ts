import { BSONRegExp, Decimal128, Double, ObjectId } from 'bson';
import { typeName, type BsonValue } from './value.ts';

/** Formats a value as MongoDB does in its error messages: `{ name: "x", n: 1 }`. */
export function show(value: BsonValue | undefined): string {
  if (value === undefined) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' || value === null) {
    return String(value);
  }
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value instanceof Double) return Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value);
  if (value instanceof Decimal128) return `Decimal128('${value.toString()}')`;
  if (value instanceof BSONRegExp) return `/${value.pattern}/${value.options}`;
  if (Array.isArray(value)) return value.length > 0 ? `[ ${value.map(show).join(', ')} ]` : '[]';
  if (!(value instanceof Map)) return typeName(value);
  return value.size > 0 ? `{ ${[...value].map(([name, inner]) => `${name}: ${show(inner)}`).join(', ')} }` : '{}';
}
