import { checkDocument, decodeDocument, documentAt, elementsOf } from '../bson/decode.ts';
import { invalidBson } from '../errors/mongo-error.ts';
import type { Yielder } from '../event-loop/yielder.ts';
import type { Storage } from '../storage/storage.ts';
import { BsonType, isDocument, type BsonDocument, type BsonValue } from '../values/value.ts';
import type { Reply } from '../wire/reply.ts';
import type { Cursors } from './cursors.ts';

/** A received command and what it needs to run. */
export interface ReceivedCommand {
  storage: Storage;
  cursors: Cursors;
  db: string;
  command: BsonDocument;
  /** The bytes that `command` was decoded from. */
  body: Buffer;
  /** Documents from the sections beside the body, by the name of their field. */
  sequences: ReadonlyMap<string, Buffer[]>;
  connectionId: number;
  yielder: Yielder;
}

/** Runs a command. A thrown `MongoError` becomes the reply. */
export type Handler = (context: ReceivedCommand) => Reply | Promise<Reply>;
/** Handlers by the name of their command, the first field of the command. */
export type CommandTable = Iterable<[string, Handler]>;

/** A successful reply. */
export const ok = (fields: Iterable<[string, BsonValue]> = []): BsonDocument => new Map([...fields, ['ok', 1]]);

/** The documents of `insert`, `update` or `delete`, from the sections beside the body or from the body. */
export function rawDocuments(context: ReceivedCommand, field: string): Buffer[] {
  const beside = context.sequences.get(field);
  if (beside) return beside;
  for (const element of elementsOf(context.body)) {
    if (element.name !== field) continue;
    if (element.type !== BsonType.array) return [];
    const list = documentAt(context.body, element.valueStart);
    return [...elementsOf(list)].map((inner) => {
      if (inner.type !== BsonType.object) throw invalidBson(`an element of '${field}' is no document`);
      return list.subarray(inner.valueStart, inner.end);
    });
  }
  return [];
}

/** The statements of `update` or `delete`. */
export function statements(context: ReceivedCommand, field: string): BsonDocument[] {
  const list = context.command.get(field);
  if (Array.isArray(list)) return list.filter(isDocument);
  return rawDocuments(context, field).map((bytes) => {
    checkDocument(bytes);
    return decodeDocument(bytes);
  });
}
