import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { alreadyServedExitCode, leftToGuests } from './exit-codes.ts';
import { makeSocketPath } from './socket-path.ts';
import type { EmbeddedMongo, StartOptions } from './start.ts';

/** A small young generation and few malloc arenas: with the defaults the idle server holds 12 MB more. */
const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=4'];

/** Why a server did not start. */
export interface StartFailure {
  message: string;
  /** True when another process has the database open. */
  alreadyServed: boolean;
}

const mainFile = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Starts a server process and waits until it listens. */
export async function spawnServer(dataDir: string, log: StartOptions['log']): Promise<EmbeddedMongo | StartFailure> {
  const socket = makeSocketPath(dataDir);
  const parameters = ['--data-dir', dataDir, ...(socket ? ['--socket', socket.path] : [])];
  const child = spawn(process.execPath, [...flags, mainFile, ...parameters], {
    env: { MALLOC_ARENA_MAX: '2', ...process.env },
  });
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      socket?.remove();
      resolve(code);
    });
  });
  let said: string[] | undefined = [];
  createInterface(child.stderr).on('line', (line) => {
    said?.push(line);
    log?.(line);
  });
  const lines = createInterface(child.stdout);
  const announced = once(lines, 'line') as Promise<[string]>;
  const line = await Promise.race([announced.then(([first]) => first), exited]);
  if (typeof line !== 'string') {
    const message = `The embedded database did not start (exit code ${line}). ${said.join('\n')}`;
    return { message, alreadyServed: line === alreadyServedExitCode };
  }
  said = undefined;
  const left = new Promise<void>((resolve) => {
    lines.on('line', (word) => {
      if (word === leftToGuests) resolve();
    });
  });
  return {
    uri: (JSON.parse(line) as { uri: string }).uri,
    pid: child.pid!,
    exited,
    async stop() {
      child.stdin.end();
      await Promise.race([exited, left]);
      // This process may end before the server does.
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      child.unref();
    },
  };
}
