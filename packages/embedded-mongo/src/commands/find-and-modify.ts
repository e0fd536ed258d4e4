import { decodeDocument } from '../bson/decode.ts';
import { failedToParse } from '../errors/mongo-error.ts';
import { changeMatching } from '../execution/change-matching.ts';
import type { Positions } from '../query/predicate.ts';
import { applyUpdate, insertUpserted } from '../update/apply-update.ts';
import { compileUpdate } from '../update/update.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import type { Reply } from '../wire/reply.ts';
import { ok, type ReceivedCommand, type CommandTable } from './command.ts';
import { findProjection } from './find.ts';
import {
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

const commandOptions = {
  findAndModify: collectionName,
  findandmodify: collectionName,
  query: document,
  sort: document,
  remove: flag,
  update: anyValue,
  new: flag,
  fields: document,
  upsert: flag,
  bypassDocumentValidation: flag,
  arrayFilters: documents,
  hint,
  let: variables,
  collation,
};

async function findAndModify({ storage, db, command, yielder }: ReceivedCommand): Promise<Reply> {
  const options = readOptions(command, 'findAndModify', commandOptions);
  checkCombination(options);
  const name = required(options.findAndModify ?? options.findandmodify, 'findAndModify.findAndModify');
  const filter = options.query ?? new Map();
  const variables = options.let ?? new Map();
  const update = options.remove ? undefined : compileUpdate(options.update, options.arrayFilters, variables);
  const projection = findProjection(options.fields);
  const view = (bytes: BsonDocument, positions?: Positions): BsonDocument =>
    projection?.(bytes, { positions }) ?? bytes;
  const bypass = options.bypassDocumentValidation === true;
  const outcome: BsonDocument = new Map<string, BsonValue>([['n', 0]]);
  if (update) outcome.set('updatedExisting', false);
  let value: BsonValue = null;
  const collection = options.upsert ? storage.ensure(db, name) : storage.find(db, name);
  if (!collection) return reply(outcome, value);
  await changeMatching(
    collection,
    { filter, sort: options.sort, hint: options.hint, variables, limit: 1 },
    yielder,
    (target) => {
      outcome.set('n', 1);
      if (!update) {
        collection.remove(target.row, target.document);
        value = view(target.document, target.positions);
        return;
      }
      const after = applyUpdate(collection, target, update, bypass);
      outcome.set('updatedExisting', true);
      value = view(options.new ? decodeDocument(after) : target.document, target.positions);
    },
    () => {
      if (!update || !options.upsert) return;
      const inserted = insertUpserted(collection, filter, update, bypass);
      outcome.set('n', 1).set('upserted', inserted.get('_id')!);
      if (options.new) value = view(inserted);
    },
  );
  return reply(outcome, value);
}

const reply = (outcome: BsonDocument, value: BsonValue): BsonDocument =>
  ok([
    ['lastErrorObject', outcome],
    ['value', value],
  ]);

function checkCombination(options: { remove?: boolean; update?: BsonValue; new?: boolean; upsert?: boolean }): void {
  if (!options.remove) {
    if (options.update === undefined) throw failedToParse('Either an update or remove=true must be specified');
    return;
  }
  if (options.update !== undefined) throw failedToParse('Cannot specify both an update and remove=true');
  if (options.upsert) throw failedToParse('Cannot specify both upsert=true and remove=true');
  if (options.new) {
    throw failedToParse("Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
  }
}

export const findAndModifyCommands: CommandTable = [
  ['findAndModify', findAndModify],
  ['findandmodify', findAndModify],
];
