import type { Extraction } from '@docwright/contract';
import { fieldsOf, resultTree } from '../../../shared/values/result-tree.ts';

/** Paths of the values that differ between two extractions of a document. */
export function changedPaths(before: Extraction | undefined, after: Extraction): ReadonlySet<string> {
  if (!before) return new Set();
  const oldValues = new Map(fieldsOf(resultTree(before.result, undefined)).map(({ path, value }) => [path, value]));
  const changed = fieldsOf(resultTree(after.result, undefined)).filter(
    ({ path, value }) => oldValues.get(path) !== value && (oldValues.has(path) || value !== null),
  );
  return new Set(changed.map(({ path }) => path));
}
