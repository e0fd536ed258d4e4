import { decodeDocument } from '../bson/decode.ts';
import type { Yielder } from '../event-loop/yielder.ts';
import { sortYielding } from '../event-loop/yielding-sort.ts';
import { noVariables } from '../expression/scope.ts';
import { compileFilter, rootFields } from '../query/filter.ts';
import type { Positions } from '../query/predicate.ts';
import { documentSortKey, parseSort, type SortField } from '../query/sort.ts';
import type { Collection } from '../storage/collection.ts';
import { toNumber } from '../values/number.ts';
import { isNumber, type BsonDocument } from '../values/value.ts';
import { fieldBounds } from './field-bounds.ts';
import { makeOrderedPlan, makePlan, withTextCondition, type IndexPlan, type Plan } from './plan.ts';
import type { Hit, Query } from './query.ts';
import { scan, skipEntries, type ScanPosition } from './scan.ts';
import { findTextHits } from './text-query.ts';

interface SortedHit extends Hit {
  sortKey: Buffer | undefined;
}

const maxRetainedBytes = 2 << 20;

/** The matching documents, in the requested order. */
export async function findHits(collection: Collection, query: Query, yielder: Yielder): Promise<Hit[]> {
  if (query.filter.has('$text')) return findTextHits(collection, query, yielder);
  const { sort, natural } = orderOf(query.sort);
  const hint = natural === 0 ? query.hint : new Map([['$natural', 1]]);
  const narrowing = makePlan(collection, query.filter, sort, hint);
  const chosen = await planForLimit(collection, query, sort, narrowing, yielder);
  const plan = await planForText(collection, query, chosen, yielder);
  if (plan.kind === 'collection' && natural < 0) plan.isDescending = true;
  let skip = query.skip ?? 0;
  let after: ScanPosition | undefined;
  if (skip > 0 && plan.isSorted && isDecidedByIndex(plan) && !query.wantPositions) {
    const { at } = await skipEntries(collection, plan, skip, yielder);
    if (!at) return [];
    after = at;
    skip = 0;
  }
  const end = skip + (query.limit || Infinity);
  let hits: SortedHit[] = [];
  for await (const found of matches(collection, query, plan, plan.isSorted ? [] : sort, yielder, after)) {
    for (const hit of found) hits.push(hit);
    if (plan.isSorted && hits.length >= end) break;
    if (!plan.isSorted && hits.length > 2 * end + 1000)
      hits = (await sortYielding(hits, bySortKey, yielder)).slice(0, end);
  }
  if (!plan.isSorted) hits = await sortYielding(hits, bySortKey, yielder);
  return hits.slice(skip, end);
}

/** With more documents than this, an index in the requested order is read instead of sorting the documents. */
const maxSortedInMemory = 1000;

/**
 * The plan for a query with a limit. Few documents are sorted after the narrowing index found them. For many, an index
 * in the requested order finds the first ones sooner.
 */
async function planForLimit(
  collection: Collection,
  { filter, limit, hint }: Query,
  sort: SortField[],
  plan: Plan,
  yielder: Yielder,
): Promise<Plan> {
  if (plan.isSorted || !limit || hint !== undefined || plan.kind !== 'index' || plan.index.isIdentifier) return plan;
  const ordered = makeOrderedPlan(collection, filter, sort);
  if (!ordered) return plan;
  const { skipped } = await skipEntries(collection, plan, maxSortedInMemory, yielder);
  return skipped < maxSortedInMemory ? plan : ordered;
}

/**
 * The plan for a filter that searches for a text. When many documents remain, an index with the searched field in its
 * keys decides which of them match.
 */
async function planForText(
  collection: Collection,
  { filter, hint }: Query,
  plan: Plan,
  yielder: Yielder,
): Promise<Plan> {
  if (plan.kind !== 'index' || plan.index.isIdentifier || plan.condition || hint !== undefined) return plan;
  if (requiredTexts(filter).length === 0) return plan;
  const { skipped } = await skipEntries(collection, plan, maxSortedInMemory, yielder);
  return skipped < maxSortedInMemory ? plan : withTextCondition(collection, filter, plan);
}

/** Whether the entries of the index alone decide which documents match: each entry is one matching document. */
const isDecidedByIndex = (plan: Plan): plan is IndexPlan =>
  plan.kind === 'index' && plan.isExact && plan.isDistinct && !plan.index.isIdentifier;

/** Number of matching documents. */
export async function countHits(collection: Collection, query: Query, yielder: Yielder): Promise<number> {
  if (query.filter.has('$text')) return (await findTextHits(collection, query, yielder)).length;
  const skip = query.skip ?? 0;
  const limit = query.limit || Infinity;
  if (query.filter.size === 0 && query.hint === undefined) {
    return Math.min(limit, Math.max(0, collection.count() - skip));
  }
  const plan = await planForText(collection, query, makePlan(collection, query.filter, [], query.hint), yielder);
  let count = 0;
  if (isDecidedByIndex(plan)) {
    count = (await skipEntries(collection, plan, skip + limit, yielder)).skipped;
    return Math.max(0, count - skip);
  }
  for await (const found of matches(collection, { ...query, wantBytes: false }, plan, [], yielder)) {
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
  yielder: Yielder,
  after?: ScanPosition,
): AsyncGenerator<SortedHit[]> {
  const predicate = compileFilter(query.filter, query.variables ?? noVariables);
  const texts = requiredTexts(query.filter);
  const mustDecode = !plan.isExact || sort.length > 0 || query.wantPositions === true;
  const fields = rootFields(query.filter)?.union(new Set(sort.map(({ path }) => path.split('.')[0]!)));
  const sortKey = documentSortKey(sort);
  let retainedBytes = 0;
  for (const rows of scan(collection, plan, mustDecode || query.wantBytes !== false, after)) {
    const found: SortedHit[] = [];
    for (const { id, bytes } of rows) {
      if (mustDecode && !texts.every((either) => either.some((text) => bytes!.includes(text)))) continue;
      const document = mustDecode ? decodeDocument(bytes!, fields) : undefined;
      const positions: Positions | undefined = query.wantPositions ? new Map() : undefined;
      if (document && !predicate(document, positions)) continue;
      const isRetained = query.wantBytes !== false && retainedBytes < maxRetainedBytes;
      if (isRetained) retainedBytes += bytes!.length;
      found.push({
        id,
        bytes: isRetained ? bytes : undefined,
        positions,
        sortKey: document && sort.length > 0 ? sortKey(document) : undefined,
      });
    }
    if (found.length > 0) yield found;
    if (yielder.isDue) await yielder.yield();
  }
}

/**
 * Every matching document contains one text of each set: the text that a pattern searches for, or the pattern itself.
 * Searching the bytes is far cheaper than decoding them.
 */
function requiredTexts(filter: BsonDocument): Buffer[][] {
  const bounds = [...fieldBounds(filter).values()].flatMap(({ contains }) => contains ?? []);
  return bounds.map(({ text, pattern }) => [...new Set([text, pattern])].map((either) => Buffer.from(either)));
}

const bySortKey = (a: SortedHit, b: SortedHit): number => Buffer.compare(a.sortKey!, b.sortKey!);
