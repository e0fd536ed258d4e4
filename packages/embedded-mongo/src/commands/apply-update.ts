import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import type { BsonDocument } from '../bson/value.ts';
import { locationError } from '../errors.ts';
import { maxDocumentBytes } from '../limits.ts';
import type { Collection } from '../storage/collection.ts';
import type { Update } from '../update/update.ts';
import { upsertedDocument } from '../update/upsert.ts';
import { checkIdentifier } from '../storage/identifier.ts';
import type { Target } from '../storage/change-matching.ts';

/** Changes one document and returns its new bytes, or the old bytes when nothing changed. */
export function applyUpdate(collection: Collection, target: Target, update: Update, bypassValidation: boolean): Buffer {
  const { row, bytes, document, positions } = target;
  const after = update.apply(decodeDocument(bytes), { positions });
  const changed = encodeDocument(after);
  checkSize(changed);
  if (!changed.equals(bytes)) collection.update(row, document, changed, after, bypassValidation);
  return changed;
}

/** Inserts the document of an upsert and returns it. */
export function insertUpserted(
  collection: Collection,
  filter: BsonDocument,
  update: Update,
  bypassValidation: boolean,
): BsonDocument {
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
