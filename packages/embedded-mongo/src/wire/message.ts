import { checkDocument, decodeDocument, documentAt } from '../bson/decode.ts';
import { invalidBson } from '../errors/mongo-error.ts';
import { isDocument, type BsonDocument } from '../values/value.ts';

const opQuery = 2004;
const opMessage = 2013;
const checksumPresent = 1;
const moreToCome = 2;
const requiredFlags = 0xffff;
export const headerBytes = 16;

/** One parsed message of the wire protocol. */
export interface Message {
  requestId: number;
  /** The format of the reply: OP_MSG, or OP_REPLY to the OP_QUERY of a driver's first handshake. */
  kind: 'message' | 'query';
  /** False when the client asked for no reply, as for w: 0. */
  wantsReply: boolean;
  db: string;
  command: BsonDocument;
  /** The bytes that `command` was decoded from. */
  body: Buffer;
  /** Documents from the sections beside the body, by the name of their field. */
  sequences: Map<string, Buffer[]>;
}

/** Parses a whole message. Throws for a malformed message; the connection must then be closed. */
export function parseMessage(bytes: Buffer): Message {
  const requestId = bytes.readInt32LE(4);
  const code = bytes.readInt32LE(12);
  if (code === opMessage) return parseOpMessage(bytes, requestId);
  if (code === opQuery) return parseQuery(bytes, requestId);
  throw invalidBson(`operation ${code} is not supported`);
}

function parseOpMessage(bytes: Buffer, requestId: number): Message {
  const flags = bytes.readUInt32LE(headerBytes);
  if (flags & requiredFlags & ~(checksumPresent | moreToCome)) throw invalidBson(`flags ${flags} are not known`);
  const end = bytes.length - (flags & checksumPresent ? 4 : 0);
  const sequences = new Map<string, Buffer[]>();
  let body: Buffer | undefined;
  let position = headerBytes + 4;
  while (position < end) {
    const kind = bytes[position++];
    if (kind === 0) {
      if (body) throw invalidBson('message has two bodies');
      body = documentAt(bytes, position, end);
      position += body.length;
    } else if (kind === 1) position = readSequence(bytes, position, end, sequences);
    else throw invalidBson(`section of kind ${kind} is not known`);
  }
  if (!body) throw invalidBson('message has no body');
  checkDocument(body);
  const command = decodeDocument(body);
  const db = command.get('$db');
  if (typeof db !== 'string') throw invalidBson('message names no database');
  return { requestId, kind: 'message', wantsReply: (flags & moreToCome) === 0, db, command, body, sequences };
}

function readSequence(bytes: Buffer, start: number, limit: number, sequences: Map<string, Buffer[]>): number {
  if (start + 4 > limit) throw invalidBson('document sequence is cut short');
  const end = start + bytes.readInt32LE(start);
  const nameEnd = bytes.indexOf(0, start + 4);
  if (end > limit || end < start + 5 || nameEnd < 0 || nameEnd >= end) {
    throw invalidBson('document sequence is malformed');
  }
  const documents: Buffer[] = [];
  for (let position = nameEnd + 1; position < end;) {
    const document = documentAt(bytes, position, end);
    documents.push(document);
    position += document.length;
  }
  sequences.set(bytes.toString('utf8', start + 4, nameEnd), documents);
  return end;
}

function parseQuery(bytes: Buffer, requestId: number): Message {
  const nameEnd = bytes.indexOf(0, headerBytes + 4);
  const [db = '', collection] = bytes.toString('utf8', headerBytes + 4, nameEnd).split('.');
  if (nameEnd < 0 || collection !== '$cmd') throw invalidBson('OP_QUERY is supported for commands only');
  const body = documentAt(bytes, nameEnd + 9);
  checkDocument(body);
  const query = decodeDocument(body);
  const inner = query.get('$query');
  return {
    requestId,
    kind: 'query',
    wantsReply: true,
    db,
    command: isDocument(inner) ? inner : query,
    body,
    sequences: new Map(),
  };
}
