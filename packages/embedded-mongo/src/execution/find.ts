import { decodeDocument } from '../bson/decode.ts';
import type { Yielder } from '../event-loop/yielder.ts';
import { sortYielding } from '../event-loop/yielding-sort.ts';
import { noVariables } from '../expression/scope.ts';
import { compileFilter, rootFields } from '../query/filter.ts';
import type { Positions } from '../query/predicate.ts';
import { documentSortKey, parseSort, type SortField } from '../query/sort.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { toNumber } from '../values/number.ts';
import { isNumber, type BsonDocument } from '../values/value.ts';
import { fieldBounds } from './field-bounds.ts';
import { entriesUpTo } from './estimate.ts';
import { decidedByEntries } from './decided-by-entries.ts';
import { makeOrderedPlan, makePlan, withTextCondition, type Hint } from './plan.ts';
import type { IndexPlan, QueryPlan, SubstringPlan } from './plan-kinds.ts';
import type { Hit, CollectionQuery } from './query.ts';
import { firstRows, isOrderKnown } from './first-rows.ts';
import { decidedRows, maxWalked, plansOfRows, readsFewer, type RowsDecided } from './row-filter.ts';
import { scan, skipEntries, type ScanPosition } from './scan.ts';
import { orderedSubstringPlan, substringPlans } from './substring-plan.ts';
import { findTextHits } from './text-query.ts';

interface SortedHit extends Hit {
  sortKey: Buffer | undefined;
}

const maxRetainedBytes = 2 << 20;
const documentsPerPiece = 200;

/** The matching documents, in the requested order. */
export async function findHits(collection: StoredCollection, query: CollectionQuery, yielder: Yielder): Promise<Hit[]> {
  if (query.filter.has('$text')) return findTextHits(collection, query, yielder);
  const { sort, natural } = orderOf(query.sort);
  const hint = natural === 0 ? query.hint : new Map([['$natural', 1]]);
  const chosen = makePlan(collection, query.filter, sort, hint);
  const byRows = hint === undefined ? await hitsByRows(collection, query, sort, chosen, yielder) : undefined;
  if (byRows) return byRows;
  const narrowing = planForFind(collection, query.filter, chosen, hint);
  if (narrowing.kind === 'collection' && natural < 0) narrowing.isDescending = true;
  const ordered = await orderedWalk(collection, query, sort, narrowing, yielder);
  const hitsBy = async (plan: QueryPlan, maxRead?: number) =>
    hitsOf(collection, query, sort, await planForText(collection, query, plan, yielder), yielder, maxRead);
  const first = ordered && (await hitsBy(ordered.plan, ordered.maxRead));
  if (first) return first;
  // The many rows with a text come late in the order: gathering them takes as long as they are, and not as long as what comes before.
  const many = ordered?.search && { ...ordered.search, rows: Infinity };
  const late = many && (await hitsOfRows(collection, query, sort, many, many, yielder));
  return late ?? (await hitsBy(narrowing))!;
}

/** So many documents are read before the rows of several indexes are combined: often they have the first page. */
const documentsTried = 60;

/** The documents by all indexes together, where one alone leaves many to read. Undefined where that is no quicker. */
async function hitsByRows(
  collection: StoredCollection,
  query: CollectionQuery,
  sort: SortField[],
  plan: QueryPlan,
  yielder: Yielder,
): Promise<Hit[] | undefined> {
  const { filter, skip, limit } = query;
  if (plan.kind === 'collection' || !leavesMany(collection, plan, plan.isSorted)) return undefined;
  const easy = plan.isSorted ? plan : limit && makeOrderedPlan(collection, filter, sort);
  if (limit && !skip && easy) {
    const hits = await hitsOf(collection, query, sort, easy, yielder, documentsTried + 2 * limit);
    if (hits) return hits;
  }
  return await hitsOfRows(collection, query, sort, plan, substringPlans(collection, filter, [])[0]?.plan, yielder);
}

/** The documents of the rows that all indexes, and a search, leave. Undefined if these cannot say them, or not sooner than a plan. */
async function hitsOfRows(
  collection: StoredCollection,
  query: CollectionQuery,
  sort: SortField[],
  alone: QueryPlan,
  search: SubstringPlan | undefined,
  yielder: Yielder,
): Promise<Hit[] | undefined> {
  const decided = await decidedRows(collection, query.filter, search, yielder);
  if (!decided) return undefined;
  const { walk, maxRead, byOrder, all } = plansOfRows(collection, query, sort, decided);
  const first = byOrder && (await hitsByOrder(collection, query, sort, { decided, walk, byOrder }, yielder));
  if (first) return first;
  const walked = walk && (await hitsOf(collection, query, sort, walk, yielder, maxRead));
  if (walked) return walked;
  return readsFewer(collection, alone, decided) ? undefined : hitsOf(collection, query, sort, all, yielder);
}

interface OrderedRows {
  decided: RowsDecided;
  walk: IndexPlan | undefined;
  byOrder: IndexPlan;
}

/** The first documents of many rows: by a short walk, or by the order in memory. Undefined while that is not read. */
async function hitsByOrder(
  collection: StoredCollection,
  query: CollectionQuery,
  sort: SortField[],
  { decided, walk, byOrder }: OrderedRows,
  yielder: Yielder,
): Promise<Hit[] | undefined> {
  const { version } = collection;
  if (walk && !isOrderKnown(collection, byOrder)) {
    const walked = await hitsOf(collection, query, sort, walk, yielder, maxWalked);
    if (walked) return walked;
  }
  const { skip = 0, limit = 0 } = query;
  const rows = firstRows(collection, byOrder, decided.rows, skip + limit);
  if (!rows || collection.version !== version) return undefined;
  const plan: QueryPlan = { kind: 'rows', rows, count: rows.count(), isSorted: false, isExact: false };
  const hits = await hitsOf(collection, query, sort, plan, yielder);
  // Fewer if documents changed meanwhile.
  return hits && hits.length >= Math.min(limit, decided.count - skip) ? hits : undefined;
}

/** Whether a plan reads many documents that do not match, or not in the requested order. */
export const leavesMany = (collection: StoredCollection, plan: QueryPlan, isSorted: boolean): boolean =>
  !(plan.isExact && (isSorted || (plan.kind === 'substring' && plan.rows === undefined))) &&
  entriesUpTo(collection, plan, fewDocuments) >= fewDocuments;

/** The documents of a plan; undefined if it would read more than `maxRead` documents. */
async function hitsOf(
  collection: StoredCollection,
  query: CollectionQuery,
  sort: SortField[],
  plan: QueryPlan,
  yielder: Yielder,
  maxRead = Infinity,
): Promise<Hit[] | undefined> {
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
  let read = 0;
  for await (const { found, rows } of matches(
    collection,
    query,
    plan,
    plan.isSorted ? [] : sort,
    yielder,
    after,
    maxRead,
  )) {
    for (const hit of found) hits.push(hit);
    if (plan.isSorted && hits.length >= end) break;
    // A piece of a walk without a match takes as long as reading some documents.
    read += rows || documentsPerPiece;
    if (read >= maxRead) return undefined;
    if (!plan.isSorted && hits.length > 2 * end + 1000)
      hits = (await sortYielding(hits, bySortKey, yielder)).slice(0, end);
  }
  if (!plan.isSorted) hits = await sortYielding(hits, bySortKey, yielder);
  return hits.slice(skip, end);
}

/** Counting more index entries than this takes several milliseconds. */
const maxCounted = 20_000;

/**
 * A walk in the requested order for a query with a limit, where it may find the first documents sooner than the narrowest
 * plan finds all of them. It reads at most as many documents as the narrowest plan before it gives way to that.
 */
async function orderedWalk(
  collection: StoredCollection,
  query: CollectionQuery,
  sort: SortField[],
  narrowing: QueryPlan,
  yielder: Yielder,
): Promise<{ plan: IndexPlan; maxRead: number; search?: SubstringPlan } | undefined> {
  const { filter, limit, hint } = query;
  if (!limit || sort.length === 0 || hint !== undefined || narrowing.kind === 'collection') return undefined;
  const end = (query.skip ?? 0) + limit;
  const search = narrowing.kind === 'substring' ? narrowing : substringPlans(collection, filter, sort)[0]?.plan;
  const walk = search && makeOrderedPlan(collection, filter, sort);
  const plan = walk && orderedSubstringPlan(collection, filter, search, end, walk);
  // Among few rows, those of the first page are found without a walk.
  if (plan && search.rows === undefined) return { plan, maxRead: maxWalked + end, search };
  if (plan) return { plan, maxRead: search.rows! };
  return narrowing.isSorted ? undefined : await orderedWithinLimit(collection, query, sort, narrowing, end, yielder);
}

async function orderedWithinLimit(
  collection: StoredCollection,
  { filter }: CollectionQuery,
  sort: SortField[],
  narrowing: QueryPlan,
  end: number,
  yielder: Yielder,
): Promise<{ plan: IndexPlan; maxRead: number } | undefined> {
  const narrow =
    narrowing.kind === 'index' && narrowing.condition
      ? (await skipEntries(collection, narrowing, maxCounted, yielder)).skipped
      : entriesUpTo(collection, narrowing, maxCounted);
  if (narrow <= end) return undefined;
  const plan = makeOrderedPlan(collection, filter, sort);
  if (!plan) return undefined;
  if (isDecidedByIndex(plan)) return { plan, maxRead: Infinity };
  // Even if all documents of the narrowest plan match, a wide walk meets `end` of them only after this share of it.
  const wide =
    narrow < maxCounted ? entriesUpTo(collection, plan, Math.min(maxCounted, Math.ceil(narrow ** 2 / end) + 1)) : 0;
  return (wide * end) / narrow >= narrow ? undefined : { plan, maxRead: narrow };
}

/** So few documents are read sooner than the entries of another index are searched. */
export const fewDocuments = 1000;

/**
 * The plan for a filter that searches for a text. When many documents remain, an index with the searched field in its
 * keys decides which of them match.
 */
export async function planForText(
  collection: StoredCollection,
  { filter, hint }: CollectionQuery,
  plan: QueryPlan,
  yielder: Yielder,
): Promise<QueryPlan> {
  if (plan.kind !== 'index' || plan.index.isIdentifier || plan.condition || hint !== undefined) return plan;
  if (requiredTexts(filter).length === 0) return plan;
  const { skipped } = await skipEntries(collection, plan, fewDocuments, yielder);
  return skipped < fewDocuments ? plan : withTextCondition(collection, filter, plan);
}

/** The plan that reads only matching documents, where many would be read otherwise and other indexes can be searched. */
function planForFind(collection: StoredCollection, filter: BsonDocument, plan: QueryPlan, hint?: Hint): QueryPlan {
  if (plan.kind !== 'index' || plan.isExact || hint !== undefined) return plan;
  if (entriesUpTo(collection, plan, fewDocuments) < fewDocuments) return plan;
  return decidedByEntries(collection, filter, plan, false) ?? plan;
}

/** Whether the entries of the index alone decide which documents match: each entry is one matching document. */
export const isDecidedByIndex = (plan: QueryPlan): plan is IndexPlan =>
  plan.kind === 'index' && plan.isExact && plan.isDistinct && !plan.index.isIdentifier;

function orderOf(sort: BsonDocument | undefined): { sort: SortField[]; natural: number } {
  const natural = sort?.get('$natural');
  if (natural !== undefined) return { sort: [], natural: isNumber(natural) ? toNumber(natural) : 1 };
  return { sort: sort ? parseSort(sort) : [], natural: 0 };
}

export async function* matches(
  collection: StoredCollection,
  query: CollectionQuery,
  plan: QueryPlan,
  sort: SortField[],
  yielder: Yielder,
  after?: ScanPosition,
  maxRead?: number,
): AsyncGenerator<{ found: SortedHit[]; rows: number }> {
  const predicate = compileFilter(query.filter, query.variables ?? noVariables);
  const texts = requiredTexts(query.filter);
  const isChecked = !plan.isExact || (plan.kind === 'index' && plan.isSnapshot === true);
  const mustDecode = isChecked || sort.length > 0 || query.wantPositions === true;
  const fields = rootFields(query.filter)?.union(new Set(sort.map(({ path }) => path.split('.')[0]!)));
  const sortKey = documentSortKey(sort);
  let retainedBytes = 0;
  const mayOmit = query.wantBytes === false && sort.length === 0 && query.wantPositions !== true;
  for (const rows of scan(collection, plan, mustDecode || query.wantBytes !== false, after, maxRead, mayOmit)) {
    const found: SortedHit[] = [];
    for (const { id, bytes } of rows) {
      const isToCheck = mustDecode && bytes !== undefined;
      if (isToCheck && !texts.every((either) => either.some((text) => bytes.includes(text)))) continue;
      const document = isToCheck ? decodeDocument(bytes, fields) : undefined;
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
    yield { found, rows: rows.length };
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
