import type { StoredCollection } from '../storage/collection.ts';
import type { BsonValue } from '../values/value.ts';
import type { EntryCondition } from './entry-condition.ts';
import { entriesUpTo } from './estimate.ts';
import { fieldBounds } from './field-bounds.ts';
import { indexCandidate } from './index-candidate.ts';
import type { KeyRange } from './key-ranges.ts';

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
  const bounds = fieldBounds(new Map([[path, argument]])).get(path);
  if (bounds?.equals?.length !== 1 || bounds.equals[0] !== null || bounds.isInexact || path.includes('.'))
    return undefined;
  const index = collection.indexes.find(
    ({ fields, isSparse, isMultikey, partialFilter }) =>
      isSparse && !isMultikey && partialFilter === undefined && fields.length === 1 && fields[0]!.path === path,
  );
  if (index === undefined) return undefined;
  const all = indexCandidate(index, new Map(), new Map(), [], true)!.plan;
  const count = entriesUpTo(collection, all, maxRows);
  if (count >= maxRows) return undefined;
  const [{ low, high }] = indexCandidate(index, new Map(), new Map([[path, bounds]]), [], true)!.plan.ranges as [
    KeyRange,
  ];
  return {
    sql: `x.rid NOT IN (SELECT y.rid FROM x${index.id} y WHERE y.k < ? OR y.k > ?)`,
    parameters: [low, high],
    checksAllEntries: count >= few,
  };
}
