import { pathNotViable } from '../errors/mongo-error.ts';
import { isArrayIndex } from '../values/path.ts';
import { show } from '../values/show.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';

const maxPadding = 1_500_000;

/**
 * Sets the value at a path and creates missing documents on the way. Throws PathNotViable when a scalar blocks the
 * path.
 */
export function setAt(document: BsonDocument, path: string, value: BsonValue): void {
  const parts = path.split('.');
  let holder: BsonValue | undefined = document;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    const last = at === parts.length - 1;
    if (!(holder instanceof Map) && !(Array.isArray(holder) && isArrayIndex(part))) {
      throw pathNotViable(`Cannot create field '${part}' in element {${parts[at - 1]}: ${show(holder)}}`);
    }
    if (last) {
      putChild(holder, part, value);
      return;
    }
    let child = childOf(holder, part);
    if (child === undefined) {
      child = new Map();
      putChild(holder, part, child);
    }
    holder = child;
  }
}

/** Removes the value at a path. An array element becomes null, so that the other elements keep their positions. */
export function unsetAt(document: BsonDocument, path: string): void {
  const parts = path.split('.');
  const last = parts.pop()!;
  let holder: BsonValue | undefined = document;
  for (const part of parts) holder = childOf(holder, part);
  if (holder instanceof Map) holder.delete(last);
  else if (Array.isArray(holder) && isArrayIndex(last) && Number(last) < holder.length) holder[Number(last)] = null;
}

/** The field of a document, or the element of an array at a position. */
export function childOf(holder: BsonValue | undefined, part: string): BsonValue | undefined {
  if (holder instanceof Map) return holder.get(part);
  return Array.isArray(holder) && isArrayIndex(part) ? holder[Number(part)] : undefined;
}

function putChild(holder: BsonDocument | BsonValue[], part: string, value: BsonValue): void {
  if (holder instanceof Map) {
    holder.set(part, value);
    return;
  }
  const index = Number(part);
  if (index > holder.length + maxPadding) {
    throw pathNotViable(`can't backfill array to larger than ${maxPadding} elements`);
  }
  while (holder.length < index) holder.push(null);
  holder[index] = value;
}

/** Orders paths as MongoDB applies changes: part by part, with array positions by their size. */
export function comparePaths(a: string, b: string): number {
  const x = a.split('.');
  const y = b.split('.');
  for (let at = 0; at < Math.min(x.length, y.length); at++) {
    const first = x[at]!;
    const second = y[at]!;
    if (first === second) continue;
    if (isArrayIndex(first) && isArrayIndex(second)) return Number(first) - Number(second);
    return first < second ? -1 : 1;
  }
  return x.length - y.length;
}
