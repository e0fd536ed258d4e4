import { decodeDocument } from '../bson/decode.ts';
import { toNumber } from '../bson/number.ts';
import { isNumber, type BsonDocument } from '../bson/value.ts';
import type { Pace } from '../pace.ts';
import { sortAtPace } from '../pace-sort.ts';
import { compileFilter, noVariables, rootFields, type Variables } from '../query/filter.ts';
import type { Positions } from '../query/predicate.ts';
import { documentSortKey, parseSort, type SortField } from '../query/sort.ts';
import type { Collection } from './collection.ts';
import { makeOrderedPlan, makePlan, withTextTold, type Hint, type IndexPlan, type Plan } from './plan.ts';
import { passEntries, scan, type Row, type ScanPosition } from './scan.ts';
import { fieldBounds } from './field-bounds.ts';
import { findTextHits } from './text-query.ts';

export interface Query {
  filter: BsonDocument;
  sort?: BsonDocument | undefined;
  skip?: number | undefined;
  /** 0 or absent for no limit. */
  limit?: number | undefined;
  hint?: Hint | undefined;
  variables?: Variables | undefined;
  wantPositions?: boolean | undefined;
  /** False when only the rows are wanted, not what is in them. */
  wantBytes?: boolean | undefined;
}

/** A document that a query found. The bytes of all but the first are not kept: `Collection.read` has them. */
export interface Hit extends Row {
  positions: Positions | undefined;
  /** How well it answers a `$text`. */
  textScore?: number;
}

interface SortedHit extends Hit {
  sortKey: Buffer | undefined;
}

const maxKeptBytes = 2 << 20;

/** The documents that match, in the order asked for. */
export async function findHits(collection: Collection, query: Query, pace: Pace): Promise<Hit[]> {
  if (query.filter.has('$text')) return findTextHits(collection, query, pace);
  const { sort, natural } = orderOf(query.sort);
  const hint = natural === 0 ? query.hint : new Map([['$natural', 1]]);
  const narrowing = makePlan(collection, query.filter, sort, hint);
  const chosen = await limitedPlan(collection, query, sort, narrowing, pace);
  const plan = await textPlan(collection, query, chosen, pace);
  if (plan.kind === 'collection' && natural < 0) plan.descending = true;
  let skip = query.skip ?? 0;
  let after: ScanPosition | undefined;
  if (skip > 0 && plan.sorted && isCounted(plan) && !query.wantPositions) {
    const { at } = await passEntries(collection, plan, skip, pace);
    if (!at) return [];
    after = at;
    skip = 0;
  }
  const end = skip + (query.limit || Infinity);
  let hits: SortedHit[] = [];
  for await (const found of matches(collection, query, plan, plan.sorted ? [] : sort, pace, after)) {
    for (const hit of found) hits.push(hit);
    if (plan.sorted && hits.length >= end) break;
    if (!plan.sorted && hits.length > 2 * end + 1000) hits = (await sortAtPace(hits, bySortKey, pace)).slice(0, end);
  }
  if (!plan.sorted) hits = await sortAtPace(hits, bySortKey, pace);
  return hits.slice(skip, end);
}

/** As many documents as are sorted rather than looked for along an index that has their order. */
const maxSorted = 1000;

/**
 * Of a few documents in another order, sorting what an index narrows to costs little; where it leaves many, an index in the
 * order asked for finds the first ones sooner.
 */
async function limitedPlan(
  collection: Collection,
  { filter, limit, hint }: Query,
  sort: SortField[],
  plan: Plan,
  pace: Pace,
): Promise<Plan> {
  if (plan.sorted || !limit || hint !== undefined || plan.kind !== 'index' || plan.index.isIdentifier) return plan;
  const ordered = makeOrderedPlan(collection, filter, sort);
  if (!ordered) return plan;
  const { passed } = await passEntries(collection, plan, maxSorted, pace);
  return passed < maxSorted ? plan : ordered;
}

/** Where many documents are left and a text is looked for, an index that has the text in its keys tells which they are. */
async function textPlan(collection: Collection, { filter, hint }: Query, plan: Plan, pace: Pace): Promise<Plan> {
  if (plan.kind !== 'index' || plan.index.isIdentifier || plan.condition || hint !== undefined) return plan;
  if (textsWithin(filter).length === 0) return plan;
  const { passed } = await passEntries(collection, plan, maxSorted, pace);
  return passed < maxSorted ? plan : withTextTold(collection, filter, plan);
}

/** Whether the entries of an index say how many documents there are, and which. */
const isCounted = (plan: Plan): plan is IndexPlan =>
  plan.kind === 'index' && plan.exact && plan.distinct && !plan.index.isIdentifier;

/** How many documents match. */
export async function countHits(collection: Collection, query: Query, pace: Pace): Promise<number> {
  if (query.filter.has('$text')) return (await findTextHits(collection, query, pace)).length;
  const skip = query.skip ?? 0;
  const limit = query.limit || Infinity;
  if (query.filter.size === 0 && query.hint === undefined) {
    return Math.min(limit, Math.max(0, collection.count() - skip));
  }
  const plan = await textPlan(collection, query, makePlan(collection, query.filter, [], query.hint), pace);
  let count = 0;
  if (isCounted(plan)) {
    count = (await passEntries(collection, plan, skip + limit, pace)).passed;
    return Math.max(0, count - skip);
  }
  for await (const found of matches(collection, { ...query, wantBytes: false }, plan, [], pace)) {
    count += found.length;
    if (count >= skip + limit) break;
  }
  return Math.min(limit, Math.max(0, count - skip));
}

function orderOf(sort: BsonDocument | undefined): { sort: SortField[]; natural: number } {
  const natural = sort?.get('$natural');
  if (natural !== undefined) return { sort: [], natural: isNumber(natural) ? toNumber(natural) : 1 };
  return { sort: sort ? parseSort(sort) : [], natural: 0 };
}

async function* matches(
  collection: Collection,
  query: Query,
  plan: Plan,
  sort: SortField[],
  pace: Pace,
  after?: ScanPosition,
): AsyncGenerator<SortedHit[]> {
  const predicate = compileFilter(query.filter, query.variables ?? noVariables);
  const texts = textsWithin(query.filter);
  const lookInside = !plan.exact || sort.length > 0 || query.wantPositions === true;
  const fields = rootFields(query.filter)?.union(new Set(sort.map(({ path }) => path.split('.')[0]!)));
  const sortKey = documentSortKey(sort);
  let keptBytes = 0;
  for (const rows of scan(collection, plan, lookInside || query.wantBytes !== false, after)) {
    const found: SortedHit[] = [];
    for (const { id, bytes } of rows) {
      if (lookInside && !texts.every((text) => bytes!.includes(text))) continue;
      const document = lookInside ? decodeDocument(bytes!, fields) : undefined;
      const positions: Positions | undefined = query.wantPositions ? new Map() : undefined;
      if (document && !predicate(document, positions)) continue;
      const kept = query.wantBytes !== false && keptBytes < maxKeptBytes;
      if (kept) keptBytes += bytes!.length;
      found.push({
        id,
        bytes: kept ? bytes : undefined,
        positions,
        sortKey: document && sort.length > 0 ? sortKey(document) : undefined,
      });
    }
    if (found.length > 0) yield found;
    if (pace.isDue) await pace.rest();
  }
}

/** What must stand somewhere in the bytes of every document that matches: far cheaper to look for than to decode. */
function textsWithin(filter: BsonDocument): Buffer[] {
  const bounds = [...fieldBounds(filter).values()];
  return bounds.flatMap(({ contains }) => (contains === undefined ? [] : [Buffer.from(contains)]));
}

const bySortKey = (a: SortedHit, b: SortedHit): number => Buffer.compare(a.sortKey!, b.sortKey!);
