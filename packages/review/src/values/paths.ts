import type { Steps } from '../steps/steps.ts';

/** A scalar or null of a result, with its path and its field. */
export interface LeafPath {
  /** Dotted with indexes, as in groundings: `line_items.0.amount`. */
  readonly path: string;
  /** Equal for all rows of a list: `line_items[].amount`. */
  readonly field: string;
  readonly value: string | number | boolean | null;
}

/** Schemas are far less deep. Deeper parts of a result are ignored. */
const maxDepth = 40;

/**
 * Every leaf of a result, in order. An empty list or object has none.
 *
 * @example
 * ```ts
 * import { leafPaths } from '@docwright/review';
 *
 * leafPaths({ total: 3, rows: [{ a: null }] }).map(({ path }) => path); // ['total', 'rows.0.a']
 * ```
 */
export function leafPaths(result: unknown): LeafPath[] {
  const leaves: LeafPath[] = [];
  collect(result, '', '', 0, leaves);
  return leaves;
}

/**
 * As `leafPaths`, in steps: a result can have 100,000 values.
 *
 * @example
 * ```ts
 * import { leafPathSteps } from '@docwright/review';
 *
 * const steps = leafPathSteps({ total: 3 });
 * let step = steps.next();
 * while (!step.done) step = steps.next();
 * step.value; // [{ path: 'total', field: 'total', value: 3 }]
 * ```
 */
export function* leafPathSteps(result: unknown): Generator<void, LeafPath[], undefined> {
  const leaves: LeafPath[] = [];
  yield* collectInSteps(result, '', '', 0, leaves);
  return leaves;
}

/** Members of one list or object that are collected in one step. */
const membersOfStep = 100;

function* collectInSteps(value: unknown, path: string, field: string, depth: number, leaves: LeafPath[]): Steps<void> {
  if (typeof value !== 'object' || value === null || depth > maxDepth) {
    collect(value, path, field, depth, leaves);
    return;
  }
  const isList = Array.isArray(value);
  let count = 0;
  for (const name of isList ? value.keys() : Object.keys(value)) {
    const own = isList ? `${field}[]` : join(field, String(name));
    yield* collectInSteps(
      (value as Record<PropertyKey, unknown>)[name],
      join(path, String(name)),
      own,
      depth + 1,
      leaves,
    );
    count += 1;
    if (count % membersOfStep === 0) yield;
  }
}

function collect(value: unknown, path: string, field: string, depth: number, leaves: LeafPath[]): void {
  if (depth > maxDepth || value === undefined) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      collect(item, join(path, String(index)), `${field}[]`, depth + 1, leaves);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value))
      collect(item, join(path, name), join(field, name), depth + 1, leaves);
  } else leaves.push({ path, field, value: value as LeafPath['value'] });
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/**
 * The field of a path: each index becomes `[]`.
 *
 * @example
 * ```ts
 * import { fieldOf } from '@docwright/review';
 *
 * fieldOf('line_items.12.amount'); // 'line_items[].amount'
 * ```
 */
export function fieldOf(path: string): string {
  return path.replaceAll(/\.\d+(?=\.|$)/g, '[]');
}
