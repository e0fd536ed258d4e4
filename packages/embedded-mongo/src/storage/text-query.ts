import { decodeDocument } from '../bson/decode.ts';
import { isDocument, type BsonDocument } from '../bson/value.ts';
import { indexNotFound } from '../errors.ts';
import type { Pace } from '../pace.ts';
import { sortAtPace } from '../pace-sort.ts';
import { compileFilter, noVariables } from '../query/filter.ts';
import { documentSortKey, parseSort } from '../query/sort.ts';
import { textExpression } from '../query/text-search.ts';
import type { Collection } from './collection.ts';
import type { Hit, Query } from './query.ts';

/**
 * The documents that a filter with `$text` finds, the best first where no other order is asked for. With nothing in the
 * filter but the text, and in that order, only as many rows are looked at as are wanted.
 */
export async function findTextHits(collection: Collection, query: Query, pace: Pace): Promise<Hit[]> {
  const { textIndex } = collection;
  if (!textIndex) throw indexNotFound('text index required for $text query');
  let filter = withoutText(query.filter);
  let expression = textExpression(query.filter.get('$text')!, textIndex.language);
  const predicate = compileFilter(filter, query.variables ?? noVariables);
  const skip = query.skip ?? 0;
  const end = skip + (query.limit || Infinity);
  const sort = parseSort(isByScore(query.sort) ? new Map() : (query.sort ?? new Map()));
  if (expression === undefined) return [];
  // That documents are in one language, the index can tell.
  const [[field, value] = []] = filter;
  const narrowed = filter.size === 1 ? textIndex.withField(expression, field!, value) : undefined;
  if (narrowed !== undefined) {
    expression = narrowed;
    filter = new Map();
  }
  const isLimited = filter.size === 0 && sort.length === 0;
  const rows = textIndex.search(expression, isLimited ? end : Infinity);
  let hits: (Hit & { sortKey: Buffer })[] = [];
  const sortKey = documentSortKey(sort);
  for (const { id, score } of rows) {
    if (pace.isDue) await pace.rest();
    const bytes = isLimited || collection.dropped ? undefined : collection.read(id);
    if (!isLimited && !bytes) continue;
    const document = bytes && decodeDocument(bytes);
    if (document && !predicate(document)) continue;
    const key = document && sort.length > 0 ? sortKey(document) : Buffer.alloc(0);
    hits.push({ id, bytes: undefined, positions: undefined, textScore: score, sortKey: key });
    if (sort.length === 0 && hits.length >= end) break;
  }
  if (sort.length > 0) hits = await sortAtPace(hits, (a, b) => Buffer.compare(a.sortKey, b.sortKey), pace);
  return hits.slice(skip, end);
}

/** What of a filter is not for the text index. */
export const withoutText = (filter: BsonDocument): BsonDocument =>
  new Map([...filter].filter(([name]) => name !== '$text'));

function isByScore(sort: BsonDocument | undefined): boolean {
  const [first] = sort?.values() ?? [];
  return sort?.size === 1 && isDocument(first) && first.size === 1 && first.get('$meta') === 'textScore';
}
