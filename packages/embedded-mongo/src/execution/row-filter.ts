import { encodeDocument } from '../bson/encode.ts';
import { valueKey } from '../bson/sort-key.ts';
import type { Yielder } from '../event-loop/yielder.ts';
import type { SortField } from '../query/sort.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { RowBits } from '../storage/kept-rows.ts';
import { isDocument, type BsonDocument, type BsonValue } from '../values/value.ts';
import { absentRanges } from './absent-condition.ts';
import { excludedValue, partsOf } from './decided-by-entries.ts';
import { allOf } from './entry-condition.ts';
import { entriesUpTo } from './estimate.ts';
import { coversFilter } from './index-candidate.ts';
import { candidates, makeOrderedPlan, withoutAnd } from './plan.ts';
import type { IndexPlan, QueryPlan, RowsPlan, SubstringPlan } from './plan-kinds.ts';
import type { CollectionQuery } from './query.ts';
import { rowsCondition, rowsOfIdentifiers, rowsOfPlan, rowsWithTextAmong } from './row-reading.ts';

/** The rows that satisfy some conditions of a filter, by indexes alone. */
export interface RowsDecided {
  rows: RowBits;
  count: number;
  /** The paths of the filter, without `$and`, that every row satisfies. */
  coveredPaths: Set<string>;
  /** Whether these are all. */
  isExact: boolean;
}

/** The bits of more rows would take too much memory. */
const maxRow = 16_000_000;
const maxBranches = 16;
const maxIdentifiers = 1_000;

/**
 * The rows of a filter by all indexes that have a part of it; undefined if none has. Its sets of rows are in memory once they were
 * needed, so that combining them takes a millisecond for each million documents, however few rows remain.
 *
 * @param search the plan for a text that the filter looks for; more rows than were counted are gathered if it has `Infinity` of them
 */
export async function decidedRows(
  collection: StoredCollection,
  filter: BsonDocument,
  search: SubstringPlan | undefined,
  yielder: Yielder,
): Promise<RowsDecided | undefined> {
  if (collection.lastRow() > maxRow) return undefined;
  const conditions = withoutAnd(filter);
  const key = `${search?.rows === Infinity ? 'with its many ' : ''}${encodeDocument(conditions).toString('latin1')}`;
  const last = lastDecided.get(collection);
  if (last?.key === key && last.version === collection.version) return last.decided;
  const { version } = collection;
  const decided = await decide(collection, conditions, search, yielder);
  lastDecided.set(collection, { key, version, decided });
  return decided;
}

/** The last filter of a collection: the count of a list follows its page, mostly without a write between them. */
const lastDecided = new WeakMap<StoredCollection, { key: string; version: number; decided: RowsDecided | undefined }>();

async function decide(
  collection: StoredCollection,
  conditions: BsonDocument,
  search: SubstringPlan | undefined,
  yielder: Yielder,
): Promise<RowsDecided | undefined> {
  const sets = await setsOf(collection, conditions, search ? [search.table.path, ...search.table.within] : [], yielder);
  if (sets === undefined && search?.rows === undefined) return undefined;
  const coveredPaths = sets?.coveredPaths ?? new Set<string>();
  let rows = sets ? combined(sets) : new RowBits();
  let count = sets ? rows.count() : undefined;
  const found = search && (await rowsWithTextAmong(collection, search, sets && rows, count, yielder));
  if (found) {
    [rows, count] = [found, found.count()];
    for (const path of [search.table.path, ...search.table.within])
      if (search.coveredPaths.has(path)) coveredPaths.add(path);
  }
  if (count === undefined) return undefined;
  return { rows, count, coveredPaths, isExact: [...conditions.keys()].every((path) => coveredPaths.has(path)) };
}

/** Sets of rows: one is in all of the wanted, and in none of the unwanted. */
interface RowSets {
  wanted: RowBits[];
  unwanted: RowBits[];
  coveredPaths: Set<string>;
}

/** Undefined without a wanted set. `known` are paths that need no set of their own. */
async function setsOf(
  collection: StoredCollection,
  filter: BsonDocument,
  known: readonly string[],
  yielder: Yielder,
): Promise<RowSets | undefined> {
  const wanted: RowBits[] = [];
  const unwanted: RowBits[] = [];
  const coveredPaths = new Set<string>();
  const want = (rows: RowBits, paths: Iterable<string>) => {
    wanted.push(rows);
    for (const path of paths) coveredPaths.add(path);
  };
  const plain: BsonDocument = new Map();
  const others: [path: string, parts: BsonValue[]][] = [];
  for (const [path, argument] of filter) {
    const parts = partsOf(argument);
    if (path === '$or') {
      const either = await anyOf(collection, filter, argument, yielder);
      if (either) want(either.rows, ['$or', ...either.coveredPaths]);
    } else if (path === '_id') {
      const own = identifiersOf(collection, argument);
      if (own) (own.isExcluded ? unwanted : wanted).push(own.rows);
      if (own) coveredPaths.add(path);
    } else if (parts.length > 1 || isExclusion(argument)) others.push([path, parts]);
    else if (!path.startsWith('$')) plain.set(path, argument);
  }
  const plansFor = (own: BsonDocument) =>
    candidates(collection, own, [])
      .map(({ plan }) => plan)
      .toSorted((a, b) => b.coveredPaths.size - a.coveredPaths.size);
  /** The first that can be read of the plans that decide a path. */
  async function rowsFor(path: string, part: BsonValue): Promise<[RowBits, IndexPlan] | undefined> {
    for (const plan of plansFor(new Map([...plain, [path, part]]))) {
      const rows = plan.coveredPaths.has(path) ? await rowsOfPlan(collection, plan, yielder) : undefined;
      if (rows) return [rows, plan];
    }
    return undefined;
  }
  for (const [path, parts] of others) {
    let isCovered = true;
    for (const part of parts) {
      const excluded = excludedValue(part);
      const found = await rowsFor(path, excluded ?? part);
      if (!found) isCovered = false;
      else if (excluded !== undefined) unwanted.push(found[0]);
      else
        want(
          found[0],
          [...found[1].coveredPaths].filter((covered) => covered !== path),
        );
    }
    if (isCovered) coveredPaths.add(path);
  }
  for (const plan of plansFor(plain)) {
    if (plan.coveredPaths.isSubsetOf(new Set([...coveredPaths, ...known]))) continue;
    const rows = await rowsOfPlan(collection, plan, yielder);
    if (rows) want(rows, plan.coveredPaths);
  }
  if (wanted.length === 0) return undefined;
  for (const [path, argument] of plain) {
    const absent = coveredPaths.has(path) ? undefined : absentRanges(collection, path, argument);
    const present = absent && (await rowsOfPlan(collection, absent.all, yielder));
    const missing = absent && (await rowsOfPlan(collection, absent.missing, yielder));
    if (!present || !missing) continue;
    unwanted.push(combined({ wanted: [present], unwanted: [missing] }));
    coveredPaths.add(path);
  }
  return { wanted, unwanted, coveredPaths };
}

const isExclusion = (argument: BsonValue): boolean => excludedValue(argument) !== undefined;

/** The rows of any branch of `$or`, each decided by indexes alone, beside the conditions around it. */
async function anyOf(collection: StoredCollection, filter: BsonDocument, branches: BsonValue, yielder: Yielder) {
  if (!Array.isArray(branches) || branches.length > maxBranches || !branches.every(isDocument)) return undefined;
  const outside = [...filter].filter(([path, argument]) => !path.startsWith('$') && !isOperators(argument));
  const rows = new RowBits();
  let coveredPaths = new Set(outside.map(([path]) => path));
  for (const branch of branches) {
    const own = new Map([...outside, ...branch]);
    const sets = await setsOf(
      collection,
      own,
      outside.map(([path]) => path),
      yielder,
    );
    if (sets === undefined || ![...branch.keys()].every((path) => sets.coveredPaths.has(path))) return undefined;
    // A branch that names the same path has its own condition on it.
    coveredPaths = coveredPaths.intersection(sets.coveredPaths).difference(new Set(branch.keys()));
    addAll(rows, combined(sets));
  }
  return { rows, coveredPaths };
}

const isOperators = (argument: BsonValue): boolean => isDocument(argument);

function identifiersOf(collection: StoredCollection, argument: BsonValue) {
  if (!isDocument(argument) || argument.size !== 1) return undefined;
  const [[operator, values]] = [...argument] as [[string, BsonValue]];
  if ((operator !== '$in' && operator !== '$nin') || !Array.isArray(values) || values.length > maxIdentifiers)
    return undefined;
  const rows = rowsOfIdentifiers(
    collection,
    values.map((value) => valueKey(value)),
  );
  return { rows, isExcluded: operator === '$nin' };
}

function combined({ wanted: [first, ...others], unwanted }: Pick<RowSets, 'wanted' | 'unwanted'>): RowBits {
  const words = first!.words.slice();
  for (const other of others) {
    const length = Math.min(words.length, other.words.length);
    for (let at = 0; at < length; at += 1) words[at]! &= other.words[at]!;
    words.fill(0, length);
  }
  for (const other of unwanted) {
    const length = Math.min(words.length, other.words.length);
    for (let at = 0; at < length; at += 1) words[at]! &= ~other.words[at]!;
  }
  return new RowBits(words);
}

function addAll(rows: RowBits, more: RowBits): void {
  if (more.words.length > rows.words.length) {
    const grown = new Uint32Array(more.words.length);
    grown.set(rows.words);
    rows.words = grown;
  }
  for (let at = 0; at < more.words.length; at += 1) rows.words[at]! |= more.words[at]!;
}

/** Microseconds, as measured: to look whether an entry is of one of the rows, and to read a document. */
const cost = { entry: 0.3, document: 30 };

/** Of more rows, the first in an order are taken by the order in memory; of still more, a walk meets some soon. */
const [minOrdered, maxOrdered] = [1_000, 100_000];
/** So many documents are read for that at most. A walk that has read more, or as long without any, is given up for it. */
export const maxWalked = 600;

/**
 * How to find the first documents of some rows in an order: by a walk in that order, which is given up for reading them all once it took as
 * long as that would, or by the places of the rows in that order.
 */
export function plansOfRows(
  collection: StoredCollection,
  { filter, skip = 0, limit }: CollectionQuery,
  sort: SortField[],
  decided: RowsDecided,
): { walk: IndexPlan | undefined; maxRead: number; byOrder: IndexPlan | undefined; all: RowsPlan } {
  const { rows, count } = decided;
  const all: RowsPlan = { kind: 'rows', rows, count, isSorted: sort.length === 0, isExact: false };
  const ordered = limit && sort.length > 0 ? makeOrderedPlan(collection, filter, sort) : undefined;
  if (!limit || !ordered || ordered.index.isIdentifier) return { walk: undefined, maxRead: 0, byOrder: undefined, all };
  const byOrder =
    decided.isExact && count > minOrdered && count <= maxOrdered && skip + limit <= maxWalked ? ordered : undefined;
  const entries = (collection.lastRow() * (skip + limit)) / Math.max(count, 1);
  if (count * cost.document <= entries * cost.entry + limit * cost.document)
    return { walk: undefined, maxRead: 0, byOrder, all };
  const condition = allOf([...(ordered.condition ? [ordered.condition] : []), rowsCondition(rows)]);
  const coveredPaths = ordered.coveredPaths.union(decided.coveredPaths);
  const isExact = coversFilter(coveredPaths, withoutAnd(filter));
  const walk: IndexPlan = { ...ordered, condition, coveredPaths, isExact, isSnapshot: true };
  return { walk, maxRead: count, byOrder, all };
}

/** Whether a plan leaves fewer documents than sets of rows, which are not made of one of many values. */
export const readsFewer = (
  collection: StoredCollection,
  plan: QueryPlan,
  { count, coveredPaths }: RowsDecided,
): boolean =>
  plan.kind === 'index' && !plan.coveredPaths.isSubsetOf(coveredPaths) && entriesUpTo(collection, plan, count) < count;
