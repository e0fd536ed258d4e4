import { ObjectId, Timestamp } from 'bson';
import { checkDocument, decodeDocument, elementsOf } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { maxDocumentBytes } from '../errors/limits.ts';
import { tooLarge } from '../errors/mongo-error.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { checkIdentifier, withIdentifierFirst } from '../storage/identifier.ts';
import { currentTimestamp } from '../update/field-operators.ts';
import { BsonType } from '../values/value.ts';
import type { Reply } from '../wire/reply.ts';
import { rawDocuments, type ReceivedCommand, type CommandTable } from './command.ts';
import { accepted, collectionName, flag, readOptions, required } from './options.ts';
import { checkBatchSize, WriteResult } from './write-result.ts';

async function insert(context: ReceivedCommand): Promise<Reply> {
  const { storage, db, command, yielder } = context;
  const options = readOptions(command, 'insert', {
    insert: collectionName,
    documents: accepted,
    ordered: flag,
    bypassDocumentValidation: flag,
  });
  const documents = rawDocuments(context, 'documents');
  checkBatchSize(documents.length);
  const name = required(options.insert, 'insert.insert');
  let collection = storage.ensure(db, name);
  const result = new WriteResult(options.ordered !== false);
  for (const [index, bytes] of documents.entries()) {
    // Another command can drop the collection while this one yields.
    if (collection.isDropped) collection = storage.ensure(db, name);
    try {
      insertDocument(collection, bytes, options.bypassDocumentValidation === true);
      result.matched++;
    } catch (error) {
      if (!result.recordError(index, error)) break;
    }
    if (yielder.isDue) await yielder.yield();
  }
  return result.reply();
}

function insertDocument(collection: StoredCollection, bytes: Buffer, bypassValidation: boolean): void {
  if (bytes.length > maxDocumentBytes) throw tooLarge(bytes.length);
  checkDocument(bytes);
  const stored = needsRewriting(bytes) ? rewritten(bytes) : bytes;
  const document = decodeDocument(stored, collection.fieldsReadByWrites);
  checkIdentifier(document);
  collection.insert(stored, document, bypassValidation);
}

/** A document that has `_id` first and no empty timestamp is stored byte for byte as it was received. */
function needsRewriting(bytes: Buffer): boolean {
  let isFirst = true;
  for (const { name, type, valueStart } of elementsOf(bytes)) {
    if (isFirst && name !== '_id') return true;
    if (type === BsonType.timestamp && bytes.readBigUInt64LE(valueStart) === 0n) return true;
    isFirst = false;
  }
  return isFirst;
}

function rewritten(bytes: Buffer): Buffer {
  const document = decodeDocument(bytes);
  if (!document.has('_id')) document.set('_id', new ObjectId());
  for (const [name, value] of document) {
    if (name !== '_id' && value instanceof Timestamp && value.isZero()) document.set(name, currentTimestamp());
  }
  return encodeDocument(withIdentifierFirst(document));
}

export const insertCommands: CommandTable = [['insert', insert]];
