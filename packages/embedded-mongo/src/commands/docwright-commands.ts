import { rmSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { backup } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MongoError } from '../errors/mongo-error.ts';
import { rowsPerStep } from '../storage/index-build.ts';
import { SubstringIndex } from '../storage/substring-index.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import { ok, type ReceivedCommand, type CommandTable } from './command.ts';
import { documentIds } from './document-ids.ts';

/** Number of pages of 8 KB to copy in one step, during which no other command writes. */
const pagesPerStep = 256;
const maxAttempts = 3;
/** The code of the error “not an error”: SQLite refused the first step of the copy, since a transaction was open. */
const notBegun = 0;
/** How long a copy waits for a moment without an open transaction, in which alone it can begin. */
const maxWaitMs = 30_000;

/**
 * `{ docwrightBackUp: <path> }`, which MongoDB does not have. Copies the database as of one moment to a new file, while
 * other clients read and write. Resolves when the copy is on the disk.
 */
async function backUp({ storage, command }: ReceivedCommand): Promise<ReturnType<typeof ok>> {
  const path = command.get('docwrightBackUp');
  if (typeof path !== 'string' || !isAbsolute(path)) {
    throw new MongoError(2, 'BadValue', 'docwrightBackUp takes the absolute path of a file');
  }
  const waitingSince = performance.now();
  for (let interrupted = 0; ;) {
    // The writes of a turn of the event loop are committed at its end.
    await nextTurn();
    try {
      return ok([['pages', await backup(storage.sqlite, path, { rate: pagesPerStep })]]);
    } catch (error) {
      rmSync(path, { force: true });
      const hasBegun = (error as { errcode?: number }).errcode !== notBegun;
      // A concurrent write can interrupt a copy. The next attempt starts a new one.
      if (hasBegun) interrupted += 1;
      if (hasBegun ? interrupted < maxAttempts : performance.now() - waitingSince < maxWaitMs) continue;
      throw new MongoError(1, 'InternalError', `The copy could not be written: ${(error as Error).message}`);
    }
  }
}

/**
 * `{ docwrightIntegrity: 1 }`, which MongoDB does not have. Returns the last known state of the file, without a check.
 */
function integrity({ storage }: ReceivedCommand): ReturnType<typeof ok> {
  const { result } = storage.integrity;
  const reply = ok([['state', result.state]]);
  return result.state === 'damaged' ? reply.set('problem', result.problem) : reply;
}

/**
 * `{ docwrightSubstringIndex: <collection>, path: <field>, within: [<field> …] }`, which MongoDB does not have. Creates an index
 * for searches of a part of the text in a field (`$regex` with a plain text) among the documents with one value in each
 * of other fields, if it does not exist; the collection is created too. Other commands go on while it is built, and its building begins again
 * if the process ended before. The field holds a text or nothing from then on.
 */
async function createSubstringIndex({
  storage,
  db,
  command,
  yielder,
}: ReceivedCommand): Promise<ReturnType<typeof ok>> {
  const name = command.get('docwrightSubstringIndex');
  const [path, within] = [command.get('path'), command.get('within')];
  const isPath = (value: unknown) => typeof value === 'string' && value !== '';
  if (!isPath(name) || !isPath(path) || !Array.isArray(within) || !within.every(isPath)) {
    throw new MongoError(
      2,
      'BadValue',
      'docwrightSubstringIndex takes a collection, the path of a field and other paths',
    );
  }
  const collection = storage.ensure(db, name as string);
  const specification: BsonDocument = new Map<string, BsonValue>([
    ['name', `${path as string}_substring`],
    ['type', 'substring'],
    ['path', path as string],
    ['within', within],
  ]);
  const find = () => collection.searchTables.find((table) => table.name === specification.get('name'));
  const existing = find();
  if (existing instanceof SubstringIndex && existing.isBuilt) return ok([]);
  if (existing !== undefined) collection.dropSearchTable(existing);
  collection.addSearchTable(specification, (id) => new SubstringIndex(storage, id, specification));
  const made = find() as SubstringIndex;
  while (collection.build(made, rowsPerStep)) {
    await yielder.yield();
    if (collection.isDropped || made.isDropped) throw new MongoError(175, 'QueryPlanKilled', 'index dropped');
  }
  return ok([]);
}

export const docwrightCommands: CommandTable = [
  ['docwrightBackUp', backUp],
  ['docwrightIds', documentIds],
  ['docwrightIntegrity', integrity],
  ['docwrightSubstringIndex', createSubstringIndex],
];
