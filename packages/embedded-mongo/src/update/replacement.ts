import { Timestamp } from 'bson';
import { equalValues } from '../bson/compare.ts';
import type { BsonDocument } from '../bson/value.ts';
import { immutableIdentifier, MongoError } from '../errors.ts';
import { currentTimestamp } from './field-operators.ts';
import type { Update } from './update.ts';

/** An update that replaces the whole document but for its `_id`. */
export function compileReplacement(replacement: BsonDocument): Update {
  const dollar = [...replacement.keys()].find((name) => name.startsWith('$'));
  if (dollar !== undefined) {
    throw new MongoError(
      52,
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${dollar}' in '${dollar}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    );
  }
  return { kind: 'replacement', needsPositions: false, apply: (document) => replace(document, replacement) };
}

/** Puts `_id` first. An empty timestamp at the top level becomes the current time, as on insert. */
export function replace(document: BsonDocument, replacement: BsonDocument): BsonDocument {
  const identifier = document.get('_id') ?? replacement.get('_id');
  if (replacement.has('_id') && !equalValues(identifier, replacement.get('_id'))) throw immutableIdentifier();
  const result: BsonDocument = new Map();
  if (identifier !== undefined) result.set('_id', identifier);
  for (const [name, value] of replacement) {
    if (name === '_id') continue;
    result.set(name, value instanceof Timestamp && value.isZero() ? currentTimestamp() : value);
  }
  return result;
}
