import { languageNamed, readSearch, type TextLanguage } from '@docwright/language';
import { ObjectId } from 'bson';
import { decodeDocument } from '../bson/decode.ts';
import {
  badValue,
  failedToParse,
  indexNotFound,
  locationError,
  MongoError,
  notImplemented,
} from '../errors/mongo-error.ts';
import type { Yielder } from '../event-loop/yielder.ts';
import { sortYielding } from '../event-loop/yielding-sort.ts';
import { noVariables } from '../expression/scope.ts';
import { requiredValue } from '../query/required-value.ts';
import { compileFilter } from '../query/filter.ts';
import { documentSortKey, parseSort } from '../query/sort.ts';
import type { StoredCollection } from '../storage/collection.ts';
import type { FullTextIndex, TextSearch } from '../storage/text-index.ts';
import { show } from '../values/show.ts';
import { isDocument, isTruthy, type BsonDocument, type BsonValue } from '../values/value.ts';
import type { Hit, CollectionQuery } from './query.ts';

/**
 * The documents that match a filter with `$text`, best first or in the requested order. When the filter has only
 * `$text` and the order is by score, only the requested number of rows is read.
 */
export async function findTextHits(
  collection: StoredCollection,
  query: CollectionQuery,
  yielder: Yielder,
): Promise<Hit[]> {
  const { textIndex } = collection;
  if (!textIndex) throw indexNotFound('text index required for $text query');
  const { prefix, filter: remaining } = prefixOf(textIndex, withoutText(query.filter));
  let filter = remaining;
  let search = searchOf(query.filter.get('$text')!, textIndex.language, prefix);
  const predicate = compileFilter(filter, query.variables ?? noVariables);
  const skip = query.skip ?? 0;
  const end = skip + (query.limit || Infinity);
  const sort = parseSort(isByScore(query.sort) ? new Map() : (query.sort ?? new Map()));
  if (search === undefined) return [];
  // A condition on the language alone is part of the search in the index.
  const [[field, value] = []] = filter;
  const narrowed = filter.size === 1 ? textIndex.withField(search, field!, value) : undefined;
  if (narrowed !== undefined) {
    search = narrowed;
    filter = new Map();
  }
  const isOnlyText = filter.size === 0 && sort.length === 0;
  let hits: (Hit & { sortKey: Buffer })[] = [];
  const sortKey = documentSortKey(sort);
  // Best first, a filter usually drops few of the best rows: more of them are read only if too few remain.
  let limit = sort.length > 0 ? Infinity : isOnlyText ? end : Math.max(end * 2, minRows);
  let done = 0;
  for (;;) {
    const rows = textIndex.search(search, limit);
    for (const { id, score } of rows.slice(done)) {
      if (yielder.isDue) await yielder.yield();
      const bytes = isOnlyText || collection.isDropped ? undefined : collection.read(id);
      if (!isOnlyText && !bytes) continue;
      const document = bytes && decodeDocument(bytes);
      if (document && !predicate(document)) continue;
      const key = document && sort.length > 0 ? sortKey(document) : Buffer.alloc(0);
      hits.push({ id, bytes: undefined, positions: undefined, textScore: score, sortKey: key });
      if (sort.length === 0 && hits.length >= end) break;
    }
    if (isOnlyText || rows.length < limit || hits.length >= end) break;
    done = rows.length;
    limit *= 8;
  }
  if (sort.length > 0) hits = await sortYielding(hits, (a, b) => Buffer.compare(a.sortKey, b.sortKey), yielder);
  return hits.slice(skip, end);
}

const minRows = 100;

/** The filter without its `$text`. */
export const withoutText = (filter: BsonDocument): BsonDocument =>
  new Map([...filter].filter(([name]) => name !== '$text'));

/**
 * The values of the fields before the texts of an index, and the filter without those that the index decides. Throws MongoDB's error
 * if the filter does not name a value of each.
 */
function prefixOf(index: FullTextIndex, filter: BsonDocument): { prefix: BsonValue[]; filter: BsonDocument } {
  const remaining = new Map(filter);
  const prefix = index.prefix.map((path) => {
    const value = requiredValue(filter.get(path));
    if (value === undefined) {
      throw new MongoError(
        291,
        'NoQueryExecutionPlans',
        'failed to use text index to satisfy $text query (if text index is compound, are equality predicates given for all prefix fields?)',
      );
    }
    // The keys of other values, such as large decimals, are not theirs alone.
    if (typeof value === 'string' || value instanceof ObjectId) remaining.delete(path);
    return value;
  });
  return { prefix, filter: remaining };
}

function isByScore(sort: BsonDocument | undefined): boolean {
  const [first] = sort?.values() ?? [];
  return sort?.size === 1 && isDocument(first) && first.size === 1 && first.get('$meta') === 'textScore';
}

/**
 * What a `$text` operator looks for: words are alternatives, every "phrase" is required, a leading minus excludes.
 * Undefined when no term remains. Throws MongoDB's errors for unsupported options.
 */
function searchOf(
  operator: BsonValue,
  indexLanguage: TextLanguage,
  prefix: readonly BsonValue[],
): TextSearch | undefined {
  if (!isDocument(operator)) throw badValue('$text expects an object');
  for (const [name, value] of operator) {
    if (!['$search', '$language', '$caseSensitive', '$diacriticSensitive'].includes(name)) {
      throw badValue(`extra fields in $text: ${name}`);
    }
    if (name.endsWith('Sensitive') && isTruthy(value)) throw notImplemented(`${name} is not supported by this server`);
  }
  const search = operator.get('$search');
  if (typeof search !== 'string') throw failedToParse(`"$search" had the wrong type. Expected string: ${show(search)}`);
  const parts = readSearch(search, languageOf(operator.get('$language'), indexLanguage));
  const termsOf = (wanted: string) => parts.flatMap(({ kind, stems }) => (kind === wanted ? [stems] : []));
  const [words, phrases, unwanted] = [termsOf('word'), termsOf('phrase'), termsOf('unwanted')];
  return words.length + phrases.length === 0 ? undefined : { words, phrases, unwanted, prefix };
}

function languageOf(requested: BsonValue | undefined, indexLanguage: TextLanguage): TextLanguage {
  if (requested === undefined) return indexLanguage;
  if (typeof requested !== 'string') {
    throw failedToParse(`"$language" had the wrong type. Expected string: ${show(requested)}`);
  }
  const language = languageNamed(requested);
  if (language) return language;
  throw locationError(17_007, `unsupported language: "${requested}" for text index version 3`);
}
