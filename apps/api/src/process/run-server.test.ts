import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const serverFile = resolve(import.meta.dirname, '../server.ts');
// Each test starts a whole server, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let dataDir: string;
let child: ChildProcess | undefined;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'docwright-run-'));
});
afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs the server as a separate process, as users do. */
function run(settings: Record<string, string>) {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', ...settings };
  const running = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', serverFile], { env });
  child = running;
  let output = '';
  running.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  running.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(running, 'exit').then(([code]) => ({ code: code as number | null, output }));
  return {
    running,
    exited,
    async link() {
      const found = () => /Open (\S+)/.exec(output)?.[1];
      while (found() === undefined) {
        const ended = await Promise.race([exited, new Promise((again) => setTimeout(again, 20))]);
        if (ended) throw new Error(`ended before it was ready: ${output}`);
      }
      return new URL(found() ?? '');
    },
  };
}

describe('a failed start prints one line with the cure and exits with code 1', () => {
  test('a malformed setting', async () => {
    const { code, output } = await run({ PORT: 'eighty' }).exited;
    expect([code, output]).toEqual([1, 'PORT takes a whole number from 0 to 65535.\n']);
  });

  test('a data folder that cannot be created', async () => {
    const file = join(dataDir, 'a-file');
    await writeFile(file, '');
    const { code, output } = await run({ DATA_DIR: join(file, 'data') }).exited;
    expect(code).toBe(1);
    expect(output).toMatch(/^DATA_DIR \S+ cannot be written [^\n]* set DATA_DIR to another folder\.\n$/);
  });

  test('a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, output } = await run({ PORT: String(port), LOG_LEVEL: 'silent' }).exited;
    other.close();
    expect(code).toBe(1);
    expect(output).toBe(`PORT ${port} on 127.0.0.1 is in use: stop what listens there, or set PORT to another one.\n`);
  });
});

test('the server prints a one-time link, logs no token, keeps its data, and stops cleanly', async () => {
  const first = run({ LOG_LEVEL: 'trace' });
  const link = await first.link();
  expect((await fetch(new URL('/ready', link))).status).toBe(200);
  const followed = await fetch(link, { redirect: 'manual' });
  expect(followed.headers.get('set-cookie')).toContain('docwright_session=');
  const account = { email: 'ann@example.com', name: 'Ann', password: 'correct horse battery' };
  const headers = { 'content-type': 'application/json' };
  const registered = await fetch(new URL('/v0/auth/register', link), {
    method: 'POST',
    headers,
    body: JSON.stringify(account),
  });
  expect(registered.status).toBe(201);
  first.running.kill('SIGINT');
  const { code, output } = await first.exited;
  expect(code).toBe(0);
  const token = link.searchParams.get('token') ?? '';
  expect(output.split(token)).toHaveLength(2);

  const second = run({});
  const again = await second.link();
  expect(again.search).toBe('');
  const login = await fetch(new URL('/v0/auth/login', again), {
    method: 'POST',
    headers,
    body: JSON.stringify(account),
  });
  expect(login.status).toBe(200);
  second.running.kill('SIGTERM');
  expect((await second.exited).code).toBe(0);
});

test.runIf(process.platform === 'linux')(
  'a killed embedded database restarts; meanwhile requests answer 503',
  async () => {
    const server = run({ LOG_LEVEL: 'silent' });
    const link = await server.link();
    // Uses a session: sign-ins are limited to ten per minute.
    const followed = await fetch(link, { redirect: 'manual' });
    const cookie = followed.headers
      .getSetCookie()
      .map((setCookie) => setCookie.split(';')[0])
      .join('; ');
    const parent = server.running.pid ?? 0;
    const [killed] = await childrenOf(parent);
    process.kill(killed!, 'SIGKILL');
    const seen = new Set<number>();
    const request = async () => {
      const { status } = await fetch(new URL('/v0/me', link), { headers: { cookie } });
      seen.add(status);
      return status;
    };
    await expect.poll(request, { timeout: 25_000, interval: 200 }).toBe(200);
    await expect.poll(async () => (await fetch(new URL('/ready', link))).status, { timeout: 30_000 }).toBe(200);
    expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const [started] = await childrenOf(parent);
    expect([undefined, killed]).not.toContain(started);
    server.running.kill('SIGINT');
    expect((await server.exited).code).toBe(0);
  },
);

/** The child processes, from Linux's procfs. */
async function childrenOf(pid: number): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return list.trim().split(' ').filter(Boolean).map(Number);
}
