import { decodeDocument } from '../bson/decode.ts';
import { toNumber } from '../bson/number.ts';
import { isNumber, type BsonDocument } from '../bson/value.ts';
import type { Pace } from '../pace.ts';
import { sortAtPace } from '../pace-sort.ts';
import { compileFilter, noVariables, rootFields, type Variables } from '../query/filter.ts';
import type { Positions } from '../query/predicate.ts';
import { documentSortKey, parseSort, type SortField } from '../query/sort.ts';
import type { Collection } from './collection.ts';
import { makePlan, type Hint, type Plan } from './plan.ts';
import { scan, type Row } from './scan.ts';
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

const mostKeptBytes = 2 << 20;

/** The documents that match, in the order asked for. */
export async function findHits(collection: Collection, query: Query, pace: Pace): Promise<Hit[]> {
  if (query.filter.has('$text')) return findTextHits(collection, query, pace);
  const { sort, natural } = orderOf(query.sort);
  const plan = makePlan(collection, query.filter, sort, natural === 0 ? query.hint : new Map([['$natural', 1]]));
  if (plan.kind === 'collection' && natural < 0) plan.descending = true;
  const end = (query.skip ?? 0) + (query.limit || Infinity);
  let hits: SortedHit[] = [];
  for await (const found of matches(collection, query, plan, plan.sorted ? [] : sort, pace)) {
    for (const hit of found) hits.push(hit);
    if (plan.sorted && hits.length >= end) break;
    if (!plan.sorted && hits.length > 2 * end + 1000) hits = (await sortAtPace(hits, bySortKey, pace)).slice(0, end);
  }
  if (!plan.sorted) hits = await sortAtPace(hits, bySortKey, pace);
  return hits.slice(query.skip ?? 0, end);
}

/** How many documents match. */
export async function countHits(collection: Collection, query: Query, pace: Pace): Promise<number> {
  if (query.filter.has('$text')) return (await findTextHits(collection, query, pace)).length;
  const skip = query.skip ?? 0;
  const limit = query.limit || Infinity;
  if (query.filter.size === 0 && query.hint === undefined) {
    return Math.min(limit, Math.max(0, collection.count() - skip));
  }
  const plan = makePlan(collection, query.filter, [], query.hint);
  let count = 0;
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
): AsyncGenerator<SortedHit[]> {
  const predicate = compileFilter(query.filter, query.variables ?? noVariables);
  const lookInside = !plan.exact || sort.length > 0 || query.wantPositions === true;
  const fields = rootFields(query.filter)?.union(new Set(sort.map(({ path }) => path.split('.')[0]!)));
  const sortKey = documentSortKey(sort);
  let keptBytes = 0;
  for (const rows of scan(collection, plan, lookInside || query.wantBytes !== false)) {
    const found: SortedHit[] = [];
    for (const { id, bytes } of rows) {
      const document = lookInside ? decodeDocument(bytes!, fields) : undefined;
      const positions: Positions | undefined = query.wantPositions ? new Map() : undefined;
      if (document && !predicate(document, positions)) continue;
      const kept = query.wantBytes !== false && keptBytes < mostKeptBytes;
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

const bySortKey = (a: SortedHit, b: SortedHit): number => Buffer.compare(a.sortKey!, b.sortKey!);
