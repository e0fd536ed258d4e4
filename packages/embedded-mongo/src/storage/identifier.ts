import { ObjectId } from 'bson';
import { MongoError } from '../errors/mongo-error.ts';
import { isDocument, typeName, type BsonDocument, type BsonValue } from '../values/value.ts';

/** The document with its `_id` first. Generates a missing `_id`. */
export function withIdentifierFirst(document: BsonDocument): BsonDocument {
  const [first] = document.keys();
  if (first === '_id') return document;
  const identifier = document.get('_id') ?? new ObjectId();
  return new Map<string, BsonValue>([['_id', identifier], ...[...document].filter(([name]) => name !== '_id')]);
}

/** Throws for an `_id` of a type that MongoDB does not allow. */
export function checkIdentifier(document: BsonDocument): void {
  const identifier = document.get('_id');
  const type = typeName(identifier);
  if (type === 'array' || type === 'regex' || type === 'undefined') {
    throw new MongoError(53, 'InvalidIdField', `The '_id' value cannot be of type ${type}`);
  }
  const dollar = isDocument(identifier) && [...identifier.keys()].find((name) => name.startsWith('$'));
  if (dollar) {
    throw new MongoError(
      52,
      'DollarPrefixedFieldName',
      `_id fields may not contain '$'-prefixed fields: ${dollar} is not valid for storage.`,
    );
  }
}
