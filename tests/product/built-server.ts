import { execFileSync, spawn, type ChildProcessByStdio } from 'node:child_process';
import path from 'node:path';
import type { Readable } from 'node:stream';

const root = path.resolve(import.meta.dirname, '../..');

interface Build {
  server: string;
  flags: string[];
  env: Record<string, string>;
}

const builds = new Map<string, Build>();

/**
 * The bundled server of `npm start`, without the flags for little memory, which cost a tenth of the processor time. Changed
 * sources are bundled again.
 */
function builtServer(folder: string): Build {
  const known = builds.get(folder);
  if (known !== undefined) return known;
  const command = ['infra/bootstrap/server-build.mjs'];
  const printed = execFileSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
  const build = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Build;
  builds.set(folder, build);
  return build;
}

/**
 * Starts the server as its own process, with these settings as its only environment.
 * @param folder of another release with its dependencies; this one by default
 */
export function spawnServer(
  settings: Record<string, string>,
  folder = root,
): ChildProcessByStdio<null, Readable, Readable> {
  const { server, flags, env } = builtServer(folder);
  return spawn(process.execPath, [...flags, server], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
