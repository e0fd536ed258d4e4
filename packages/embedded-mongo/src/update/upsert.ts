import { copyValue } from '../bson/path.ts';
import { isDocument, isOperatorDocument, type BsonDocument, type BsonValue } from '../bson/value.ts';
import { isPlainOperand } from '../query/filter.ts';
import { withIdentifierFirst } from '../storage/identifier.ts';
import { setAt } from './paths.ts';
import type { Update } from './update.ts';

/** The document that an upsert inserts without a match: the equality demands of the filter, then the update. */
export function upsertedDocument(filter: BsonDocument, update: Update): BsonDocument {
  const seed: BsonDocument = new Map();
  addEqualities(seed, filter);
  if (update.kind === 'replacement') {
    for (const name of seed.keys()) if (name !== '_id') seed.delete(name);
  }
  return withIdentifierFirst(update.apply(seed, { inserting: true }));
}

function addEqualities(seed: BsonDocument, filter: BsonDocument): void {
  for (const [name, argument] of filter) {
    if (name === '$and' || (name === '$or' && Array.isArray(argument) && argument.length === 1)) {
      for (const clause of argument as BsonValue[]) if (isDocument(clause)) addEqualities(seed, clause);
    } else if (!name.startsWith('$')) {
      const value = equalityOf(argument);
      if (value !== undefined) setAt(seed, name, copyValue(value));
    }
  }
}

function equalityOf(argument: BsonValue): BsonValue | undefined {
  if (!isOperatorDocument(argument)) return isPlainOperand(argument) ? argument : undefined;
  if (argument.has('$eq')) return argument.get('$eq');
  const list = argument.get('$in') ?? argument.get('$all');
  const only = Array.isArray(list) && list.length === 1 ? list[0] : undefined;
  return only !== undefined && isPlainOperand(only) ? only : undefined;
}
