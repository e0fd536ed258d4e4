/** A scalar or null at a path: the unit that is counted. */
export type Leaf = string | number | boolean | null;

/** The normal form of a leaf, in which leaves are compared. An empty text is null. */
export type LeafKey = Leaf;

/** Two numbers are equal if they differ by at most this fraction of the larger one. */
const tolerance = 1e-9;

export const isLeaf = (value: unknown): value is Leaf =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Normalizes a leaf once, because an alignment compares it with many others. */
export function leafKey(leaf: Leaf): LeafKey {
  if (typeof leaf !== 'string') return leaf;
  const text = leaf.normalize('NFC').trim().replaceAll(/\s+/gu, ' ');
  return text === '' ? null : text;
}

export const equalKeys = (a: LeafKey, b: LeafKey): boolean =>
  a === b ||
  (typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b)));

/**
 * Whether two leaves hold the same value.
 *
 * `null`, `undefined` and `''` are equal. Numbers are equal within 1e-9 of the larger one. Texts are compared after
 * Unicode normalization (NFC), trimming and collapsing of white space. A number never equals a text.
 *
 * @example
 * ```ts
 * import { equalLeaves } from '@docwright/scorer';
 *
 * equalLeaves('Ada  Lovelace ', 'Ada Lovelace'); // true
 * equalLeaves(null, undefined); // true
 * equalLeaves(12, '12'); // false
 * ```
 */
export const equalLeaves = (a: Leaf | undefined, b: Leaf | undefined): boolean =>
  equalKeys(leafKey(a ?? null), leafKey(b ?? null));
