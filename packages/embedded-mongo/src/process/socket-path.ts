import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

// Linux takes 107 bytes, macOS 103.
const longestPath = 100;
const socketFolder = 'socket';

export interface SocketPath {
  path: string;
  /** Removes the socket file, and its folder if it was made for it. */
  remove(): void;
}

/** Removes what servers that were killed have left in the folder of a data directory's sockets. */
export function removeOldSockets(dataDir: string, current: string): void {
  const folder = join(dataDir, socketFolder);
  if (dirname(current) !== folder) return;
  for (const name of readdirSync(folder)) if (name !== basename(current)) rmSync(join(folder, name), { force: true });
}

/**
 * Where to put the socket file: in a folder that only this user can enter, in the data directory if the path is short
 * enough. Undefined on Windows, where a port on the loopback interface serves.
 */
export function makeSocketPath(dataDir: string): SocketPath | undefined {
  if (process.platform === 'win32') return undefined;
  const inside = join(dataDir, socketFolder, `${randomBytes(6).toString('hex')}.sock`);
  if (Buffer.byteLength(inside) <= longestPath) {
    mkdirSync(dirname(inside), { recursive: true, mode: 0o700 });
    return { path: inside, remove: () => rmSync(inside, { force: true }) };
  }
  const folder = mkdtempSync(join(tmpdir(), 'docwright-'));
  return { path: join(folder, 'database.sock'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
