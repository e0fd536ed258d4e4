import type { StoredCollection } from '../storage/collection.ts';
import type { Alternative, IndexPlan, QueryPlan } from './plan-kinds.ts';

/** Counting an entry takes a hundredth of reading its document, so counting some of each walk costs little. */
const entryLimits = [64, 1024, 16_384, 131_072];
/** Starting to count a range takes as long as counting this many entries. */
const entriesPerRange = 1 / 16;

/**
 * The alternative with the fewest index entries. The walks of all are counted, further and further, until the end of
 * one is reached. Among very long walks, the score decides.
 */
export function fewestDocuments(collection: StoredCollection, alternatives: readonly Alternative[]): Alternative {
  const byScore = alternatives.toSorted((a, b) => b.score - a.score);
  for (const limit of entryLimits) {
    let best: Alternative | undefined;
    let fewest = limit;
    for (const alternative of byScore) {
      const entries = entriesUpTo(collection, alternative.plan, fewest);
      if (entries < fewest) [best, fewest] = [alternative, entries];
    }
    if (best) return best;
  }
  return byScore[0]!;
}

/** The number of index entries in the walk of a plan, at most `limit`. The condition of the plan is not checked. */
export function entriesUpTo(collection: StoredCollection, plan: QueryPlan, limit: number): number {
  if (plan.kind === 'collection') return limit;
  if (plan.kind === 'index') return rangeEntriesUpTo(collection, plan, limit);
  if (plan.kind === 'rows') return Math.min(plan.count, limit);
  if (plan.kind === 'substring') return Math.min(plan.rows ?? limit, limit);
  let entries = 0;
  for (const part of plan.plans) {
    entries += entriesUpTo(collection, part, limit - entries);
    if (entries >= limit) return limit;
  }
  return entries;
}

/** What was counted of a plan: a command asks several times, and a set of many values has a range for each. */
const counted = new WeakMap<IndexPlan, { version: number; limit: number; entries: number }>();

function rangeEntriesUpTo(collection: StoredCollection, plan: IndexPlan, limit: number): number {
  const { version } = collection;
  const last = counted.get(plan);
  // Below its own limit, the number is that of all entries.
  const isKnown = last?.version === version && (last.entries < last.limit || limit <= last.limit);
  if (isKnown) return Math.min(last.entries, limit);
  const entries = countRanges(collection, plan, limit);
  counted.set(plan, { version, limit, entries });
  return entries;
}

function countRanges({ id, connection }: StoredCollection, plan: IndexPlan, limit: number): number {
  const { index, ranges, leading } = plan;
  // One document for each value at most: looking whether it is there takes as long as counting it.
  if (index.isIdentifier && leading === 1) return Math.min(ranges.length, limit);
  if (ranges.length * entriesPerRange > limit) return limit;
  const table = index.isIdentifier ? `d${id}` : `x${index.id}`;
  const counting = `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE k >= ? AND k <= ? LIMIT ?)`;
  let entries = 0;
  for (const { low, high } of ranges) {
    // A set in memory has one row for each entry of a range of one value.
    const known = leading === undefined ? undefined : connection.keptRows.countOf(index.id, low);
    entries += known ?? Number(connection.statement(counting).get(low, high, limit - entries)!['n']);
    if (entries >= limit) return limit;
  }
  return entries;
}
