import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawnServer } from './built-server.ts';

const startsWithin = 60_000;

export interface Product {
  /** Without a trailing slash. */
  url: string;
  /** The sign-in link as the server printed it. */
  link: string;
  dataDir: string;
  /** Ends the server with this signal and restarts it on the same port and data. */
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Ends the server as Ctrl-C does and removes its data. */
  stop(): Promise<void>;
}

/** Starts the built product as its own process, on a free port with an empty data folder. Ends it if the start fails. */
export async function startProduct(settings: Record<string, string> = {}): Promise<Product> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-e2e-'));
  let server = await startServer({ PORT: '0', DATA_DIR: dataDir, ...settings });
  const url = new URL(server.address).origin;
  return {
    url,
    link: server.address,
    dataDir,
    async restart(signal) {
      await server.end(signal);
      server = await startServer({ DATA_DIR: dataDir, ...settings, PORT: new URL(url).port });
    },
    async stop() {
      await server.end('SIGINT');
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

interface Server {
  /** The printed address: the sign-in link until it is used. */
  address: string;
  end(signal: NodeJS.Signals): Promise<void>;
}

async function startServer(settings: Record<string, string>): Promise<Server> {
  const child = spawnServer(settings);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const address = await printedAddress(child);
  const stopWatching = reportSuddenEnd(child);
  return {
    address,
    async end(signal) {
      stopWatching();
      child.kill(signal);
      await exited;
    },
  };
}

/** Characters of the output that are kept for a report. */
const keptOutput = 4_000;

/** Prints the end of a server that no test asked for, because its tests fail with refused connections alone. */
function reportSuddenEnd(child: ChildProcess): () => void {
  let output = '';
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-keptOutput));
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const report = (code: number | null, signal: string | null) =>
    process.stderr.write(`\nThe product ended by itself with ${signal ?? code}:\n${output}\n`);
  child.once('exit', report);
  return () => void child.off('exit', report);
}

function printedAddress(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The server printed no link:\n${output}`));
    }, startsWithin);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const address = /Open (https?:\S+)/u.exec(output)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The server ended with ${code}:\n${output}`));
    });
  });
}
