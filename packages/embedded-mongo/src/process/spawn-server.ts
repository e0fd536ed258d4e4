import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { EmbeddedMongo, StartOptions } from './embedded-mongo.ts';
import { alreadyServedExitCode, servesOthersNotice } from './parent-protocol.ts';
import { portOf } from './server-address.ts';
import { makeSocketPath, socketPathOf } from './socket-path.ts';

/** With a small young generation and few malloc arenas, the idle server takes 12 MB less than with the defaults. */
const nodeFlags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=4'];

/** The reason why a server did not start. */
interface StartFailure {
  message: string;
  /** True when another process has locked the database. */
  isAlreadyServed: boolean;
}

const mainFile = fileURLToPath(new URL('../server/main.ts', import.meta.url));

/** Starts a server process and waits until it listens. With `uri`, it listens at the address of an earlier server. */
export async function spawnServer(
  dataDir: string,
  log: StartOptions['log'],
  {
    uri,
    synchronous = 'normal',
    keepsExpired = false,
  }: Pick<StartOptions, 'synchronous' | 'keepsExpired'> & { uri?: string | undefined } = {},
): Promise<EmbeddedMongo | StartFailure> {
  const port = uri === undefined ? undefined : portOf(uri);
  const socket = port === undefined ? (socketPathOf(uri) ?? makeSocketPath(dataDir)) : undefined;
  const address = socket ? ['--socket', socket.path] : ['--port', String(port ?? 0)];
  const parameters = ['--data-dir', dataDir, '--synchronous', synchronous, ...address];
  if (keepsExpired) parameters.push('--keeps-expired');
  const child = spawn(process.execPath, [...nodeFlags, mainFile, ...parameters], {
    env: { MALLOC_ARENA_MAX: '2', ...process.env },
  });
  let isListening = false;
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      // After a kill, another server can already listen at the same address.
      if (code === 0 || (uri === undefined && !isListening)) socket?.remove();
      resolve(code);
    });
  });
  let output: string[] | undefined = [];
  createInterface(child.stderr).on('line', (line) => {
    output?.push(line);
    log?.(line);
  });
  const lines = createInterface(child.stdout);
  const announced = once(lines, 'line') as Promise<[string]>;
  const line = await Promise.race([announced.then(([first]) => first), exited]);
  if (typeof line !== 'string') {
    const message = `The embedded database did not start (exit code ${line}). ${output.join('\n')}`;
    return { message, isAlreadyServed: line === alreadyServedExitCode };
  }
  output = undefined;
  isListening = true;
  const stillServing = new Promise<void>((resolve) => {
    lines.on('line', (text) => {
      if (text === servesOthersNotice) resolve();
    });
  });
  return {
    uri: (JSON.parse(line) as { uri: string }).uri,
    pid: child.pid!,
    exited,
    async stop() {
      child.stdin.end();
      await Promise.race([exited, stillServing]);
      // Without open streams, this process can exit before the server does.
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      child.unref();
    },
  };
}
