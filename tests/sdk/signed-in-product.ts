import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { createDocwright, type Docwright } from '@docwright/sdk';
import { runCommand } from '../../packages/sdk/src/command/run-command.ts';
import { startProduct } from '../product/product.ts';
import { keepDuplicates, password, shareProduct } from '../product/shared-product.ts';

export const root = path.resolve(import.meta.dirname, '../..');
export const invoice = path.join(root, 'tests/corpus/contoso-invoice.pdf');
export { password };

export interface CommandEnd {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Standard input, closed after it. */
  input?: string;
  /** Standard input that stays open. */
  keepInputOpen?: true;
  env?: Record<string, string>;
  /** Called with the process and each part of its output. */
  watch?: (output: string, child: { kill(signal: NodeJS.Signals): boolean; stdin: Writable }) => void;
}

export interface SignedInProduct {
  url: string;
  email: string;
  token: string;
  client: Docwright;
  /** A configuration folder without a stored sign-in. */
  folder: string;
  /** Runs the command without a terminal, in this process, which saves a process start. */
  docwright(args: string[], options?: Pick<RunOptions, 'input' | 'env'>): Promise<CommandEnd>;
  /** Runs the command in its own process, as a shell does. */
  spawnDocwright(args: string[], options?: RunOptions): Promise<CommandEnd>;
  stop(): Promise<void>;
}

interface Choice {
  /** A model of the test, with `/v1`; by default the demo model. */
  model?: { url: string };
  /** Starts a separate product with these settings. */
  settings?: Record<string, string>;
}

/** A product with an account, a client and the command. */
export async function startSignedInProduct({ model, settings }: Choice = {}): Promise<SignedInProduct> {
  const product = settings === undefined ? await shareProduct(model && { model }) : await startOwn(settings);
  const { url, email } = product;
  const person = createDocwright({ baseUrl: url, token: product.accessToken });
  const { token } = await person.accessTokens.create({ name: 'tests', lifetime_days: 1 });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-sdk-'));
  const surroundings = { DOCWRIGHT_URL: url, XDG_CONFIG_HOME: folder };
  return {
    url,
    email,
    token,
    client: createDocwright({ baseUrl: url, token }),
    folder,
    docwright: (args, { input, env } = {}) => runHere(args, { ...surroundings, ...env }, input),
    spawnDocwright: (args, options = {}) =>
      runDocwright(args, { ...options, env: { ...surroundings, ...options.env } }),
    async stop() {
      await product.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startOwn(settings: Record<string, string>) {
  const product = await startProduct({ LOG_LEVEL: 'error', ...settings });
  const email = 'ada@example.com';
  const session = await createDocwright({ baseUrl: product.url }).auth.register({ email, name: 'Ada', password });
  await keepDuplicates(product.url, session.organization.id, session.access_token);
  return { ...product, email, accessToken: session.access_token };
}

async function runHere(args: string[], env: Record<string, string>, input = ''): Promise<CommandEnd> {
  const [stdout, stderr] = [collector(), collector()];
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)]);
  const code = await runCommand(args, '0.0.0', { env: { HOME: os.tmpdir(), ...env }, stdin, stdout, stderr });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collector(): Writable & { text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return Object.assign(stream, { text: () => Buffer.concat(chunks).toString() });
}

export function runDocwright(
  args: string[],
  { input = '', keepInputOpen, env = {}, watch }: RunOptions,
): Promise<CommandEnd> {
  const bin = path.join(root, 'packages/sdk/bin/docwright.mjs');
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: os.tmpdir(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const end: CommandEnd = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    end.stdout += chunk.toString();
    watch?.(end.stdout + end.stderr, child);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    end.stderr += chunk.toString();
    watch?.(end.stdout + end.stderr, child);
  });
  child.stdin.on('error', () => undefined);
  if (keepInputOpen) child.stdin.write(input);
  else child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...end, code }));
  });
}

/** Sends Ctrl-C after each of these texts was printed, in order, once each. */
export function interruptAt(...marks: string[]): NonNullable<RunOptions['watch']> {
  return (output, child) => {
    while (marks[0] !== undefined && output.includes(marks[0])) {
      marks.shift();
      child.kill('SIGINT');
    }
  };
}
