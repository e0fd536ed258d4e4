import { isDocument, type BsonDocument, type BsonValue } from '../bson/value.ts';
import { badValue, failedToParse } from '../errors.ts';
import { compileFilter, type Variables } from '../query/filter.ts';
import type { Predicate } from '../query/predicate.ts';

/** The filters of an update, by the identifier in `$[identifier]`. Each filter gets a document with that one field. */
export function compileArrayFilters(filters: readonly BsonDocument[], variables: Variables): Map<string, Predicate> {
  const compiled = new Map<string, Predicate>();
  for (const filter of filters) {
    const identifier = identifierOf(filter);
    if (compiled.has(identifier)) {
      throw failedToParse(`Found multiple array filters with the same top-level field name ${identifier}`);
    }
    compiled.set(identifier, compileFilter(filter, variables));
  }
  return compiled;
}

function identifierOf(filter: BsonDocument): string {
  const [identifier, other] = namesIn(filter);
  if (identifier === undefined) {
    throw failedToParse('Cannot use an expression without a top-level field name in arrayFilters');
  }
  if (other !== undefined) {
    throw failedToParse(
      `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${identifier}' and '${other}'`,
    );
  }
  if (!/^[a-z][A-Za-z0-9]*$/.test(identifier)) {
    throw badValue(
      `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${identifier}'`,
    );
  }
  return identifier;
}

function namesIn(filter: BsonDocument): Set<string> {
  const names = new Set<string>();
  for (const [name, argument] of filter) {
    if (!name.startsWith('$')) names.add(name.split('.')[0]!);
    else for (const clause of documentsIn(argument)) namesIn(clause).forEach((inner) => names.add(inner));
  }
  return names;
}

const documentsIn = (value: BsonValue): BsonDocument[] => (Array.isArray(value) ? value : [value]).filter(isDocument);
