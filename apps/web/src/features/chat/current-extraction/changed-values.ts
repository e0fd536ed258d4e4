import type { Extraction } from '@docwright/contract';
import { fieldsOf, resultTree } from '../../../shared/values/result-tree.ts';

/** Paths whose value is another one than before, of the same document's extraction or of a newer one. */
export function changedPaths(before: Extraction | undefined, after: Extraction): ReadonlySet<string> {
  if (!before) return new Set();
  const former = new Map(fieldsOf(resultTree(before.result, undefined)).map(({ path, value }) => [path, value]));
  const changed = fieldsOf(resultTree(after.result, undefined)).filter(
    ({ path, value }) => former.get(path) !== value && (former.has(path) || value !== null),
  );
  return new Set(changed.map(({ path }) => path));
}
