import { failedToParse } from '../errors/mongo-error.ts';
import { changeMatching } from '../execution/change-matching.ts';
import type { Variables } from '../expression/scope.ts';
import { compileFilter } from '../query/filter.ts';
import { applyUpdate, insertUpserted } from '../update/apply-update.ts';
import { compileUpdate } from '../update/update.ts';
import type { BsonDocument } from '../values/value.ts';
import type { Reply } from '../wire/reply.ts';
import { statements, type ReceivedCommand, type CommandTable } from './command.ts';
import {
  accepted,
  anyValue,
  collation,
  collectionName,
  document,
  documents,
  flag,
  hint,
  readOptions,
  required,
  variables,
} from './options.ts';
import { checkBatchSize, WriteResult } from './write-result.ts';

const commandOptions = {
  update: collectionName,
  updates: accepted,
  ordered: flag,
  bypassDocumentValidation: flag,
  let: variables,
};

const statementOptions = {
  q: document,
  u: anyValue,
  c: document,
  multi: flag,
  upsert: flag,
  arrayFilters: documents,
  hint,
  collation,
};

async function update(context: ReceivedCommand): Promise<Reply> {
  const options = readOptions(context.command, 'update', commandOptions);
  const updates = statements(context, 'updates');
  checkBatchSize(updates.length);
  const name = required(options.update, 'update.update');
  const result = new WriteResult(options.ordered !== false);
  result.modified = 0;
  return result.runAll(updates, (statement, index) => runStatement(context, name, statement, index, result, options));
}

async function runStatement(
  { storage, db, yielder }: ReceivedCommand,
  name: string,
  statement: BsonDocument,
  index: number,
  result: WriteResult,
  command: { let?: Variables; bypassDocumentValidation?: boolean },
): Promise<void> {
  const options = readOptions(statement, 'update.updates', statementOptions);
  const filter = required(options.q, 'update.updates.q');
  const variables = new Map([...(command.let ?? []), ...(options.c ?? [])]);
  const change = compileUpdate(required(options.u, 'update.updates.u'), options.arrayFilters, variables);
  if (options.c && change.kind !== 'pipeline') {
    throw failedToParse('Constant values may only be specified for pipeline updates');
  }
  if (options.multi && change.kind === 'replacement') {
    throw failedToParse('multi update is not supported for replacement-style update');
  }
  const bypass = command.bypassDocumentValidation === true;
  const collection = options.upsert ? storage.ensure(db, name) : storage.find(db, name);
  if (!collection) {
    compileFilter(filter, variables);
    return;
  }
  await changeMatching(
    collection,
    { filter, hint: options.hint, variables, limit: options.multi ? 0 : 1 },
    yielder,
    (target) => {
      const bytes = applyUpdate(collection, target, change, bypass);
      result.matched++;
      if (!bytes.equals(target.bytes)) result.modified!++;
    },
    () => {
      if (!options.upsert) return;
      const inserted = insertUpserted(collection, filter, change, bypass);
      result.matched++;
      result.upserted.push(
        new Map([
          ['index', index],
          ['_id', inserted.get('_id')!],
        ]),
      );
    },
  );
}

export const updateCommands: CommandTable = [['update', update]];
