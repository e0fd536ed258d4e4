import { countHits } from '../execution/count-hits.ts';
import { noVariables } from '../expression/scope.ts';
import { compileFilter } from '../query/filter.ts';
import { fromNumber } from '../values/number.ts';
import type { Reply } from '../wire/reply.ts';
import { ok, type ReceivedCommand, type CommandTable } from './command.ts';
import {
  accepted,
  collation,
  collectionName,
  document,
  hint,
  integer,
  natural,
  readOptions,
  required,
} from './options.ts';

async function count({ storage, db, command, yielder }: ReceivedCommand): Promise<Reply> {
  const options = readOptions(command, 'count', {
    count: collectionName,
    query: document,
    limit: integer,
    skip: natural,
    hint,
    collation,
    fields: accepted,
  });
  const filter = options.query ?? new Map();
  const collection = storage.find(db, required(options.count, 'count.count'));
  if (!collection) compileFilter(filter, noVariables);
  const limit = Math.abs(options.limit ?? 0);
  const n = collection
    ? await countHits(collection, { filter, skip: options.skip, limit, hint: options.hint }, yielder)
    : 0;
  return ok([['n', fromNumber(n)]]);
}

export const countCommands: CommandTable = [['count', count]];
