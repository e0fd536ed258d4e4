import { decodeDocument, documentAt, elementsOf } from '../bson/decode.ts';
import { badValue, failedToParse } from '../errors/mongo-error.ts';
import { fromNumber, toNumber } from '../values/number.ts';
import { isNumber, type BsonDocument, type BsonValue } from '../values/value.ts';
import type { Reply } from '../wire/reply.ts';
import { ok, rawDocuments, statements, type ReceivedCommand, type CommandTable, type Handler } from './command.ts';
import { deleteCommands } from './delete.ts';
import { insertCommands } from './insert.ts';
import { accepted, document, flag, readOptions, required, text } from './options.ts';
import { updateCommands } from './update.ts';
import { checkBatchSize } from './write-result.ts';

const commandOptions = {
  bulkWrite: accepted,
  ops: accepted,
  nsInfo: accepted,
  ordered: flag,
  errorsOnly: flag,
  bypassDocumentValidation: flag,
  let: document,
  cursor: accepted,
};

const handlers = new Map<string, Handler>([...insertCommands, ...updateCommands, ...deleteCommands]);

/** The names of a statement's fields in `update` and `delete`, by their names in `bulkWrite`. */
const renamed = new Map([
  ['filter', 'q'],
  ['updateMods', 'u'],
  ['constants', 'c'],
]);

/** Writes to several collections with one command: runs each operation as the command of its kind. */
async function bulkWrite(context: ReceivedCommand): Promise<Reply> {
  const options = readOptions(context.command, 'bulkWrite', commandOptions);
  const operations = rawDocuments(context, 'ops');
  checkBatchSize(operations.length);
  const namespaces = statements(context, 'nsInfo').map((info) =>
    required(readOptions(info, 'bulkWrite.nsInfo', { ns: text }).ns, 'bulkWrite.nsInfo.ns'),
  );
  const shared = new Map<string, BsonValue>();
  for (const name of ['bypassDocumentValidation', 'let']) {
    const value = context.command.get(name);
    if (value !== undefined && value !== null) shared.set(name, value);
  }
  const counts = { nErrors: 0, nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 };
  const results: BsonDocument[] = [];
  for (const [index, bytes] of operations.entries()) {
    const { kind, reply } = await runOperation(context, bytes, namespaces, shared);
    const n = countOf(reply, 'n');
    const [error] = (reply.get('writeErrors') ?? []) as BsonDocument[];
    const [upserted] = (reply.get('upserted') ?? []) as BsonDocument[];
    if (error) counts.nErrors++;
    else if (kind === 'insert') counts.nInserted += n;
    else if (kind === 'delete') counts.nDeleted += n;
    else if (upserted) counts.nUpserted++;
    else counts.nMatched += n;
    const modified = reply.get('nModified');
    counts.nModified += countOf(reply, 'nModified');
    if (error || options.errorsOnly !== true) {
      const result = new Map<string, BsonValue>([
        ['ok', error ? 0 : 1],
        ['idx', index],
        ['n', n],
      ]);
      if (modified !== undefined) result.set('nModified', modified);
      if (upserted) result.set('upserted', new Map([['_id', upserted.get('_id')!]]));
      for (const [name, value] of error ?? []) if (name !== 'index') result.set(name, value);
      results.push(result);
    }
    if (error && options.ordered !== false) break;
  }
  const cursor = new Map<string, BsonValue>([
    ['id', 0n],
    ['firstBatch', results],
    ['ns', 'admin.$cmd.bulkWrite'],
  ]);
  return ok([
    ['cursor', cursor],
    ...Object.entries(counts).map(([name, count]): [string, BsonValue] => [name, fromNumber(count)]),
  ]);
}

function countOf(reply: BsonDocument, name: string): number {
  const count = reply.get(name);
  return count !== undefined && isNumber(count) ? toNumber(count) : 0;
}

/** Runs one operation as a command with one statement. */
async function runOperation(
  context: ReceivedCommand,
  bytes: Buffer,
  namespaces: readonly string[],
  shared: BsonDocument,
): Promise<{ kind: string; reply: BsonDocument }> {
  const operation = decodeDocument(bytes);
  const [[kind = '', place = null] = []] = operation;
  const handler = handlers.get(kind);
  if (!handler) throw failedToParse(`bulkWrite has no operation '${kind}'`);
  const namespace = isNumber(place) ? namespaces[toNumber(place)] : undefined;
  if (namespace === undefined) throw badValue(`BSON field 'bulkWrite.ops.${kind}' is no index of 'nsInfo'`);
  const [db = ''] = namespace.split('.', 1);
  const command = new Map<string, BsonValue>([[kind, namespace.slice(db.length + 1)], ...shared]);
  const sequences = new Map<string, Buffer[]>();
  if (kind === 'insert') sequences.set('documents', [insertedBytes(bytes)]);
  else command.set(`${kind}s`, [statementOf(kind, operation)]);
  if (kind !== 'update' && kind !== 'delete') command.delete('let');
  if (kind === 'delete') command.delete('bypassDocumentValidation');
  return { kind, reply: (await handler({ ...context, db, command, sequences })) as BsonDocument };
}

function statementOf(kind: string, operation: BsonDocument): BsonDocument {
  const statement: BsonDocument = new Map();
  for (const [name, value] of operation) {
    if (name === kind) continue;
    if (kind === 'delete' && name === 'multi') continue;
    statement.set(renamed.get(name) ?? name, value);
  }
  return kind === 'delete' ? statement.set('limit', operation.get('multi') === true ? 0 : 1) : statement;
}

/** The document of an insert, as it was received. */
function insertedBytes(bytes: Buffer): Buffer {
  const inserted = [...elementsOf(bytes)].find(({ name }) => name === 'document');
  return documentAt(bytes, required(inserted, 'bulkWrite.ops.document').valueStart);
}

export const bulkWriteCommands: CommandTable = [['bulkWrite', bulkWrite]];
