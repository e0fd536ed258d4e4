import type { ChildProcess } from 'node:child_process';
import { spawnServer } from '../product/built-server.ts';

/** The server as its own process, which a test can kill and restart on the same data. */
export interface KillableServer {
  /** Without a trailing slash. */
  url: string;
  /** The printed link; empty for a worker, like its url. */
  link: string;
  pid: number;
  /** Sends SIGKILL; resolves when the process has exited. */
  kill(): Promise<void>;
  /** Ends it as Ctrl-C does. */
  end(): Promise<void>;
}

export async function startServer(settings: Record<string, string>): Promise<KillableServer> {
  const child = spawnServer({ PORT: '0', LOG_LEVEL: 'error', ...settings });
  const link = await printedLink(child);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    url: link === '' ? '' : new URL(link).origin,
    link,
    pid: child.pid ?? 0,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async end() {
      child.kill('SIGINT');
      await exited;
    },
  };
}

function printedLink(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const link = /Open (http\S+)/.exec(output)?.[1];
      if (link !== undefined) resolve(link);
      else if (output.includes('The worker is ready.')) resolve('');
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)));
  });
}
