import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hostOf } from './server-address.ts';

// The limit is 107 bytes on Linux and 103 on macOS.
const maxPathLength = 100;
const socketFolder = 'socket';

interface SocketPath {
  path: string;
  /** Removes the socket file, and its folder if the folder was created for it. */
  remove(): void;
}

/** Removes the sockets of killed servers. No server uses them, because the caller has locked the database file. */
export function removeOldSockets(dataDir: string, current: string): void {
  rmSync(current, { force: true });
  const folder = join(dataDir, socketFolder);
  if (dirname(current) !== folder) return;
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
}

/**
 * Chooses a socket file in a folder that only this user can enter: in the data directory if the path is short enough,
 * otherwise in the temporary directory. Undefined on Windows, where the server listens on a port of the loopback
 * interface.
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

/** The socket file of an earlier server; undefined when it did not listen on a socket file. */
export function socketPathOf(uri: string | undefined): SocketPath | undefined {
  const host = hostOf(uri ?? '');
  if (!host.endsWith('.sock')) return undefined;
  mkdirSync(dirname(host), { recursive: true, mode: 0o700 });
  return { path: host, remove: () => rmSync(host, { force: true }) };
}
