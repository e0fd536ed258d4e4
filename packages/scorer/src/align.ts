import { equalKeys } from './leaf.ts';
import type { Tree } from './tree.ts';

/** The work that a comparison has left, and the work since it last yielded. */
export interface WorkBudget {
  /** Number of row pairs that alignments can still compare. */
  rowPairs: number;
  leavesSinceYield: number;
}

/** Enough to align 4,000 rows with 4,000. Rows of larger lists are compared in their order, without an alignment. */
const maxRowPairs = 16_000_000;

/** A few milliseconds of work. */
const maxLeavesBetweenYields = 20_000;

export const newWorkBudget = (): WorkBudget => ({ rowPairs: maxRowPairs, leavesSinceYield: 0 });

/** Restarts the count when it is time to yield. */
function isTimeToYield(budget: WorkBudget): boolean {
  if (budget.leavesSinceYield < maxLeavesBetweenYields) return false;
  budget.leavesSinceYield = 0;
  return true;
}

/** One correct leaf outweighs any number of spurious ones, so that one number expresses both. */
const correctWeight = 2 ** 26;

/** The score of a candidate for one part of the truth: correct leaves count first, then few spurious ones. */
function pairScore(truth: Tree, candidate: Tree | undefined, budget: WorkBudget): number {
  budget.leavesSinceYield += 1;
  if (truth.kind === 'leaf') return isCorrectLeaf(truth, candidate) ? correctWeight : -spuriousAtLeaf(candidate);
  if (truth.kind === 'object') {
    const entries = candidate?.kind === 'object' ? candidate.entries : undefined;
    let score = candidate && !entries ? -candidate.filled : 0;
    for (const [name, tree] of truth.entries) score += pairScore(tree, entries?.get(name), budget);
    if (entries) for (const [name, tree] of entries) if (!truth.entries.has(name)) score -= tree.filled;
    return score;
  }
  if (candidate?.kind !== 'list') return -(candidate?.filled ?? 0);
  const alignment = bestAlignment(truth.rows, candidate.rows, budget);
  let step = alignment.next();
  while (!step.done) step = alignment.next();
  return step.value.score;
}

/** Null equals an absent value and an object or list without values. */
export const isCorrectLeaf = (truth: Tree & { kind: 'leaf' }, candidate: Tree | undefined): boolean =>
  candidate?.kind === 'leaf' ? equalKeys(truth.key, candidate.key) : truth.key === null && !candidate?.filled;

/** If the candidate has rows where the truth has a single value or null, all of them are spurious. */
const spuriousAtLeaf = (candidate: Tree | undefined): number => (candidate?.kind === 'list' ? candidate.filled : 0);

interface Alignment {
  /** Pairs of row indexes in order. A missing row has no candidate, an extra row has no truth. */
  pairs: { truth?: number; candidate?: number }[];
  score: number;
}

const move = { pair: 1, missingRow: 2, extraRow: 3 } as const;

/**
 * Aligns the rows of two lists without changing their order. The best alignment has the most correct leaves, and among
 * those the fewest spurious ones. Of several best alignments, it returns the one that pairs the first rows.
 */
export function* bestAlignment(truth: Tree[], candidate: Tree[], budget: WorkBudget): Generator<void, Alignment> {
  const width = candidate.length + 1;
  const rowPairs = truth.length * candidate.length;
  if (rowPairs > budget.rowPairs) return alignmentByIndex(truth, candidate, budget);
  budget.rowPairs -= rowPairs;
  // Dynamic programming from the ends of both lists: the best score from rows i and j on follows from that of later rows.
  const moves = new Uint8Array((truth.length + 1) * width);
  let below = new Float64Array(width);
  for (let j = candidate.length - 1; j >= 0; j--) below[j] = below[j + 1]! - candidate[j]!.filled;
  for (let i = truth.length - 1; i >= 0; i--) {
    const scores = new Float64Array(width);
    for (let j = candidate.length - 1; j >= 0; j--) {
      const pair = pairScore(truth[i]!, candidate[j], budget) + below[j + 1]!;
      const missingRow = below[j]!;
      const extraRow = scores[j + 1]! - candidate[j]!.filled;
      const best = Math.max(pair, missingRow, extraRow);
      scores[j] = best;
      moves[i * width + j] = best === pair ? move.pair : best === missingRow ? move.missingRow : move.extraRow;
      if (isTimeToYield(budget)) yield;
    }
    below = scores;
  }
  const pairs: Alignment['pairs'] = [];
  let i = 0;
  let j = 0;
  while (i < truth.length || j < candidate.length) {
    const next = i === truth.length ? move.extraRow : j === candidate.length ? move.missingRow : moves[i * width + j];
    if (next === move.pair) pairs.push({ truth: i++, candidate: j++ });
    else if (next === move.missingRow) pairs.push({ truth: i++ });
    else pairs.push({ candidate: j++ });
  }
  return { pairs, score: below[0]! };
}

/** Pairs rows of equal index. */
function alignmentByIndex(truth: Tree[], candidate: Tree[], budget: WorkBudget): Alignment {
  const pairs = Array.from({ length: Math.max(truth.length, candidate.length) }, (_, index) => ({
    ...(index < truth.length && { truth: index }),
    ...(index < candidate.length && { candidate: index }),
  }));
  let score = 0;
  for (const { truth: i, candidate: j } of pairs) {
    if (i !== undefined && j !== undefined) score += pairScore(truth[i]!, candidate[j], budget);
    else if (j !== undefined) score -= candidate[j]!.filled;
  }
  return { pairs, score };
}
