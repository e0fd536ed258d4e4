import { failedToParse } from '../errors/mongo-error.ts';
import { changeMatching } from '../execution/change-matching.ts';
import { noVariables, type Variables } from '../expression/scope.ts';
import { compileFilter } from '../query/filter.ts';
import type { BsonDocument } from '../values/value.ts';
import type { Reply } from '../wire/reply.ts';
import { statements, type ReceivedCommand, type CommandTable } from './command.ts';
import {
  accepted,
  collation,
  collectionName,
  document,
  flag,
  hint,
  natural,
  readOptions,
  required,
  variables,
} from './options.ts';
import { checkBatchSize, WriteResult } from './write-result.ts';

const commandOptions = { delete: collectionName, deletes: accepted, ordered: flag, let: variables };
const statementOptions = { q: document, limit: natural, hint, collation };

async function remove(context: ReceivedCommand): Promise<Reply> {
  const options = readOptions(context.command, 'delete', commandOptions);
  const deletes = statements(context, 'deletes');
  checkBatchSize(deletes.length);
  const name = required(options.delete, 'delete.delete');
  const result = new WriteResult(options.ordered !== false);
  return result.runAll(deletes, (statement) =>
    runStatement(context, name, statement, result, options.let ?? noVariables),
  );
}

async function runStatement(
  { storage, db, yielder }: ReceivedCommand,
  name: string,
  statement: BsonDocument,
  result: WriteResult,
  variables: Variables,
): Promise<void> {
  const { q, limit, hint } = readOptions(statement, 'delete.deletes', statementOptions);
  const filter = required(q, 'delete.deletes.q');
  if (required(limit, 'delete.deletes.limit') > 1) {
    throw failedToParse('The limit field in delete objects must be 0 or 1. Got ' + String(limit));
  }
  const collection = storage.find(db, name);
  if (!collection) {
    compileFilter(filter, variables);
    return;
  }
  await changeMatching(collection, { filter, hint, limit, variables }, yielder, ({ row, document: target }) => {
    collection.remove(row, target);
    result.matched++;
  });
}

export const deleteCommands: CommandTable = [['delete', remove]];
