import { isDocument, type BsonDocument, type BsonValue } from './value.ts';

/**
 * Sets the value at a path in place, in every element of the arrays on the path. Undefined removes the value. `at` is
 * the part of the path to start with.
 */
export function assign(holder: BsonDocument, parts: readonly string[], value: BsonValue | undefined, at = 0): void {
  const part = parts[at]!;
  if (at < parts.length - 1) holder.set(part, assignInside(holder.get(part), parts, value, at + 1));
  else if (value === undefined) holder.delete(part);
  else holder.set(part, value);
}

function assignInside(
  child: BsonValue | undefined,
  parts: readonly string[],
  value: BsonValue | undefined,
  at: number,
): BsonValue {
  if (Array.isArray(child)) return child.map((element) => assignInside(element, parts, value, at));
  const inner: BsonDocument = isDocument(child) ? child : new Map();
  assign(inner, parts, value, at);
  return inner;
}
