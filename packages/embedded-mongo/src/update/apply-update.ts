import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { maxDocumentBytes } from '../errors/limits.ts';
import { locationError } from '../errors/mongo-error.ts';
import type { Target } from '../execution/change-matching.ts';
import { requireNotDropped } from '../execution/scan.ts';
import { isPlainOperand } from '../query/filter.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { checkIdentifier, withIdentifierFirst } from '../storage/identifier.ts';
import { copyValue } from '../values/path.ts';
import { isDocument, isOperatorDocument, type BsonDocument, type BsonValue } from '../values/value.ts';
import { setAt } from './paths.ts';
import type { Update } from './update.ts';

/** Changes one document and returns its new bytes, or the old bytes when nothing changed. */
export function applyUpdate(
  collection: StoredCollection,
  target: Target,
  update: Update,
  bypassValidation: boolean,
): Buffer {
  const { row, bytes, document, positions } = target;
  const after = update.apply(decodeDocument(bytes), { positions });
  const changed = encodeDocument(after);
  checkSize(changed);
  if (!changed.equals(bytes)) collection.update(row, document, changed, after, bypassValidation);
  return changed;
}

/** Inserts the document of an upsert and returns it. Throws QueryPlanKilled if the collection was dropped. */
export function insertUpserted(
  collection: StoredCollection,
  filter: BsonDocument,
  update: Update,
  bypassValidation: boolean,
): BsonDocument {
  requireNotDropped(collection);
  const document = upsertedDocument(filter, update);
  checkIdentifier(document);
  const bytes = encodeDocument(document);
  checkSize(bytes);
  collection.insert(bytes, document, bypassValidation);
  return document;
}

function checkSize(bytes: Buffer): void {
  if (bytes.length > maxDocumentBytes) {
    throw locationError(17419, `Resulting document after update is larger than ${maxDocumentBytes}`);
  }
}

/** The document that an upsert inserts: the values that the filter requires, changed by the update. */
export function upsertedDocument(filter: BsonDocument, update: Update): BsonDocument {
  const seed: BsonDocument = new Map();
  addEqualities(seed, filter);
  if (update.kind === 'replacement') {
    for (const name of seed.keys()) if (name !== '_id') seed.delete(name);
  }
  return withIdentifierFirst(update.apply(seed, { isInsert: true }));
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
