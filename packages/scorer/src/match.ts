import { bestAlignment, isCorrectLeaf, type WorkBudget } from './align.ts';
import { leavesOf, type PlacedLeaf, type Tree } from './tree.ts';

/** One leaf of the truth, with the candidate's leaf in the same place. */
interface MatchedLeaf extends PlacedLeaf {
  /** Absent if the candidate lacks the key or the whole row. */
  found?: PlacedLeaf;
  isCorrect: boolean;
}

/** The comparison of one candidate with the truth. */
export interface CandidateMatch {
  /** Every counted leaf of the truth. The order is that of the truth, the same for all candidates. */
  leaves: MatchedLeaf[];
  spurious: PlacedLeaf[];
  /** Paths of rows in the truth and in the candidate: `line_items.2` → `line_items.3`. */
  rows: Map<string, string>;
}

/** Compares a candidate with the truth, leaf by leaf. */
export function* matchTrees(
  truth: Tree | undefined,
  candidate: Tree | undefined,
  budget: WorkBudget,
): Generator<void, CandidateMatch> {
  const matching: CandidateMatch = { leaves: [], spurious: [], rows: new Map() };
  if (truth) yield* match(truth, candidate, matching, budget);
  else if (candidate) addSpurious(candidate, matching);
  return matching;
}

function* match(
  truth: Tree,
  candidate: Tree | undefined,
  into: CandidateMatch,
  budget: WorkBudget,
): Generator<void, void> {
  if (truth.kind === 'leaf') {
    const { path, field, value } = truth;
    const found = candidate?.kind === 'leaf' && { found: placedLeaf(candidate) };
    into.leaves.push({ path, field, value, ...found, isCorrect: isCorrectLeaf(truth, candidate) });
    if (candidate?.kind === 'list') addSpurious(candidate, into);
  } else if (truth.kind === 'object') {
    const entries = candidate?.kind === 'object' ? candidate.entries : undefined;
    if (candidate && !entries) addSpurious(candidate, into);
    for (const [name, tree] of truth.entries) yield* match(tree, entries?.get(name), into, budget);
    for (const [name, tree] of entries ?? []) if (!truth.entries.has(name)) addSpurious(tree, into);
  } else if (candidate?.kind === 'list') {
    const { pairs } = yield* bestAlignment(truth.rows, candidate.rows, budget);
    for (const { truth: i, candidate: j } of pairs) {
      if (i !== undefined && j !== undefined) {
        into.rows.set(`${truth.path}.${i}`, `${candidate.path}.${j}`);
        yield* match(truth.rows[i]!, candidate.rows[j], into, budget);
      } else if (i !== undefined) addMissing(truth.rows[i]!, into);
      else if (j !== undefined) addSpurious(candidate.rows[j]!, into);
    }
  } else {
    if (candidate) addSpurious(candidate, into);
    for (const row of truth.rows) addMissing(row, into);
  }
}

/** All leaves of a missing row are wrong, null included. */
function addMissing(row: Tree, into: CandidateMatch): void {
  for (const leaf of leavesOf(row)) into.leaves.push({ ...placedLeaf(leaf), isCorrect: false });
}

function addSpurious(tree: Tree, into: CandidateMatch): void {
  for (const leaf of leavesOf(tree)) if (leaf.key !== null) into.spurious.push(placedLeaf(leaf));
}

const placedLeaf = ({ path, field, value }: PlacedLeaf): PlacedLeaf => ({ path, field, value });
