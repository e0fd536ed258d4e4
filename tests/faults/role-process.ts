import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnServer } from '../product/built-server.ts';

/** One of several processes on the same data. */
export interface RoleProcess {
  /** Without a trailing slash. */
  url: string;
  /** Its output so far. */
  output(): string;
  /** Sends SIGKILL; resolves when the process has exited. */
  kill(): Promise<void>;
  /** Stops it gracefully; returns its exit code. */
  end(): Promise<number | null>;
}

/** Starts a server with a role and waits until it is ready. */
export async function startRole(role: 'api' | 'worker', settings: Record<string, string>): Promise<RoleProcess> {
  const child = spawnServer({ PORT: '0', LOG_LEVEL: 'warn', ROLE: role, ...settings });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const exited = once(child, 'exit').then(([code]: unknown[]) => (typeof code === 'number' ? code : null));
  const found = () => /(?:Open|Status:) (http\S+)/.exec(output)?.[1];
  while (found() === undefined) {
    const ended = await Promise.race([exited.then(() => true), sleep(20, false)]);
    if (ended) throw new Error(`The ${role} ended:\n${output}`);
  }
  return {
    url: new URL(found() ?? '').origin,
    output: () => output,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async end() {
      child.kill('SIGTERM');
      return await exited;
    },
  };
}
