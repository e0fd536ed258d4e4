import type { SortField } from '../query/sort.ts';
import type { CollectionIndex } from '../storage/collection-index.ts';
import { compareValues, equalValues } from '../values/compare.ts';
import { isOperatorDocument, typeOrder, type BsonDocument, type BsonValue } from '../values/value.ts';
import { containsCondition, type EntryCondition } from './entry-condition.ts';
import type { FieldBounds } from './field-bounds.ts';
import { fieldRanges, prefixEnd, type FieldRanges, type KeyRange } from './key-ranges.ts';
import type { Alternative, IndexPlan } from './plan-kinds.ts';

/** Reading a range costs about as much as reading half a document. */
const maxRanges = 20_000;

/** An index that can answer a query, with what the choice among several needs. */
export interface IndexCandidate extends Alternative {
  plan: IndexPlan;
  /** True when the walk has at most one document. */
  isSingle: boolean;
}

/** The walk of an index for a filter; undefined if it does not help, unless it is forced. */
export function indexCandidate(
  index: CollectionIndex,
  filter: BsonDocument,
  bounds: ReadonlyMap<string, FieldBounds>,
  sort: SortField[],
  isForced: boolean,
): IndexCandidate | undefined {
  if (!isForced && index.partialFilter && !implies(filter, bounds, index.partialFilter)) return undefined;
  const narrowed = narrow(index, bounds);
  for (const [path, wanted] of index.partialFilter ?? [])
    if (filter.has(path) && equalValues(filter.get(path), wanted)) narrowed.coveredPaths.add(path);
  const order = indexOrder(index, sort, narrowed.fixed);
  const isComplete = !index.isSparse || narrowed.used > 0;
  const isUseful = narrowed.used > 0 || (order !== undefined && sort.length > 0);
  if (!isForced && !(isComplete && narrowed.isAllowed && isUseful)) return undefined;
  const isIdentifierPoint = index.isIdentifier && narrowed.points > 0;
  const isUniquePoint = index.isUnique && narrowed.points === index.fields.length;
  return {
    narrowedBy: narrowed.by.union(new Set([...(index.partialFilter?.keys() ?? [])].map((path) => `partial ${path}`))),
    isSingle: isUniquePoint && narrowed.ranges.length === 1,
    score:
      narrowed.points * 10 +
      (narrowed.used > narrowed.points ? 5 : 0) +
      (order && sort.length > 0 ? 4 : 0) +
      (isIdentifierPoint ? 100 : 0) +
      (isUniquePoint ? 20 : 0) +
      (index.isMultikey ? 0 : 1),
    plan: {
      kind: 'index',
      index,
      ranges: narrowed.ranges,
      leading: narrowed.used === narrowed.points ? narrowed.points : undefined,
      condition: narrowed.condition,
      isDescending: order === 'descending',
      isDistinct: index.fields.every((_, at) => !index.isMultikeyAt(at) || narrowed.fixed.has(at)),
      isSorted: sort.length === 0 || order !== undefined,
      coveredPaths: narrowed.coveredPaths,
      isExact: coversFilter(narrowed.coveredPaths, filter),
    },
  };
}

/** The ranges of an index for a filter. Uses the fields from the left, up to the first that has a range of values. */
function narrow(index: CollectionIndex, bounds: ReadonlyMap<string, FieldBounds>) {
  let ranges: KeyRange[] = [{ low: Buffer.alloc(0), high: Buffer.alloc(0) }];
  let used = 0;
  let points = 0;
  const by = new Set<string>();
  const coveredPaths = new Set<string>();
  let isAllowed = true;
  // The fields, counted from 0, that have one value in all ranges.
  const fixed = new Set<number>();
  let condition: EntryCondition | undefined;
  for (const [at, { path, direction }] of index.fields.entries()) {
    const field = bounds.get(path);
    const next = field && (fieldRanges(field, direction, index.isMultikey) ?? presentRanges(index, field));
    if (!next) break;
    if (index.isSparse && field.equals?.includes(null)) isAllowed = false;
    const textCondition = containsCondition(index, at, field, ranges);
    condition ??= textCondition;
    used++;
    by.add(next.arePoints ? path : `${path} within${index.isMultikey ? ' one side' : ''}`);
    if (ranges.length * next.ranges.length > maxRanges) {
      // Too many points: from the least to the greatest.
      const [first, last] = [next.ranges[0]!.low, next.ranges.at(-1)!.high];
      ranges = ranges.map(({ low, high }) => ({ low: Buffer.concat([low, first]), high: Buffer.concat([high, last]) }));
      break;
    }
    ranges = ranges.flatMap(({ low, high }) =>
      next.ranges.map((part) => ({ low: Buffer.concat([low, part.low]), high: Buffer.concat([high, part.high]) })),
    );
    const isCovered = next.arePoints ? field.contains === undefined : textCondition !== undefined;
    if (isExactRange(index, at, field)) coveredPaths.add(path);
    else if (isCovered && !field.isInexact && !hasUnsureNull(index, at, field)) coveredPaths.add(path);
    if (!next.arePoints) break;
    if (next.ranges.length === 1) fixed.add(at);
    points++;
  }
  ranges = ranges.map(({ low, high }) => ({ low, high: Buffer.concat([high, prefixEnd]) }));
  return { ranges, condition, used, points, by, coveredPaths, isAllowed, fixed };
}

/** An element of an array that lacks a field is no missing value, unlike a document that lacks it. */
const hasUnsureNull = (index: CollectionIndex, at: number, { equals }: FieldBounds): boolean =>
  index.fields[at]!.parts.length > 1 && equals?.includes(null) === true && index.isMultikeyAt(at);

/** Whether the ranges have exactly the values within the limits of a field. In a multikey index they have one limit of two. */
function isExactRange(index: CollectionIndex, at: number, field: FieldBounds): boolean {
  const { isExactRange: isExact = false, low, high, equals, prefix, contains } = field;
  if (!isExact || index.isMultikeyAt(at) || equals || prefix || contains) return false;
  return low === undefined || high === undefined || !index.isMultikey;
}

/** All of a sparse index: it has exactly the documents with a value. */
const presentRanges = (index: CollectionIndex, { isPresent }: FieldBounds): FieldRanges | undefined =>
  isPresent && index.isSparse && index.fields.length === 1
    ? { ranges: [{ low: Buffer.alloc(0), high: prefixEnd }], arePoints: false }
    : undefined;

export const coversFilter = (coveredPaths: ReadonlySet<string>, filter: BsonDocument): boolean =>
  [...filter.keys()].every((path) => coveredPaths.has(path));

/**
 * The direction in which the index has the requested order. A field that the filter fixes can be anywhere in the order.
 */
function indexOrder(
  index: CollectionIndex,
  sort: SortField[],
  fixed: ReadonlySet<number>,
): 'ascending' | 'descending' | undefined {
  const isFixed = (path: string): boolean =>
    index.fields.some((field, at) => field.path === path && fixed.has(at) && !index.isMultikeyAt(at));
  const wanted = sort.filter(({ path }) => !isFixed(path));
  const walked = [...index.fields.keys()].filter((at) => !fixed.has(at));
  let direction = 0;
  for (const [position, { path, direction: sortDirection }] of wanted.entries()) {
    const at = walked[position];
    const field = at === undefined ? undefined : index.fields[at];
    if (field?.path !== path || index.isMultikeyAt(at!)) return undefined;
    const relative = sortDirection * field.direction;
    if (direction !== 0 && relative !== direction) return undefined;
    direction = relative;
  }
  return direction < 0 ? 'descending' : 'ascending';
}

/** True when every document that matches the filter is in an index with this partial filter. */
function implies(filter: BsonDocument, bounds: ReadonlyMap<string, FieldBounds>, partial: BsonDocument): boolean {
  return [...partial].every(([path, wanted]) => {
    if (filter.has(path) && equalValues(filter.get(path), wanted)) return true;
    const field = bounds.get(path);
    if (!field) return false;
    if (!isOperatorDocument(wanted)) return equalsOnly(field, wanted);
    const [operator, ...others] = wanted.keys();
    if (others.length > 0) return false;
    if (operator === '$eq') return equalsOnly(field, wanted.get('$eq')!);
    if (operator === '$gt') return requiresMoreThan(field, wanted.get('$gt')!);
    if (operator === '$exists') return wanted.get('$exists') === true && requiresValue(field);
    return operator === '$type' && wanted.get('$type') === 'string' && requiresText(field);
  });
}

const equalsOnly = (field: FieldBounds, value: BsonValue): boolean =>
  field.equals?.length === 1 && equalValues(field.equals[0], value);

/** Whether the limits of a field, which are narrowed by all clauses of the filter, are above a value. */
function requiresMoreThan({ low }: FieldBounds, limit: BsonValue): boolean {
  if (low === undefined || typeOrder(low.value) !== typeOrder(limit)) return false;
  const order = compareValues(low.value, limit);
  return order > 0 || (order === 0 && low.isOpen);
}

const requiresValue = (field: FieldBounds): boolean =>
  field.equals
    ? !field.equals.includes(null)
    : field.isPresent === true || field.low !== undefined || field.high !== undefined;

const requiresText = (field: FieldBounds): boolean =>
  field.equals?.every((value) => typeof value === 'string') ?? false;
