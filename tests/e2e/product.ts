import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const startsWithin = 60_000;

export interface Product {
  /** Without a trailing slash. */
  url: string;
  /** The sign-in link as the server printed it. */
  link: string;
  pid: number;
  /** All that the server wrote so far. */
  log(): string;
  /** Ends the server as Ctrl-C does and removes its data. */
  stop(): Promise<void>;
}

/** Starts the built product as its own process, on a free port and an empty data folder. */
export async function startProduct(settings: Record<string, string> = {}): Promise<Product> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-e2e-'));
  const server = path.join(root, 'apps/api/src/server.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', server], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const link = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The server printed no link:\n${output}`)), startsWithin);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = /https?:\/\/\S+\/sign-in\?token=[\w-]+/.exec(output);
      if (found === null) return;
      clearTimeout(timer);
      resolve(found[0]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)));
  });
  return {
    url: new URL(link).origin,
    link,
    pid: child.pid ?? 0,
    log: () => output,
    async stop() {
      child.kill('SIGINT');
      await exited;
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
