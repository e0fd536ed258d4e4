import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the server of a data directory listens, for other processes to find it. */
export interface ServerInfo {
  pid: number;
  uri: string;
}

const sqliteBusy = 5;

export const databaseFile = (dataDir: string): string => join(dataDir, 'database.sqlite');

const infoFile = (dataDir: string): string => join(dataDir, 'database-server.json');

export function prepareDataDirectory(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
}

/** What the last server of this directory wrote; it may be gone by now. */
export function readServerInfo(dataDir: string): ServerInfo | undefined {
  try {
    const info = JSON.parse(readFileSync(infoFile(dataDir), 'utf8')) as Partial<ServerInfo>;
    return typeof info.pid === 'number' && typeof info.uri === 'string' ? { pid: info.pid, uri: info.uri } : undefined;
  } catch {
    return undefined;
  }
}

/** Written aside and renamed, so that nobody reads half of it. */
export function writeServerInfo(dataDir: string, info: ServerInfo): void {
  const aside = `${infoFile(dataDir)}.${info.pid}`;
  writeFileSync(aside, JSON.stringify(info), { mode: 0o600 });
  renameSync(aside, infoFile(dataDir));
}

export function removeServerInfo(dataDir: string): void {
  rmSync(infoFile(dataDir), { force: true });
}

/** True for SQLite's error when another process has the file open. */
export const isLocked = (error: unknown): boolean =>
  ((error as { errcode?: number }).errcode ?? 0) % 256 === sqliteBusy;
