import type { Yielder } from '../event-loop/yielder.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { decidedByEntries } from './decided-by-entries.ts';
import { entriesUpTo } from './estimate.ts';
import { fewDocuments, isDecidedByIndex, leavesMany, matches, planForText } from './find.ts';
import { candidates, makePlan, unionPlans } from './plan.ts';
import type { QueryPlan } from './plan-kinds.ts';
import type { CollectionQuery } from './query.ts';
import { decidedRows } from './row-filter.ts';
import { skipEntries } from './scan.ts';
import { countRowsWithText, substringPlans } from './substring-plan.ts';
import { findTextHits } from './text-query.ts';

/** Number of matching documents. */
export async function countHits(
  collection: StoredCollection,
  query: CollectionQuery,
  yielder: Yielder,
): Promise<number> {
  if (query.filter.has('$text')) return (await findTextHits(collection, query, yielder)).length;
  const skip = query.skip ?? 0;
  const limit = query.limit || Infinity;
  if (query.filter.size === 0 && query.hint === undefined) {
    return Math.min(limit, Math.max(0, collection.count() - skip));
  }
  const search = query.hint === undefined ? substringPlans(collection, query.filter, [])[0]?.plan : undefined;
  if (search?.isExact) return Math.max(0, (await countRowsWithText(collection, search, skip + limit, yielder)) - skip);
  const narrowing = makePlan(collection, query.filter, [], query.hint);
  const decided =
    query.hint === undefined && narrowing.kind !== 'collection' && leavesMany(collection, narrowing, true)
      ? await decidedRows(collection, query.filter, search, yielder)
      : undefined;
  if (decided?.isExact) return Math.min(limit, Math.max(0, decided.count - skip));
  const plan = planForCount(collection, query, await planForText(collection, query, narrowing, yielder));
  let count = 0;
  if (isDecidedByIndex(plan)) {
    count = (await skipEntries(collection, plan, skip + limit, yielder)).skipped;
    return Math.max(0, count - skip);
  }
  if (!plan.isExact && query.hint === undefined && (await oneBranchHas(collection, query, skip + limit, yielder)))
    return limit;
  for await (const { found } of matches(collection, { ...query, wantBytes: false }, plan, [], yielder)) {
    count += found.length;
    if (count >= skip + limit) break;
  }
  return Math.min(limit, Math.max(0, count - skip));
}

/** Whether the entries of an index alone say that a branch of `$or` has so many documents. */
async function oneBranchHas(
  collection: StoredCollection,
  { filter }: CollectionQuery,
  wanted: number,
  yielder: Yielder,
): Promise<boolean> {
  if (wanted === Infinity) return false;
  for (const { plan } of unionPlans(collection, filter, [])) {
    for (const [at, part] of plan.plans.entries()) {
      const decided = planForCount(collection, { filter: plan.filters[at]! }, part);
      if (!isDecidedByIndex(decided)) continue;
      if ((await skipEntries(collection, decided, wanted, yielder)).skipped >= wanted) return true;
    }
  }
  return false;
}

/** The plan for a count: where many documents remain, further indexes decide which of them match. */
function planForCount(
  collection: StoredCollection,
  { filter, hint }: Pick<CollectionQuery, 'filter' | 'hint'>,
  plan: QueryPlan,
): QueryPlan {
  if (plan.kind === 'union') {
    const plans = plan.plans.map((part, at) => planForCount(collection, { filter: plan.filters[at]! }, part));
    return { ...plan, plans };
  }
  if (plan.kind !== 'index' || plan.isExact || hint !== undefined) return plan;
  if (entriesUpTo(collection, plan, fewDocuments) < fewDocuments) return plan;
  const decided = decidedByEntries(collection, filter, plan, true);
  if (decided) return decided;
  // Another index with more entries can still be far quicker than the documents of this one.
  for (const other of candidates(collection, filter, []).toSorted((a, b) => b.score - a.score)) {
    const found = other.plan.isExact ? other.plan : decidedByEntries(collection, filter, other.plan, true);
    if (found?.isDistinct === true && !found.index.isIdentifier) return found;
  }
  // So can alternatives, each by an index of its own.
  for (const { plan: union } of unionPlans(collection, filter, [])) {
    const plans = union.plans.map((part, at) => planForCount(collection, { filter: union.filters[at]! }, part));
    const isQuick = (part: QueryPlan) =>
      isDecidedByIndex(part) || entriesUpTo(collection, part, fewDocuments) < fewDocuments;
    if (plans.every(isQuick)) return { ...union, plans };
  }
  return plan;
}
