import { isAbsolute } from 'node:path';
import { backup } from 'node:sqlite';
import { MongoError } from '../errors.ts';
import { ok, type CommandContext, type CommandTable } from './command.ts';

/** Pages of 8 KB that are copied before others may write. */
const pagesAtOnce = 256;

/**
 * `{ docwrightBackUp: <path> }`, which MongoDB does not have: copies the database as it is at one moment to a new file, while
 * everybody goes on reading and writing. Resolves when the copy is on the disk.
 */
async function backUp({ storage, command }: CommandContext): Promise<ReturnType<typeof ok>> {
  const path = command.get('docwrightBackUp');
  if (typeof path !== 'string' || !isAbsolute(path)) {
    throw new MongoError(2, 'BadValue', 'docwrightBackUp takes the absolute path of a file');
  }
  try {
    return ok([['pages', await backup(storage.sqlite, path, { rate: pagesAtOnce })]]);
  } catch (error) {
    throw new MongoError(1, 'InternalError', `The copy could not be written: ${(error as Error).message}`);
  }
}

/** `{ docwrightIntegrity: 1 }`: what is known about the file, without looking at it now. */
function integrity({ storage }: CommandContext): ReturnType<typeof ok> {
  const { result } = storage.integrity;
  const reply = ok([['state', result.state]]);
  return result.state === 'damaged' ? reply.set('problem', result.problem) : reply;
}

export const ownCommands: CommandTable = [
  ['docwrightBackUp', backUp],
  ['docwrightIntegrity', integrity],
];
