import { chmod, copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile, startEmbeddedMongo } from '@docwright/embedded-mongo';
import { MongoClient } from 'mongodb';
import { StartError } from './start-error.ts';
import { secretFile } from '../platform/settings/app-secret.ts';

/**
 * Copies the embedded database and the secret of a data directory into a new, dated folder below `targetFolder`. The
 * copy is a data directory itself. A running server continues meanwhile; without one, the database is opened for the
 * copy. The folder appears once it is complete and checked.
 * @throws StartError with the reason, in one line.
 */
export async function backUp(dataDir: string, targetFolder: string): Promise<{ folder: string; bytes: number }> {
  if (!(await exists(databaseFile(dataDir)))) {
    throw new StartError(`No database exists in ${dataDir}: set DATA_DIR to the server's data folder.`);
  }
  const name = `docwright-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  const folder = resolve(targetFolder, name);
  const draft = `${folder}.partial`;
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 });
    await copyDatabase(dataDir, databaseFile(draft));
    const secret = secretFile(dataDir);
    if (await exists(secret)) await copyFile(secret, secretFile(draft));
    for (const file of [databaseFile(draft), secretFile(draft)]) if (await exists(file)) await chmod(file, 0o600);
    checkIntegrity(databaseFile(draft));
    await rename(draft, folder);
  } catch (error) {
    // The draft might not exist if its parent could not be created.
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw new StartError(`The back-up in ${targetFolder} failed: ${(error as Error).message}`);
  }
  return { folder, bytes: (await stat(databaseFile(folder))).size };
}

async function copyDatabase(dataDir: string, file: string): Promise<void> {
  const database = await startEmbeddedMongo({ dataDir });
  try {
    const client = await MongoClient.connect(database.uri);
    try {
      await client.db('admin').command({ docwrightBackUp: file });
    } finally {
      await client.close();
    }
  } finally {
    await database.stop();
  }
}

/** Throws if the copy is damaged. */
function checkIntegrity(file: string): void {
  const copy = new DatabaseSync(file);
  try {
    const [{ quick_check: result } = {}] = copy.prepare('PRAGMA quick_check(1)').all();
    if (result !== 'ok') throw new Error(`the copy is damaged: ${String(result)}`);
  } finally {
    copy.close();
  }
}

async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}
