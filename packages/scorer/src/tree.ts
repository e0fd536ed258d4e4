import { isLeaf, leafKey, type Leaf, type LeafKey } from './leaf.ts';
import { comparable, shapeOfValue, type Shape } from './shape.ts';

/** A leaf with its place in a result. */
export interface PlacedLeaf {
  /** `line_items.0.amount` */
  path: string;
  /** `line_items[].amount` */
  field: string;
  value: Leaf;
}

/**
 * A result, prepared for comparison: it has only the fields that both schemas have, and each leaf is normalized.
 * `filled` is the number of leaves that are not null. All of them are spurious if the truth has nothing in this place.
 */
export type Tree =
  | ({ kind: 'leaf'; key: LeafKey; filled: number } & PlacedLeaf)
  | { kind: 'object'; entries: Map<string, Tree>; filled: number }
  | { kind: 'list'; path: string; rows: Tree[]; filled: number };

/** The fields of the truth's schema and of the candidate's schema. */
export interface Shapes {
  truth: Shape;
  candidate: Shape;
}

interface PreparedResult {
  tree: Tree | undefined;
  /** Leaves that are not in the tree: the `removed` ones of a truth, the `unknown` ones of a candidate. */
  uncounted: PlacedLeaf[];
}

/** Decides whether a value is compared; if it is not, whether it is listed as uncounted. */
type Decide = (value: unknown, truth?: Shape, candidate?: Shape) => { counts: boolean; uncounted: boolean };

/** A value of the truth counts if the candidate's schema has its field. If its own schema lacks the field, the value defines the shape. */
const inTruth: Decide = (value, truth, candidate) => {
  const counts = comparable(truth ?? shapeOfValue(value), candidate);
  return { counts, uncounted: !counts };
};

/** A candidate's value counts if both schemas have its field. It is unknown if the truth's schema lacks the field. */
const inCandidate: Decide = (value, truth, candidate) => {
  const counts = comparable(truth, candidate);
  return { counts, uncounted: !counts && (!truth || (value !== null && candidate !== undefined)) };
};

export const prepareTruth = (value: unknown, shapes: Shapes): PreparedResult => prepare(value, shapes, inTruth);
export const prepareCandidate = (value: unknown, shapes: Shapes): PreparedResult => prepare(value, shapes, inCandidate);

/** Schemas of the product are far less deep. Deeper parts of a result are ignored. */
const maxDepth = 100;

function prepare(result: unknown, shapes: Shapes, decide: Decide): PreparedResult {
  const uncounted: PlacedLeaf[] = [];

  function visit(
    at: unknown,
    path: string,
    field: string,
    truth?: Shape,
    candidate?: Shape,
    depth = 0,
  ): Tree | undefined {
    if (depth > maxDepth || at === undefined) return undefined;
    const decided = decide(at, truth, candidate);
    if (isLeaf(at)) {
      if (decided.uncounted) uncounted.push({ path, field, value: at });
      const key = leafKey(at);
      return decided.counts ? { kind: 'leaf', key, filled: key === null ? 0 : 1, value: at, path, field } : undefined;
    }
    if (Array.isArray(at)) {
      const rows = at.map(
        (row: unknown, index): Tree =>
          visit(row, join(path, index), `${field}[]`, truth?.items(), candidate?.items(), depth + 1) ??
          // A row without a counted value still has an index in the list.
          objectOf(new Map()),
      );
      return decided.counts ? { kind: 'list', path, rows, filled: sumFilled(rows) } : undefined;
    }
    if (typeof at !== 'object' || at === null) return undefined;
    const entries = new Map<string, Tree>();
    for (const [name, child] of Object.entries(at)) {
      const inside = [truth?.property(name), candidate?.property(name)] as const;
      const tree = visit(child, join(path, name), join(field, name), ...inside, depth + 1);
      if (tree) entries.set(name, tree);
    }
    return decided.counts ? objectOf(entries) : undefined;
  }

  return { tree: visit(result, '', '', shapes.truth, shapes.candidate), uncounted };
}

const join = (path: string, name: string | number): string => (path === '' ? String(name) : `${path}.${name}`);

const objectOf = (entries: Map<string, Tree>): Tree => ({
  kind: 'object',
  entries,
  filled: sumFilled(entries.values()),
});

function sumFilled(trees: Iterable<Tree>): number {
  let filled = 0;
  for (const tree of trees) filled += tree.filled;
  return filled;
}

/** The leaves of a tree in order. */
export function leavesOf(tree: Tree): Extract<Tree, { kind: 'leaf' }>[] {
  if (tree.kind === 'leaf') return [tree];
  return [...(tree.kind === 'list' ? tree.rows : tree.entries.values())].flatMap(leavesOf);
}
