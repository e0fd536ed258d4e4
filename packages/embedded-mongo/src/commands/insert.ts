import { ObjectId, Timestamp } from 'bson';
import { checkDocument, decodeDocument, elementsOf } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { maxDocumentBytes, maxWrites } from '../errors/limits.ts';
import { MongoError, tooLarge } from '../errors/mongo-error.ts';
import type { Collection } from '../storage/collection.ts';
import { checkIdentifier, withIdentifierFirst } from '../storage/identifier.ts';
import { currentTimestamp } from '../update/field-operators.ts';
import { BsonType } from '../values/value.ts';
import type { Reply } from '../wire/reply.ts';
import { rawDocuments, type CommandContext, type CommandTable } from './command.ts';
import { accepted, collectionName, flag, readOptions, required } from './options.ts';
import { WriteResult } from './write-result.ts';

async function insert(context: CommandContext): Promise<Reply> {
  const { storage, db, command, yielder } = context;
  const options = readOptions(command, 'insert', {
    insert: collectionName,
    documents: accepted,
    ordered: flag,
    bypassDocumentValidation: flag,
  });
  const documents = rawDocuments(context, 'documents');
  checkBatch(documents.length);
  const collection = storage.ensure(db, required(options.insert, 'insert.insert'));
  const result = new WriteResult(options.ordered !== false);
  for (const [index, bytes] of documents.entries()) {
    const done = result.attempt(index, () => {
      insertDocument(collection, bytes, options.bypassDocumentValidation === true);
      result.matched++;
    });
    if (!done) break;
    if (yielder.isDue) await yielder.yield();
  }
  return result.reply();
}

export function checkBatch(size: number): void {
  if (size >= 1 && size <= maxWrites) return;
  throw new MongoError(
    16,
    'InvalidLength',
    `Write batch sizes must be between 1 and ${maxWrites}. Got ${size} operations.`,
  );
}

function insertDocument(collection: Collection, bytes: Buffer, bypassValidation: boolean): void {
  if (bytes.length > maxDocumentBytes) throw tooLarge(bytes.length);
  checkDocument(bytes);
  const stored = needsRewriting(bytes) ? rewritten(bytes) : bytes;
  const document = decodeDocument(stored, collection.writtenFields);
  checkIdentifier(document);
  collection.insert(stored, document, bypassValidation);
}

/** A document with `_id` first and without an empty timestamp is stored byte for byte as it arrived. */
function needsRewriting(bytes: Buffer): boolean {
  let first = true;
  for (const { name, type, valueStart } of elementsOf(bytes)) {
    if (first && name !== '_id') return true;
    if (type === BsonType.timestamp && bytes.readBigUInt64LE(valueStart) === 0n) return true;
    first = false;
  }
  return first;
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
