import { locationError } from '../errors/mongo-error.ts';
import type { CollectionQuery } from '../execution/query.ts';
import type { Variables } from '../expression/scope.ts';
import { isDocument, type BsonDocument, type BsonValue } from '../values/value.ts';
import { countArgument } from './simple-stages.ts';
import { stageOf } from './stage.ts';

/** Turns the leading `$match`, `$sort`, `$skip` and `$limit` into a query, which can use indexes. */
export function splitQuery(
  pipeline: readonly BsonValue[],
  hint: CollectionQuery['hint'],
  variables: Variables,
): { query: CollectionQuery; rest: BsonValue[] } {
  const query: CollectionQuery = { filter: new Map(), hint, variables };
  const rest = pipeline.map(stageOf);
  const next = (name: string): BsonValue | undefined => (rest[0]?.[0] === name ? rest.shift()![1] : undefined);
  const filters: BsonDocument[] = [];
  for (let match = next('$match'); match !== undefined; match = next('$match')) {
    if (!isDocument(match)) throw locationError(15959, 'the match filter must be an expression in an object');
    filters.push(match);
  }
  query.filter = filters.length > 1 ? new Map([['$and', filters]]) : (filters[0] ?? new Map());
  if (isDocument(rest[0]?.[1]) && rest[0][1].size > 0) query.sort = next('$sort') as BsonDocument | undefined;
  const skip = next('$skip');
  if (skip !== undefined) query.skip = countArgument(skip, 15956, '$skip', 0);
  const limit = next('$limit');
  if (limit !== undefined) query.limit = countArgument(limit, 15958, '$limit', 1);
  return { query, rest: rest.map((entry) => new Map([entry])) };
}
