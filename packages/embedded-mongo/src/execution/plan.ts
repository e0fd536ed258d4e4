import { badValue } from '../errors/mongo-error.ts';
import type { SortField } from '../query/sort.ts';
import type { CollectionIndex } from '../storage/collection-index.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { equalValues } from '../values/compare.ts';
import { isDocument, type BsonDocument } from '../values/value.ts';
import { fewestDocuments } from './estimate.ts';
import { withinCondition } from './entry-condition.ts';
import { fieldBounds } from './field-bounds.ts';
import { coversFilter, indexCandidate, type IndexCandidate } from './index-candidate.ts';
import type { Alternative, CollectionPlan, IndexPlan, QueryPlan, UnionPlan } from './plan-kinds.ts';
import { substringPlans } from './substring-plan.ts';

const maxBranches = 50;

/** The name or key pattern of an index; `{ $natural: 1 }` for no index. */
export type Hint = string | BsonDocument;

/**
 * The plan that walks an index in the requested order, even if another index narrows the filter more; undefined when no
 * index has that order.
 */
export function makeOrderedPlan(
  collection: StoredCollection,
  filter: BsonDocument,
  sort: SortField[],
): IndexPlan | undefined {
  const ordered = candidates(collection, filter, sort).filter(({ plan }) => plan.isSorted);
  return (ordered.find(({ plan }) => plan.isExact) ?? narrowest(collection, ordered))?.plan as IndexPlan | undefined;
}

/** The plan with a text condition from the keys of another index; the unchanged plan when no index has one. */
export function withTextCondition(collection: StoredCollection, filter: BsonDocument, plan: IndexPlan): IndexPlan {
  const withText = candidates(collection, filter, []).filter((candidate) => candidate.plan.condition !== undefined);
  const textPlan = withMaxScore(withText)?.plan;
  if (!textPlan?.condition || plan.condition || plan.index.isIdentifier) return plan;
  const coveredPaths = plan.coveredPaths.union(textPlan.coveredPaths);
  const condition = withinCondition(textPlan.index, textPlan.ranges, textPlan.condition);
  return { ...plan, condition, coveredPaths, isExact: coversFilter(coveredPaths, filter) };
}

/** Chooses the plan that reads the fewest documents, or the hinted index. Throws BadValue for a hint without an index. */
export function makePlan(
  collection: StoredCollection,
  filter: BsonDocument,
  sort: SortField[],
  hint?: Hint,
  isBranch = false,
): QueryPlan {
  const wholeCollection: CollectionPlan = {
    kind: 'collection',
    isSorted: sort.length === 0,
    isExact: filter.size === 0,
    isDescending: false,
  };
  if (isDocument(hint) && hint.has('$natural')) return wholeCollection;
  if (hint !== undefined) {
    return indexCandidate(hintedIndex(collection, hint), filter, fieldBounds(filter), sort, true)!.plan;
  }
  const found = candidates(collection, filter, sort);
  const single = withMaxScore(found.filter(({ isSingle }) => isSingle));
  if (single) return single.plan;
  // Branches of branches are many plans, whose entries are all counted.
  const unions = isBranch ? [] : unionPlans(collection, filter, sort);
  const others = [...unions, ...substringPlans(collection, filter, sort)];
  const best = narrowest(collection, [...found, ...others]);
  return best?.plan ?? wholeCollection;
}

/** The walks of single indexes for a filter. */
export const candidates = (collection: StoredCollection, filter: BsonDocument, sort: SortField[]): IndexCandidate[] => {
  const bounds = fieldBounds(filter);
  return collection.indexes.flatMap((index) => indexCandidate(index, filter, bounds, sort, false) ?? []);
};

const withMaxScore = <T extends { score: number }>(all: readonly T[]): T | undefined =>
  all.reduce<T | undefined>((best, next) => (!best || next.score > best.score ? next : best), undefined);

/** The alternative that reads the fewest documents. Only those are estimated that no other one surely beats. */
function narrowest(collection: StoredCollection, all: readonly Alternative[]): Alternative | undefined {
  const byScore = all.toSorted((a, b) => b.score - a.score);
  const undecided = byScore.filter(
    ({ narrowedBy }, at) =>
      !byScore.some(
        (other, otherAt) =>
          otherAt !== at &&
          narrowedBy.isSubsetOf(other.narrowedBy) &&
          (narrowedBy.size < other.narrowedBy.size || otherAt < at),
      ),
  );
  return undecided.length > 1 ? fewestDocuments(collection, undecided) : undecided[0];
}

function hintedIndex(collection: StoredCollection, hint: Hint): CollectionIndex {
  const index = collection.indexes.find((candidate) =>
    typeof hint === 'string' ? candidate.name === hint : equalValues(candidate.key, hint),
  );
  if (!index) {
    throw badValue(
      'error processing query: planner returned error: hint provided does not correspond to an existing index',
    );
  }
  return index;
}

/** For each `$or` of the filter, a walk for each of its branches, each narrowed by the rest of the filter too. */
export function unionPlans(
  collection: StoredCollection,
  filter: BsonDocument,
  sort: SortField[],
): (Alternative & { plan: UnionPlan })[] {
  return alternativesOf(filter).flatMap(({ branches, rest }, at) => {
    if (branches.length > maxBranches) return [];
    const filters = branches.map((branch) => withoutAnd(new Map([['$and', [rest, branch]]])));
    const plans: QueryPlan[] = [];
    for (const own of filters) {
      const plan = makePlan(collection, own, [], undefined, true);
      if (plan.kind === 'collection') return [];
      plans.push(plan);
    }
    const plan: UnionPlan = { kind: 'union', plans, filters, isSorted: sort.length === 0, isExact: false };
    return [{ plan, score: 0, narrowedBy: new Set([`$or ${at}`]) }];
  });
}

/** The branches of each `$or`, also within `$and`, and the filter without that. */
function alternativesOf(filter: BsonDocument): { branches: BsonDocument[]; rest: BsonDocument }[] {
  const without = (name: string): BsonDocument => new Map([...filter].filter(([other]) => other !== name));
  const own = filter.get('$or');
  const found = Array.isArray(own) && own.every(isDocument) ? [{ branches: own, rest: without('$or') }] : [];
  const clauses = filter.get('$and');
  if (!Array.isArray(clauses) || !clauses.every(isDocument)) return found;
  const within = clauses.flatMap((clause, at) =>
    alternativesOf(clause).map(({ branches, rest }) => {
      const others = clauses.toSpliced(at, 1, ...(rest.size > 0 ? [rest] : []));
      const outside = without('$and');
      return { branches, rest: others.length > 0 ? outside.set('$and', others) : outside };
    }),
  );
  return [...found, ...within];
}

/** The same filter with the clauses of `$and` as its own conditions, as far as they are about other fields. */
export function withoutAnd(filter: BsonDocument): BsonDocument {
  const merged: BsonDocument = new Map();
  const left: BsonDocument[] = [];
  const add = (clause: BsonDocument) => {
    for (const [name, argument] of clause) {
      if (name === '$and' && Array.isArray(argument) && argument.every(isDocument)) argument.forEach(add);
      else if (merged.has(name)) left.push(new Map([[name, argument]]));
      else merged.set(name, argument);
    }
  };
  add(filter);
  return left.length > 0 ? merged.set('$and', left) : merged;
}
