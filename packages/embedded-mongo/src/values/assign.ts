import { isDocument, type BsonDocument, type BsonValue } from './value.ts';

/** Sets a path in place, in every element of the arrays on the way; a missing value removes it. */
export function assign(holder: BsonDocument, parts: readonly string[], at: number, value: BsonValue | undefined): void {
  const part = parts[at]!;
  if (at === parts.length - 1) {
    if (value === undefined) holder.delete(part);
    else holder.set(part, value);
    return;
  }
  const child = holder.get(part);
  holder.set(part, assignInside(child, parts, at + 1, value));
}

function assignInside(
  child: BsonValue | undefined,
  parts: readonly string[],
  at: number,
  value: BsonValue | undefined,
): BsonValue {
  if (Array.isArray(child)) return child.map((element) => assignInside(element, parts, at, value));
  const inner: BsonDocument = isDocument(child) ? child : new Map();
  assign(inner, parts, at, value);
  return inner;
}
