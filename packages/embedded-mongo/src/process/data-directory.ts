import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The server of a data directory, published for other processes. */
interface ServerInfo {
  pid: number;
  uri: string;
}

const sqliteBusy = 5;
const sqliteFull = 13;

/**
 * The path of the SQLite file in a data directory.
 *
 * @param dataDir Path of the directory, as given to `startEmbeddedMongo`. It does not have to exist.
 * @returns The path, relative if `dataDir` is relative.
 *
 * @example
 * ```ts
 * import { existsSync } from 'node:fs';
 * import { databaseFile } from '@docwright/embedded-mongo';
 *
 * const isNew: boolean = !existsSync(databaseFile('./.data'));
 * ```
 */
export const databaseFile = (dataDir: string): string => join(dataDir, 'database.sqlite');

const infoFile = (dataDir: string): string => join(dataDir, 'database-server.json');

export function prepareDataDirectory(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
}

/** Reads what the last server of this directory published. That server can have stopped. */
export function readServerInfo(dataDir: string): ServerInfo | undefined {
  try {
    const info = JSON.parse(readFileSync(infoFile(dataDir), 'utf8')) as Partial<ServerInfo>;
    return typeof info.pid === 'number' && typeof info.uri === 'string' ? { pid: info.pid, uri: info.uri } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a temporary file and renames it, so that no reader sees a partial file. */
export function writeServerInfo(dataDir: string, info: ServerInfo): void {
  const temporary = `${infoFile(dataDir)}.${info.pid}`;
  try {
    writeFileSync(temporary, JSON.stringify(info), { mode: 0o600 });
    renameSync(temporary, infoFile(dataDir));
  } catch (error) {
    // A full disk leaves an empty file.
    rmSync(temporary, { force: true });
    throw error;
  }
}

export function removeServerInfo(dataDir: string): void {
  rmSync(infoFile(dataDir), { force: true });
}

/** Whether this is SQLite's error for a file that another process has locked. */
export const isLocked = (error: unknown): boolean => sqliteCodeOf(error) === sqliteBusy;

/** Whether SQLite or the file system has no space left. */
export const isDiskFull = (error: unknown): boolean =>
  sqliteCodeOf(error) === sqliteFull || ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');

/** The primary code: an extended one adds its own above the lowest byte. */
const sqliteCodeOf = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) % 256;
