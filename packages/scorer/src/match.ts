import { bestAlignment, isCorrectLeaf, type Work } from './align.ts';
import { leavesOf, type PlacedLeaf, type Tree } from './tree.ts';

/** One leaf of the truth, and what a candidate has in its place. */
interface MatchedLeaf extends PlacedLeaf {
  /** Missing where the candidate has nothing there: an absent key, or a whole missing row. */
  found?: PlacedLeaf;
  isCorrect: boolean;
}

export interface Matching {
  /** Every counted leaf of the truth, in its order: the same for any candidate. */
  leaves: MatchedLeaf[];
  spurious: PlacedLeaf[];
  /** Where the rows of the truth are in the candidate: `line_items.2` → `line_items.3`. */
  rows: Map<string, string>;
}

/** Holds a candidate against the truth, leaf by leaf. */
export function* matchTrees(
  truth: Tree | undefined,
  candidate: Tree | undefined,
  work: Work,
): Generator<void, Matching> {
  const matching: Matching = { leaves: [], spurious: [], rows: new Map() };
  if (truth) yield* match(truth, candidate, matching, work);
  else if (candidate) addSpurious(candidate, matching);
  return matching;
}

function* match(truth: Tree, candidate: Tree | undefined, into: Matching, work: Work): Generator<void, void> {
  if (truth.kind === 'leaf') {
    const { path, field, value } = truth;
    const found = candidate?.kind === 'leaf' && { found: placeOf(candidate) };
    into.leaves.push({ path, field, value, ...found, isCorrect: isCorrectLeaf(truth, candidate) });
    if (candidate?.kind === 'list') addSpurious(candidate, into);
  } else if (truth.kind === 'object') {
    const entries = candidate?.kind === 'object' ? candidate.entries : undefined;
    if (candidate && !entries) addSpurious(candidate, into);
    for (const [name, tree] of truth.entries) yield* match(tree, entries?.get(name), into, work);
    for (const [name, tree] of entries ?? []) if (!truth.entries.has(name)) addSpurious(tree, into);
  } else if (candidate?.kind === 'list') {
    const { pairs } = yield* bestAlignment(truth.rows, candidate.rows, work);
    for (const { truth: i, candidate: j } of pairs) {
      if (i !== undefined && j !== undefined) {
        into.rows.set(`${truth.path}.${i}`, `${candidate.path}.${j}`);
        yield* match(truth.rows[i]!, candidate.rows[j], into, work);
      } else if (i !== undefined) addMissing(truth.rows[i]!, into);
      else if (j !== undefined) addSpurious(candidate.rows[j]!, into);
    }
  } else {
    if (candidate) addSpurious(candidate, into);
    for (const row of truth.rows) addMissing(row, into);
  }
}

/** All leaves of a missing row are wrong, empty ones as well. */
function addMissing(row: Tree, into: Matching): void {
  for (const leaf of leavesOf(row)) into.leaves.push({ ...placeOf(leaf), isCorrect: false });
}

function addSpurious(tree: Tree, into: Matching): void {
  for (const leaf of leavesOf(tree)) if (leaf.key !== null) into.spurious.push(placeOf(leaf));
}

const placeOf = ({ path, field, value }: PlacedLeaf): PlacedLeaf => ({ path, field, value });
