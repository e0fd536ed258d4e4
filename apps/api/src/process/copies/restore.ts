import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseFile } from '@docwright/embedded-mongo';
import type { Db } from 'mongodb';
import { z } from 'zod';
import { isUnfinished } from '../../platform/database/unfinished-copy.ts';
import { secretFile } from '../../platform/settings/app-secret.ts';
import { StartError } from '../start-error.ts';
import { databaseContentOf, type DatabaseContent } from './database-content.ts';
import { copyDatabase, type Copied } from './copy-database.ts';
import { exists, requireFreshFolder, useEmbedded, useServer } from './use-database.ts';

const manifestForm = z.object({
  version: z.literal(1),
  collections: z.record(z.string(), z.object({ records: z.int(), sha256: z.string() })),
});

const manifestFile = (folder: string) => join(folder, 'manifest.json');

/** Opens the database of a back-up. Nothing in it expires meanwhile: a back-up stays as it was. */
async function useBackUp<Answer>(folder: string, work: (db: Db) => Promise<Answer>): Promise<Answer> {
  try {
    return await useEmbedded({ dataDir: folder, keepsExpired: true }, work);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The back-up cannot be read: ${(error as Error).message}`);
  }
}

/** Reads the copy in a folder, and writes what it holds into `manifest.json` beside it. */
export async function writeManifest(folder: string): Promise<void> {
  const collections = await useBackUp(folder, databaseContentOf);
  const manifest: z.infer<typeof manifestForm> = { version: 1, collections };
  await writeFile(manifestFile(folder), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
}

/**
 * Compares a back-up with its manifest, collection by collection.
 * @throws StartError that names the collections that differ.
 */
export async function checkBackUp(folder: string): Promise<Copied> {
  const expected = await readManifest(folder);
  return await useBackUp(folder, (db) => compare(db, expected));
}

interface RestoreOptions {
  /** The folder of the back-up. */
  folder: string;
  /** The data directory: the target without `uri`, and where the secret goes. */
  dataDir: string;
  /** The database of a MongoDB server as the target. */
  uri?: string | undefined;
  /** Whether APP_SECRET is set, so that the secret of the back-up is not needed. */
  hasSecret?: boolean;
  log?: (line: string) => void;
}

/**
 * Checks a back-up and copies it into an empty database of either kind, each collection compared by its SHA-256. An interrupted
 * restore goes on. The back-up stays as it is.
 * @throws StartError with the reason, in one line.
 */
export async function restore({ folder, dataDir, uri, hasSecret = false, log }: RestoreOptions): Promise<Copied> {
  const expected = await readManifest(folder);
  if (!hasSecret) await requireOwnSecret(folder, dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const copied = await useBackUp(folder, async (source) => {
    await compare(source, expected);
    if (uri !== undefined) return await useServer(uri, (target) => copyDatabase({ target, source, log }));
    return await useEmbedded({ dataDir }, async (target) => {
      await requireFreshFolder(target, dataDir);
      return await copyDatabase({ target, source, log });
    });
  });
  if (!hasSecret && (await exists(secretFile(folder)))) {
    await copyFile(secretFile(folder), secretFile(dataDir));
    await chmod(secretFile(dataDir), 0o600);
  }
  return copied;
}

async function readManifest(folder: string): Promise<DatabaseContent> {
  if (!(await exists(databaseFile(folder)))) throw new StartError(`${folder} is no back-up: it has no database.`);
  const text = await readFile(manifestFile(folder), 'utf8').catch(() => {
    throw new StartError(
      `${folder} has no readable manifest.json: an older release made this back-up, or it is not whole. Without one, start with DATA_DIR set to a copy of it.`,
    );
  });
  try {
    return manifestForm.parse(JSON.parse(text)).collections;
  } catch {
    throw new StartError(`The manifest.json of ${folder} is damaged, or of a newer release.`);
  }
}

async function compare(db: Db, expected: DatabaseContent): Promise<Copied> {
  if (await isUnfinished(db)) throw new StartError('The back-up is of an unfinished copy.');
  const found = await databaseContentOf(db);
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].toSorted();
  const different = names.filter((name) => expected[name]?.sha256 !== found[name]?.sha256);
  if (different.length > 0) {
    const told = different.map(
      (name) =>
        `${name} (${expected[name]?.records ?? 'no'} records in the manifest, ${found[name]?.records ?? 'none'} in the copy)`,
    );
    throw new StartError(`The back-up differs from its manifest: ${told.join(', ')}. Use another one.`);
  }
  const records = Object.values(found).reduce((sum, content) => sum + content.records, 0);
  return { collections: names.length, records };
}

/** Another secret in the data directory would leave the keys of providers unreadable. */
async function requireOwnSecret(folder: string, dataDir: string): Promise<void> {
  const [ours, theirs] = [secretFile(dataDir), secretFile(folder)];
  if (!(await exists(ours)) || !(await exists(theirs))) return;
  if ((await readFile(ours, 'utf8')) !== (await readFile(theirs, 'utf8')))
    throw new StartError(`${dataDir} has another app-secret than the back-up: move it away, or set APP_SECRET.`);
}
