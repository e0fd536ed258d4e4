import { equalKeys } from './leaf.ts';
import type { Tree } from './tree.ts';

/**
 * How much of a comparison has been done. `cells` is what may still be spent on aligning rows; `sinceYield` is counted
 * up for every leaf that is looked at, so that a caller can give way to others.
 */
export interface Work {
  cells: number;
  sinceYield: number;
}

/** Lists of 4,000 rows against 4,000 and smaller are aligned; what is larger is compared row by row in its order. */
const maxCells = 16_000_000;

/** A few milliseconds of comparing. */
const leavesUntilYield = 20_000;

export const newWork = (): Work => ({ cells: maxCells, sinceYield: 0 });

/** True when it is time to yield; starts counting anew. */
function isTimeToYield(work: Work): boolean {
  if (work.sinceYield < leavesUntilYield) return false;
  work.sinceYield = 0;
  return true;
}

/** Correct leaves weigh more than any number of spurious ones, so that both fit in one number that can be compared. */
const correctWeight = 2 ** 26;

/** How good it is to hold `candidate` for `truth`: correct leaves first, then few spurious ones. */
function pairScore(truth: Tree, candidate: Tree | undefined, work: Work): number {
  work.sinceYield += 1;
  if (truth.kind === 'leaf') return isCorrectLeaf(truth, candidate) ? correctWeight : -spuriousBesideLeaf(candidate);
  if (truth.kind === 'object') {
    const entries = candidate?.kind === 'object' ? candidate.entries : undefined;
    let score = candidate && !entries ? -candidate.filled : 0;
    for (const [name, tree] of truth.entries) score += pairScore(tree, entries?.get(name), work);
    if (entries) for (const [name, tree] of entries) if (!truth.entries.has(name)) score -= tree.filled;
    return score;
  }
  if (candidate?.kind !== 'list') return -(candidate?.filled ?? 0);
  const alignment = bestAlignment(truth.rows, candidate.rows, work);
  let step = alignment.next();
  while (!step.done) step = alignment.next();
  return step.value.score;
}

/** Null and an empty object or list are the same nothing. */
export const isCorrectLeaf = (truth: Tree & { kind: 'leaf' }, candidate: Tree | undefined): boolean =>
  candidate?.kind === 'leaf' ? equalKeys(truth.key, candidate.key) : truth.key === null && !candidate?.filled;

/** Rows where the truth has a single value, or null, are rows too many. */
const spuriousBesideLeaf = (candidate: Tree | undefined): number => (candidate?.kind === 'list' ? candidate.filled : 0);

interface Alignment {
  /** Pairs of indexes in order; a row that stands alone has no partner. */
  pairs: { truth?: number; candidate?: number }[];
  score: number;
}

/**
 * Aligns the rows of two lists in order: the most leaves are equal, and among those alignments the fewest are spurious.
 *
 * Where several are as good, the first rows are held for each other.
 */
export function* bestAlignment(truth: Tree[], candidate: Tree[], work: Work): Generator<void, Alignment> {
  const width = candidate.length + 1;
  const cells = truth.length * candidate.length;
  if (cells > work.cells) return inOrder(truth, candidate, work);
  work.cells -= cells;
  // What is best for the rows from i and j on follows from what is best for those behind them.
  const paired = new Uint8Array((truth.length + 1) * width);
  let below = new Float64Array(width);
  for (let j = candidate.length - 1; j >= 0; j--) below[j] = below[j + 1]! - candidate[j]!.filled;
  for (let i = truth.length - 1; i >= 0; i--) {
    const row = new Float64Array(width);
    for (let j = candidate.length - 1; j >= 0; j--) {
      const both = pairScore(truth[i]!, candidate[j], work) + below[j + 1]!;
      const missing = below[j]!;
      const tooMany = row[j + 1]! - candidate[j]!.filled;
      row[j] = Math.max(both, missing, tooMany);
      paired[i * width + j] = row[j] === both ? 1 : row[j] === missing ? 2 : 3;
      if (isTimeToYield(work)) yield;
    }
    below = row;
  }
  const pairs: Alignment['pairs'] = [];
  let i = 0;
  let j = 0;
  while (i < truth.length || j < candidate.length) {
    const step = i === truth.length ? 3 : j === candidate.length ? 2 : paired[i * width + j];
    if (step === 1) pairs.push({ truth: i++, candidate: j++ });
    else if (step === 2) pairs.push({ truth: i++ });
    else pairs.push({ candidate: j++ });
  }
  return { pairs, score: below[0]! };
}

function inOrder(truth: Tree[], candidate: Tree[], work: Work): Alignment {
  const pairs = Array.from({ length: Math.max(truth.length, candidate.length) }, (_, index) => ({
    ...(index < truth.length && { truth: index }),
    ...(index < candidate.length && { candidate: index }),
  }));
  let score = 0;
  for (const { truth: i, candidate: j } of pairs) {
    if (i !== undefined && j !== undefined) score += pairScore(truth[i]!, candidate[j], work);
    else if (j !== undefined) score -= candidate[j]!.filled;
  }
  return { pairs, score };
}
