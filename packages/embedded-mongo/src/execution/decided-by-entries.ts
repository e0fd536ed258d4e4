import { ObjectId } from 'bson';
import { valueKey } from '../bson/sort-key.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { isDocument, type BsonDocument, type BsonValue } from '../values/value.ts';
import { absentCondition } from './absent-condition.ts';
import { allOf, rangeEnd, withinCondition, type EntryCondition } from './entry-condition.ts';
import { entriesUpTo } from './estimate.ts';
import { candidates } from './plan.ts';
import type { IndexPlan } from './plan-kinds.ts';

/** More entries than this are not gathered from another index: reading the documents is then hardly slower. */
const maxGathered = 200_000;
const maxOtherRanges = 8;
const maxExcluded = 1_000;
/** So many rows are gathered in a few milliseconds, also for a page of documents. */
const maxAbsent = 20_000;

/**
 * The plan with conditions from other indexes, so that entries alone decide which documents match; undefined when the
 * indexes do not have all fields of the filter.
 *
 * @param mayGather whether all entries of another index can be read, where none can be searched for each entry
 */
export function decidedByEntries(
  collection: StoredCollection,
  filter: BsonDocument,
  plan: IndexPlan,
  mayGather: boolean,
): IndexPlan | undefined {
  if (plan.index.isIdentifier || plan.condition || !plan.isDistinct) return undefined;
  // Nothing decides these; the conditions of the other paths would be made in vain, which takes long for thousands of values.
  if ([...filter.keys()].some((path) => path.startsWith('$') && !plan.coveredPaths.has(path))) return undefined;
  const conditions: EntryCondition[] = [];
  const othersOf = (path: string, part: BsonValue) =>
    candidates(collection, new Map([...filter, [path, part]]), [])
      .map((candidate) => candidate.plan)
      .filter(
        (other) => other.coveredPaths.has(path) && !other.index.isIdentifier && other.ranges.length <= maxOtherRanges,
      );
  const searched = (others: readonly IndexPlan[]) => others.flatMap((other) => sameEndCondition(plan, other) ?? [])[0];
  for (const [path, argument] of filter) {
    if (plan.coveredPaths.has(path)) continue;
    for (const part of partsOf(argument)) {
      const excluded = excludedValue(part);
      const others = othersOf(path, excluded ?? part);
      const condition =
        excluded === undefined
          ? (searched(others) ??
            exceptIdentifiers(collection, path, part) ??
            absentCondition(collection, path, part, mayGather ? maxGathered : maxAbsent) ??
            (mayGather ? gathered(collection, others[0]) : undefined))
          : negated(searched(others));
      if (condition === undefined) return undefined;
      conditions.push(condition);
    }
  }
  return { ...plan, condition: allOf(conditions), coveredPaths: new Set(filter.keys()), isExact: true };
}

function gathered(collection: StoredCollection, other: IndexPlan | undefined): EntryCondition | undefined {
  if (other === undefined || other.condition || entriesUpTo(collection, other, maxGathered) >= maxGathered)
    return undefined;
  return withinCondition(other.index, other.ranges);
}

/** Conditions that together are the condition of a path: each value of `$all` for itself. */
export function partsOf(argument: BsonValue): BsonValue[] {
  const all = isDocument(argument) && argument.size === 1 ? argument.get('$all') : undefined;
  return Array.isArray(all) && all.length > 0 ? all.map((value) => new Map([['$eq', value]])) : [argument];
}

/** A value that the path must not have: each entry of a document says that it has the value. */
export function excludedValue(argument: BsonValue): BsonValue | undefined {
  const value = isDocument(argument) && argument.size === 1 ? argument.get('$ne') : undefined;
  const isPlain = ['string', 'boolean'].includes(typeof value) || value instanceof ObjectId || value instanceof Date;
  return isPlain ? value : undefined;
}

const negated = (condition: EntryCondition | undefined): EntryCondition | undefined =>
  condition && { ...condition, sql: `NOT ${condition.sql}` };

/** The condition that `_id` is not one of a few values. */
function exceptIdentifiers({ id }: StoredCollection, path: string, argument: BsonValue): EntryCondition | undefined {
  const values = path === '_id' && isDocument(argument) && argument.size === 1 ? argument.get('$nin') : undefined;
  if (!Array.isArray(values) || values.length > maxExcluded) return undefined;
  if (!values.every((value) => value instanceof ObjectId)) return undefined;
  const keys = JSON.stringify(values.map((value) => valueKey(value).toString('hex')));
  return {
    sql: `x.rid NOT IN (SELECT y.rid FROM d${id} y WHERE y.k IN (SELECT unhex(value) FROM json_each(?)))`,
    parameters: [keys],
    checksAllEntries: false,
  };
}

/**
 * The condition that the document of an entry is also in the ranges of another index, which then follow the same fields: the
 * entry there has the key with other leading values, so that it is searched and no others are read. Undefined if the
 * fields that follow are not the same.
 */
function sameEndCondition(plan: IndexPlan, other: IndexPlan): EntryCondition | undefined {
  const [own, theirs] = [fieldsBehind(plan), fieldsBehind(other)];
  if (own === undefined || own !== theirs || other.condition) return undefined;
  const key = `CAST(? || substr(x.k, ?) AS BLOB)`;
  const one = `EXISTS (SELECT 1 FROM x${other.index.id} y WHERE y.k = ${key} AND y.rid = x.rid)`;
  return {
    sql: `(${other.ranges.map(() => one).join(' OR ')})`,
    parameters: other.ranges.flatMap(({ low }) => [low, rangeEnd]),
    checksAllEntries: false,
    isSearch: true,
  };
}

/** The fields behind the leading ones that have one value in each range; undefined if a key does not say them all. */
function fieldsBehind({ index, leading }: IndexPlan): string | undefined {
  if (leading === undefined || index.isIdentifier) return undefined;
  const behind = [...index.fields.entries()].slice(leading);
  if (behind.some(([at]) => index.isMultikeyAt(at))) return undefined;
  return JSON.stringify(behind.map(([, { path, direction }]) => [path, direction]));
}
