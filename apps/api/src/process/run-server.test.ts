import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const serverFile = resolve(import.meta.dirname, '../server.ts');
// Each test starts a whole server, which takes its time on a machine that is busy.
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

/** Runs the server as its users do, as a process of its own. */
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

describe('what keeps it from starting is one line that names the cure, and exit code 1', () => {
  test('a malformed setting', async () => {
    const { code, output } = await run({ PORT: 'eighty' }).exited;
    expect([code, output]).toEqual([1, 'PORT takes a whole number from 0 to 65535.\n']);
  });

  test('a data folder that cannot be', async () => {
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

test('it prints a link that works once, logs no token, keeps its data, and stops cleanly', async () => {
  const first = run({ LOG_LEVEL: 'trace' });
  const link = await first.link();
  expect((await fetch(new URL('/ready', link))).status).toBe(200);
  const followed = await fetch(link, { redirect: 'manual' });
  expect(followed.headers.get('set-cookie')).toContain('docwright_session=');
  const person = { email: 'ann@example.com', name: 'Ann', password: 'correct horse battery' };
  const headers = { 'content-type': 'application/json' };
  const registered = await fetch(new URL('/v0/auth/register', link), {
    method: 'POST',
    headers,
    body: JSON.stringify(person),
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
    body: JSON.stringify(person),
  });
  expect(login.status).toBe(200);
  second.running.kill('SIGTERM');
  expect((await second.exited).code).toBe(0);
});

test.runIf(process.platform === 'linux')(
  'when the embedded database is killed it is started again, and requests meanwhile are told to come back',
  async () => {
    const server = run({ LOG_LEVEL: 'silent' });
    const link = await server.link();
    // Requests of a session: sign-ins are refused once there were ten of them within a minute.
    const followed = await fetch(link, { redirect: 'manual' });
    const cookie = followed.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
    const parent = server.running.pid ?? 0;
    const [killed] = await childrenOf(parent);
    process.kill(killed!, 'SIGKILL');
    const seen = new Set<number>();
    const asks = async () => {
      const { status } = await fetch(new URL('/v0/me', link), { headers: { cookie } });
      seen.add(status);
      return status;
    };
    await expect.poll(asks, { timeout: 25_000, interval: 200 }).toBe(200);
    await expect.poll(async () => (await fetch(new URL('/ready', link))).status, { timeout: 30_000 }).toBe(200);
    expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const [started] = await childrenOf(parent);
    expect([undefined, killed]).not.toContain(started);
    server.running.kill('SIGINT');
    expect((await server.exited).code).toBe(0);
  },
);

/** As Linux tells. */
async function childrenOf(pid: number): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return list.trim().split(' ').filter(Boolean).map(Number);
}
