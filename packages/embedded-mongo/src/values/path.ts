import type { BsonDocument, BsonValue } from './value.ts';

/** An array on a path: the path of the array, and the chosen element. */
interface ArrayStep {
  path: string;
  index: number;
}

type Visitor = (value: BsonValue | undefined, step: ArrayStep | undefined) => boolean;

export const isArrayIndex = (part: string): boolean => /^(0|[1-9]\d*)$/.test(part);

/**
 * Calls the visitor for every value at a dotted path. It follows arrays as a query does: a number in the path is a
 * position, and every element that is a document is visited too. `step` is the outermost array on the path. Stops and
 * returns true when the visitor returns true.
 */
export function visitPath(document: BsonDocument, parts: readonly string[], visitor: Visitor): boolean {
  return visit(document, parts, 0, visitor, undefined);
}

function visit(
  value: BsonValue | undefined,
  parts: readonly string[],
  at: number,
  visitor: Visitor,
  step: ArrayStep | undefined,
): boolean {
  if (at === parts.length) return visitor(value, step);
  if (value instanceof Map) return visit(value.get(parts[at]!), parts, at + 1, visitor, step);
  if (Array.isArray(value)) return visitArray(value, parts, at, visitor, step);
  return visitor(undefined, step);
}

function visitArray(
  values: BsonValue[],
  parts: readonly string[],
  at: number,
  visitor: Visitor,
  step: ArrayStep | undefined,
): boolean {
  const part = parts[at]!;
  if (isArrayIndex(part) && Number(part) < values.length) {
    if (visit(values[Number(part)], parts, at + 1, visitor, step)) return true;
  }
  for (let index = 0; index < values.length; index++) {
    const element = values[index];
    if (!(element instanceof Map)) continue;
    if (visit(element, parts, at, visitor, step ?? { path: parts.slice(0, at).join('.'), index })) return true;
  }
  return false;
}

/** The value at a path. Array elements are addressed by position only. */
export function valueAt(document: BsonDocument, path: string): BsonValue | undefined {
  let value: BsonValue | undefined = document;
  for (const part of path.split('.')) {
    if (value instanceof Map) value = value.get(part);
    else if (Array.isArray(value) && isArrayIndex(part)) value = value[Number(part)];
    else return undefined;
  }
  return value;
}

/** A copy that shares no document or array with the original. */
export function copyValue(value: BsonValue): BsonValue {
  if (value instanceof Map) return new Map([...value].map(([name, inner]) => [name, copyValue(inner)]));
  return Array.isArray(value) ? value.map(copyValue) : value;
}
