import { rmSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { backup } from 'node:sqlite';
import { MongoError } from '../errors/mongo-error.ts';
import { ok, type ReceivedCommand, type CommandTable } from './command.ts';

/** Number of pages of 8 KB to copy in one step, during which no other command writes. */
const pagesPerStep = 256;
const maxAttempts = 3;

/**
 * `{ docwrightBackUp: <path> }`, which MongoDB does not have. Copies the database as of one moment to a new file, while
 * other clients read and write. Resolves when the copy is on the disk.
 */
async function backUp({ storage, command }: ReceivedCommand): Promise<ReturnType<typeof ok>> {
  const path = command.get('docwrightBackUp');
  if (typeof path !== 'string' || !isAbsolute(path)) {
    throw new MongoError(2, 'BadValue', 'docwrightBackUp takes the absolute path of a file');
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return ok([['pages', await backup(storage.sqlite, path, { rate: pagesPerStep })]]);
    } catch (error) {
      // A concurrent write can interrupt a copy. The next attempt starts a new one.
      rmSync(path, { force: true });
      if (attempt < maxAttempts) continue;
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

export const docwrightCommands: CommandTable = [
  ['docwrightBackUp', backUp],
  ['docwrightIntegrity', integrity],
];
