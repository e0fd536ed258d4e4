import type { StoredCollection } from '../storage/collection.ts';
import type { BsonValue } from '../values/value.ts';
import type { EntryCondition } from './entry-condition.ts';
import { entriesUpTo } from './estimate.ts';
import { fieldBounds, type FieldBounds } from './field-bounds.ts';
import { indexCandidate } from './index-candidate.ts';
import type { KeyRange } from './key-ranges.ts';
import type { IndexPlan } from './plan-kinds.ts';

/** Gathering more rows takes a millisecond for each check. */
const few = 1000;

/**
 * The condition that the document of an entry has no value in a field, where a sparse index lists the few that have one: at most
 * `maxRows`.
 */
export function absentCondition(
  collection: StoredCollection,
  path: string,
  argument: BsonValue,
  maxRows: number,
): EntryCondition | undefined {
  const absent = absentRanges(collection, path, argument);
  if (absent === undefined) return undefined;
  const { all, missing } = absent;
  const { index } = all;
  const count = entriesUpTo(collection, all, maxRows);
  if (count >= maxRows) return undefined;
  const [{ low, high }] = missing.ranges as [KeyRange];
  return {
    sql: `x.rid NOT IN (SELECT y.rid FROM x${index.id} y WHERE y.k < ? OR y.k > ?)`,
    parameters: [low, high],
    checksAllEntries: count >= few,
  };
}

/** The walks of all entries of the sparse index that lists the documents with a value, and of those with null; undefined without one. */
export function absentRanges(
  collection: StoredCollection,
  path: string,
  argument: BsonValue,
): { all: IndexPlan; missing: IndexPlan } | undefined {
  const bounds = fieldBounds(new Map([[path, argument]])).get(path);
  if (bounds?.equals?.length !== 1 || bounds.equals[0] !== null || bounds.isInexact || path.includes('.'))
    return undefined;
  const index = collection.indexes.find(
    ({ fields, isSparse, isMultikey, partialFilter }) =>
      isSparse && !isMultikey && partialFilter === undefined && fields.length === 1 && fields[0]!.path === path,
  );
  if (index === undefined) return undefined;
  const walk = (own: ReadonlyMap<string, FieldBounds>) => indexCandidate(index, new Map(), own, [], true)!.plan;
  return { all: walk(new Map()), missing: walk(new Map([[path, bounds]])) };
}
