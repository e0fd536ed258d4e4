import { locationError } from '../errors/mongo-error.ts';
import { isDocument, type BsonDocument, type BsonValue } from '../values/value.ts';

/** Paths as a tree of their parts. An empty tree is the end of a path. */
export interface PathTree extends Map<string, PathTree> {}

/** Makes a tree of paths. Throws Location31249 or 31250 when one path is inside another. */
export function pathTree(paths: readonly string[]): PathTree {
  const root: PathTree = new Map();
  for (const path of new Set(paths)) {
    const parts = path.split('.');
    let tree = root;
    parts.forEach((part, at) => {
      const last = at === parts.length - 1;
      const next = tree.get(part);
      if (next && last) throw locationError(31250, `Path collision at ${path}`);
      if (next?.size === 0) {
        throw locationError(31249, `Path collision at ${path} remaining portion ${parts.slice(at + 1).join('.')}`);
      }
      const child: PathTree = next ?? new Map();
      tree.set(part, child);
      tree = child;
    });
  }
  return root;
}

/** A copy of the document with only the paths of the tree. Scalars inside arrays on a path are dropped. */
export function keepPaths(document: BsonDocument, tree: PathTree): BsonDocument {
  const result: BsonDocument = new Map();
  for (const [name, value] of document) {
    const inner = tree.get(name);
    if (!inner) continue;
    const kept = inner.size === 0 ? value : keepInside(value, inner);
    if (kept !== undefined) result.set(name, kept);
  }
  return result;
}

function keepInside(value: BsonValue, tree: PathTree): BsonValue | undefined {
  if (isDocument(value)) return keepPaths(value, tree);
  if (!Array.isArray(value)) return undefined;
  return value.map((element) => keepInside(element, tree)).filter((element) => element !== undefined);
}

/** A copy of the document without the paths of the tree. */
export function removePaths(document: BsonDocument, tree: PathTree): BsonDocument {
  const result: BsonDocument = new Map();
  for (const [name, value] of document) {
    const inner = tree.get(name);
    if (!inner) result.set(name, value);
    else if (inner.size > 0) result.set(name, removeInside(value, inner));
  }
  return result;
}

function removeInside(value: BsonValue, tree: PathTree): BsonValue {
  if (isDocument(value)) return removePaths(value, tree);
  return Array.isArray(value) ? value.map((element) => removeInside(element, tree)) : value;
}

/**
 * Replaces the value at a path, in every element of the arrays on the path. Undefined removes the value. Changed parts
 * are copied. `at` is the part of the path to start with.
 */
export function mapPath(
  holder: BsonDocument,
  parts: readonly string[],
  change: (value: BsonValue) => BsonValue | undefined,
  at = 0,
): void {
  const part = parts[at]!;
  const value = holder.get(part);
  if (value === undefined) return;
  const changed = at === parts.length - 1 ? change(value) : mapInside(value, parts, change, at + 1);
  if (changed === undefined) holder.delete(part);
  else holder.set(part, changed);
}

function mapInside(
  value: BsonValue,
  parts: readonly string[],
  change: (value: BsonValue) => BsonValue | undefined,
  at: number,
): BsonValue {
  if (Array.isArray(value)) return value.map((element) => mapInside(element, parts, change, at));
  if (!isDocument(value)) return value;
  const copy = new Map(value);
  mapPath(copy, parts, change, at);
  return copy;
}
