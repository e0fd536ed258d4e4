import { encodeDocument } from '../bson/encode.ts';
import { MongoError } from '../errors/mongo-error.ts';
import { BsonType, type BsonDocument, type BsonValue } from '../values/value.ts';
import { headerBytes, type Message } from './message.ts';

const opReply = 1;
const opMessage = 2013;

/** A batch of a cursor. Its documents are sent as their stored bytes. */
export interface CursorReply {
  namespace: string;
  cursorId: bigint;
  documents: Buffer[];
  batch: 'firstBatch' | 'nextBatch';
}

/** The reply of a command: a document, or the batch of a cursor. */
export type Reply = BsonDocument | CursorReply;

let lastRequestId = 0;

/** Encodes a reply, in parts that are written one after another. */
export function encodeReply(message: Pick<Message, 'requestId' | 'kind'>, reply: Reply): Buffer[] {
  const parts = reply instanceof Map ? [encodeDocument(reply)] : cursorParts(reply);
  const bodyBytes = parts.reduce((sum, part) => sum + part.length, 0);
  const query = message.kind === 'query';
  const header = Buffer.alloc(query ? headerBytes + 20 : headerBytes + 5);
  lastRequestId = (lastRequestId + 1) % 2 ** 31;
  header.writeInt32LE(header.length + bodyBytes, 0);
  header.writeInt32LE(lastRequestId, 4);
  header.writeInt32LE(message.requestId, 8);
  header.writeInt32LE(query ? opReply : opMessage, 12);
  if (query) {
    header.writeInt32LE(8, 16);
    header.writeInt32LE(1, 32);
  }
  return [header, ...parts];
}

/** The reply for an error. An error that is not MongoDB's has code 1. */
export function errorReply(error: unknown): Reply {
  const known = error instanceof MongoError ? error : new MongoError(1, 'InternalError', internalMessage(error));
  return new Map<string, BsonValue>([
    ['ok', 0],
    ['errmsg', known.message],
    ['code', known.code],
    ['codeName', known.codeName],
    ...(known.details ?? []),
  ]);
}

const internalMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * `{ cursor: { firstBatch | nextBatch: [ … ], id, ns }, ok: 1 }` around the stored bytes of the documents, without
 * decoding and encoding them.
 */
function cursorParts({ namespace, cursorId, documents, batch }: CursorReply): Buffer[] {
  const elements: Buffer[] = [];
  let arrayBytes = 5;
  for (const [index, document] of documents.entries()) {
    const name = elementName(BsonType.object, String(index));
    elements.push(name, document);
    arrayBytes += name.length + document.length;
  }
  const batchName = elementName(BsonType.array, batch);
  // The fields after the array, then the end of the cursor's document.
  const rest = encodeDocument(
    new Map<string, BsonValue>([
      ['id', cursorId],
      ['ns', namespace],
    ]),
  ).subarray(4);
  const end = encodeDocument(new Map([['ok', 1]])).subarray(4);
  const cursorBytes = 4 + batchName.length + arrayBytes + rest.length;
  const cursorName = elementName(BsonType.object, 'cursor');
  const totalBytes = 4 + cursorName.length + cursorBytes + end.length;
  const start = [int32(totalBytes), cursorName, int32(cursorBytes), batchName, int32(arrayBytes)];
  return [Buffer.concat(start), ...elements, Buffer.concat([Buffer.alloc(1), rest, end])];
}

const elementName = (type: number, name: string): Buffer =>
  Buffer.from(`${String.fromCharCode(type)}${name}\0`, 'latin1');

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32LE(value, 0);
  return bytes;
}
