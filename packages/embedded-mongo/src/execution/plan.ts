import { badValue } from '../errors/mongo-error.ts';
import type { SortField } from '../query/sort.ts';
import type { CollectionIndex } from '../storage/collection-index.ts';
import type { Collection } from '../storage/collection.ts';
import { equalValues } from '../values/compare.ts';
import { isDocument, isOperatorDocument, TypeOrder, type BsonDocument, type BsonValue } from '../values/value.ts';
import { fieldBounds, type FieldBounds } from './field-bounds.ts';
import { fieldRanges, prefixEnd, type KeyRange } from './key-ranges.ts';

/** The access path to the documents of a query. */
export type Plan = CollectionPlan | IndexPlan | UnionPlan;

interface PlanResult {
  /** True when the rows come in the requested order. */
  isSorted: boolean;
  /** True when every row satisfies the filter: no document needs to be checked. */
  isExact: boolean;
}

export interface CollectionPlan extends PlanResult {
  kind: 'collection';
  isDescending: boolean;
}

export interface IndexPlan extends PlanResult {
  kind: 'index';
  index: CollectionIndex;
  ranges: KeyRange[];
  condition: EntryCondition | undefined;
  /** The paths of the filter that every row satisfies. */
  coveredPaths: Set<string>;
  isDescending: boolean;
  /** True when no document is in the ranges more than once. */
  isDistinct: boolean;
}

interface UnionPlan extends PlanResult {
  kind: 'union';
  plans: Plan[];
}

const maxRanges = 400;
const maxBranches = 50;

/** The name or key pattern of an index; `{ $natural: 1 }` for no index. */
export type Hint = string | BsonDocument;

/**
 * The plan that walks an index in the requested order, even if another index narrows the filter more; undefined when no
 * index has that order.
 */
export function makeOrderedPlan(
  collection: Collection,
  filter: BsonDocument,
  sort: SortField[],
): IndexPlan | undefined {
  return bestIndexPlan(collection, filter, sort, ({ isSorted }) => isSorted);
}

/** The plan with a text condition from the keys of another index; the unchanged plan when no index has one. */
export function withTextCondition(collection: Collection, filter: BsonDocument, plan: IndexPlan): IndexPlan {
  const textPlan = bestIndexPlan(collection, filter, [], ({ condition }) => condition !== undefined);
  if (!textPlan?.condition || plan.condition || plan.index.isIdentifier) return plan;
  const coveredPaths = plan.coveredPaths.union(textPlan.coveredPaths);
  const condition = withinCondition(textPlan.index, textPlan.ranges, textPlan.condition);
  return { ...plan, condition, coveredPaths, isExact: coversFilter(coveredPaths, filter) };
}

function bestIndexPlan(
  collection: Collection,
  filter: BsonDocument,
  sort: SortField[],
  fits: (plan: IndexPlan) => boolean,
): IndexPlan | undefined {
  const bounds = fieldBounds(filter);
  return collection.indexes
    .flatMap((index) => indexPlan(index, filter, bounds, sort, false) ?? [])
    .filter(({ plan }) => fits(plan))
    .reduce<{ plan?: IndexPlan; score: number }>((best, next) => (next.score > best.score ? next : best), { score: 0 })
    .plan;
}

/** Chooses the index that narrows a filter most, or the hinted index. Throws BadValue for a hint without an index. */
export function makePlan(collection: Collection, filter: BsonDocument, sort: SortField[], hint?: Hint): Plan {
  const wholeCollection: CollectionPlan = {
    kind: 'collection',
    isSorted: sort.length === 0,
    isExact: filter.size === 0,
    isDescending: false,
  };
  if (isDocument(hint) && hint.has('$natural')) return wholeCollection;
  const bounds = fieldBounds(filter);
  if (hint !== undefined) return indexPlan(hintedIndex(collection, hint), filter, bounds, sort, true)!.plan;
  let best: { plan: Plan; score: number } = { plan: wholeCollection, score: 0 };
  for (const index of collection.indexes) {
    const candidate = indexPlan(index, filter, bounds, sort, false);
    if (candidate && candidate.score > best.score) best = candidate;
  }
  return best.plan.kind === 'collection' ? (unionPlan(collection, filter, sort) ?? best.plan) : best.plan;
}

function hintedIndex(collection: Collection, hint: Hint): CollectionIndex {
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

function unionPlan(collection: Collection, filter: BsonDocument, sort: SortField[]): UnionPlan | undefined {
  const branches = filter.get('$or');
  if (!Array.isArray(branches) || branches.length > maxBranches) return undefined;
  const plans = branches.filter(isDocument).map((branch) => makePlan(collection, branch, []));
  const isIndexed = plans.length === branches.length && plans.every((plan) => plan.kind !== 'collection');
  return isIndexed ? { kind: 'union', plans, isSorted: sort.length === 0, isExact: false } : undefined;
}

function indexPlan(
  index: CollectionIndex,
  filter: BsonDocument,
  bounds: ReadonlyMap<string, FieldBounds>,
  sort: SortField[],
  isForced: boolean,
): { plan: IndexPlan; score: number } | undefined {
  if (!isForced && index.partialFilter && !implies(filter, bounds, index.partialFilter)) return undefined;
  const narrowed = narrow(index, bounds);
  const order = narrowed.isInOrder ? indexOrder(index, bounds, sort, narrowed.points) : undefined;
  const isComplete = !index.isSparse || narrowed.used > 0;
  const isUseful = narrowed.used > 0 || (order !== undefined && sort.length > 0);
  if (!isForced && !(isComplete && narrowed.isAllowed && isUseful)) return undefined;
  const isIdentifierPoint = index.isIdentifier && narrowed.points > 0;
  const isUniquePoint = index.isUnique && narrowed.points === index.fields.length;
  return {
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
      condition: narrowed.condition,
      isDescending: order === 'descending',
      isDistinct: index.fields.every(
        (_, at) => !index.isMultikeyAt(at) || (narrowed.isInOrder && at < narrowed.points),
      ),
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
  const coveredPaths = new Set<string>();
  let isAllowed = true;
  // Whether a walk of the ranges has the order of the index: they differ only in the last field.
  let isInOrder = true;
  let condition: EntryCondition | undefined;
  for (const [at, { path, direction }] of index.fields.entries()) {
    const field = bounds.get(path);
    const next = field && fieldRanges(field, direction, index.isMultikey);
    if (!next || ranges.length * next.ranges.length > maxRanges) break;
    if (index.isSparse && field.equals?.includes(null)) isAllowed = false;
    const textCondition = containsCondition(index, at, field, ranges);
    condition ??= textCondition;
    ranges = ranges.flatMap(({ low, high }) =>
      next.ranges.map((part) => ({ low: Buffer.concat([low, part.low]), high: Buffer.concat([high, part.high]) })),
    );
    used++;
    const isCovered = next.arePoints ? field.contains === undefined : textCondition !== undefined;
    if (isCovered && !field.isInexact && !(path.includes('.') && field.equals?.includes(null))) coveredPaths.add(path);
    if (!next.arePoints) break;
    if (next.ranges.length > 1) isInOrder = false;
    points++;
  }
  ranges = ranges.map(({ low, high }) => ({ low, high: Buffer.concat([high, prefixEnd]) }));
  return { ranges, condition, used, points, coveredPaths, isAllowed, isInOrder };
}

const coversFilter = (coveredPaths: ReadonlySet<string>, filter: BsonDocument): boolean =>
  [...filter.keys()].every((path) => coveredPaths.has(path));

/**
 * The direction in which the index has the requested order. A field that the filter fixes can be anywhere in the order.
 */
function indexOrder(
  index: CollectionIndex,
  bounds: ReadonlyMap<string, FieldBounds>,
  sort: SortField[],
  points: number,
): 'ascending' | 'descending' | undefined {
  const fixed = new Set(index.fields.filter((_, at) => at < points && !index.isMultikeyAt(at)).map(({ path }) => path));
  const remaining = sort.filter(({ path }) => !(fixed.has(path) && bounds.get(path)?.equals?.length === 1));
  let direction = 0;
  for (const [at, { path, direction: sortDirection }] of remaining.entries()) {
    const field = index.fields[points + at];
    if (field?.path !== path || index.isMultikeyAt(points + at)) return undefined;
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
    if (operator === '$exists') return wanted.get('$exists') === true && requiresValue(field);
    return operator === '$type' && wanted.get('$type') === 'string' && requiresText(field);
  });
}

const equalsOnly = (field: FieldBounds, value: BsonValue): boolean =>
  field.equals?.length === 1 && equalValues(field.equals[0], value);

const requiresValue = (field: FieldBounds): boolean =>
  field.equals ? !field.equals.includes(null) : field.low !== undefined || field.high !== undefined;

const requiresText = (field: FieldBounds): boolean =>
  field.equals?.every((value) => typeof value === 'string') ?? false;

/** A condition on the entries of an index, in addition to its ranges: SQL on `x.k` and `x.rid`. */
interface EntryCondition {
  sql: string;
  parameters: (Buffer | number)[];
  /** True when checking a few entries costs as much as checking all of them. */
  checksAllEntries: boolean;
}

/**
 * The condition that a string field of an index contains a text. Undefined when the keys cannot decide it: they can
 * only if they hold the field's whole value once, in ascending order.
 */
function containsCondition(
  index: CollectionIndex,
  field: number,
  bounds: FieldBounds,
  before: readonly KeyRange[],
): EntryCondition | undefined {
  const { contains, equals, low, high, prefix } = bounds;
  const hasOthers = [equals, low, high, prefix].some((condition) => condition !== undefined);
  if (contains === undefined || hasOthers || before.length !== 1) return undefined;
  if (index.isIdentifier || index.isMultikey || index.fields[field]!.direction < 0) return undefined;
  // The field's part of a key is a byte for the type, the text and a zero byte. Most entries fail the check of the
  // whole key.
  const start = before[0]!.low.length + 1;
  const text = `substr(x.k, ${start + 1})`;
  const bytes = Buffer.from(contains.text);
  const hasText = `instr(x.k, ?) > 0 AND instr(substr(${text}, 1, instr(${text}, x'00') - 1), ?) > 0`;
  // The only stored pattern in the ranges is the identical one. With escapes it does not contain the text.
  const isPattern = `substr(x.k, ${start}, 1) = x'${TypeOrder.regex.toString(16)}'`;
  return {
    sql: contains.pattern === contains.text ? hasText : `(${hasText} OR ${isPattern})`,
    parameters: [bytes, bytes],
    checksAllEntries: false,
  };
}

/** The condition that the document of an entry is also in a range of another index, under that index's condition. */
function withinCondition(index: CollectionIndex, ranges: readonly KeyRange[], own: EntryCondition): EntryCondition {
  const one = `SELECT x.rid FROM x${index.id} x WHERE x.k >= ? AND x.k <= ? AND ${own.sql}`;
  return {
    sql: `x.rid IN (${ranges.map(() => one).join(' UNION ALL ')})`,
    parameters: ranges.flatMap(({ low, high }) => [low, high, ...own.parameters]),
    checksAllEntries: true,
  };
}
