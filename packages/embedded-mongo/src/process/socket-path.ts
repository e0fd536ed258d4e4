import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// Linux takes 107 bytes, macOS 103.
const maxPathLength = 100;
const socketFolder = 'socket';

export interface SocketPath {
  path: string;
  /** Removes the socket file, and its folder if it was made for it. */
  remove(): void;
}

/** Removes the sockets that servers that were killed have left. The caller holds the file, so none of them is served. */
export function removeOldSockets(dataDir: string, current: string): void {
  rmSync(current, { force: true });
  const folder = join(dataDir, socketFolder);
  if (dirname(current) !== folder) return;
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
}

/**
 * Where to put the socket file: in a folder that only this user can enter, in the data directory if the path is short
 * enough. Undefined on Windows, where a port on the loopback interface serves.
 */
export function makeSocketPath(dataDir: string): SocketPath | undefined {
  if (process.platform === 'win32') return undefined;
  const inside = join(dataDir, socketFolder, `${randomBytes(6).toString('hex')}.sock`);
  if (Buffer.byteLength(inside) <= maxPathLength) {
    mkdirSync(dirname(inside), { recursive: true, mode: 0o700 });
    return { path: inside, remove: () => rmSync(inside, { force: true }) };
  }
  const folder = mkdtempSync(join(tmpdir(), 'docwright-'));
  return { path: join(folder, 'database.sock'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The socket of a server that has been there before; undefined where its address names none. */
export function socketPathOf(uri: string | undefined): SocketPath | undefined {
  const host = decodeURIComponent(/^mongodb:\/\/([^/]+)\//.exec(uri ?? '')?.[1] ?? '');
  if (!host.endsWith('.sock')) return undefined;
  mkdirSync(dirname(host), { recursive: true, mode: 0o700 });
  return { path: host, remove: () => rmSync(host, { force: true }) };
}
