import { chmod, copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile } from '@docwright/embedded-mongo';
import { StartError } from '../start-error.ts';
import { secretFile } from '../../platform/settings/app-secret.ts';
import { writeManifest } from './restore.ts';
import { exists, useEmbedded } from './use-database.ts';

/**
 * Copies the embedded database and the secret of a data directory into a new, dated folder below `targetFolder`. The
 * copy is a data directory itself. A running server continues meanwhile; without one, the database is opened for the
 * copy. The folder appears once it is complete, checked, and described in its `manifest.json`.
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
    const file = databaseFile(draft);
    await useEmbedded({ dataDir }, (_, client) => client.db('admin').command({ docwrightBackUp: file }));
    const secret = secretFile(dataDir);
    if (await exists(secret)) await copyFile(secret, secretFile(draft));
    for (const each of [file, secretFile(draft)]) if (await exists(each)) await chmod(each, 0o600);
    checkIntegrity(file);
    await writeManifest(draft);
    // The database was opened there to be read; its socket is gone.
    await rm(join(draft, 'socket'), { recursive: true, force: true });
    await rename(draft, folder);
  } catch (error) {
    // The draft might not exist if its parent could not be created.
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw new StartError(`The back-up in ${targetFolder} failed: ${(error as Error).message}`);
  }
  return { folder, bytes: (await stat(databaseFile(folder))).size };
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
