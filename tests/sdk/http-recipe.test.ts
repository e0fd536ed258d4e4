import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../product/product.ts';
import { invoice, password, root, type CommandEnd } from './signed-in-product.ts';

/** The scripts of docs/programs/http.md, by the file name in their first line. */
const page = fs.readFileSync(path.join(root, 'docs/programs/http.md'), 'utf8');
const scripts = new Map(
  [...page.matchAll(/```(?:bash|python)\n(# (\S+)\n.+?)```/gsu)].map(([, script = '', name = '']) => [name, script]),
);

const missing = (program: string, ...args: string[]) => spawnSync(program, args).status !== 0;
const withoutShell = ['bash', 'curl', 'jq'].some((program) => missing(program, '--version'));
const withoutPython = missing('python3', '-c', 'import requests');
if (withoutShell) console.warn('The recipe in bash is not run: bash, curl or jq is not installed here.');
if (withoutPython) console.warn('The recipe in Python is not run: python3 with requests is not installed here.');

let product: Product;
let token: string | undefined;
beforeAll(async () => {
  product = await startProduct({ LOG_LEVEL: 'error' });
});
afterAll(async () => product.stop());

/** Runs a script with only the variables that it requires. */
function follow(name: string, env: Record<string, string>): Promise<CommandEnd> {
  const script = scripts.get(name);
  if (script === undefined) throw new Error(`docs/programs/http.md has no script ${name}.`);
  const program = name.endsWith('.py') ? 'python3' : 'bash';
  const child = spawn(program, ['-c', script], { env: { PATH: process.env['PATH'], API: product.url, ...env } });
  const end: CommandEnd = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (end.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (end.stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...end, code }));
  });
}

/** Follows the page: the token of the printed link registers the owner, and the owner creates an access token. */
async function firstToken(): Promise<string> {
  if (token !== undefined) return token;
  const setup = new URL(product.link).searchParams.get('token') ?? '';
  const end = await follow('first-token.sh', { SETUP_TOKEN: setup, EMAIL: 'ada@example.com', PASSWORD: password });
  expect(end.code, end.stderr).toBe(0);
  return (token = end.stdout.trim());
}

const python = withoutPython ? [] : ['extract.py'];
test.skipIf(withoutShell).each(['extract.sh', ...python])('%s goes from a fresh start to a result', async (name) => {
  const end = await follow(name, { TOKEN: await firstToken(), FILE: invoice });
  expect(end.code, end.stderr).toBe(0);
  expect(end.stdout).toMatch(/["']invoice_number["']: ["']INV-/u);
});

test.skipIf(withoutShell).each(['extract.sh', ...python])('%s ends with words on a damaged file', async (name) => {
  const damaged = path.join(product.dataDir, 'damaged.pdf');
  fs.writeFileSync(damaged, fs.readFileSync(invoice).subarray(0, 2000));
  const end = await follow(name, { TOKEN: await firstToken(), FILE: damaged });
  expect(end.code).not.toBe(0);
  expect(end.stderr).toMatch(/code.*message/su);
});
