import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { joinServer } from './join-server.ts';
import { alreadyServedExitCode } from './parent-protocol.ts';
import { startEmbeddedMongo } from './start.ts';

// A busy machine can be slow.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'docwright-start-'));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function countOf(uri: string): Promise<number> {
  const client = await new MongoClient(uri).connect();
  const count = await client.db('test').collection('things').countDocuments();
  await client.close();
  return count;
}

test('writes survive a restart', async () => {
  const first = await startEmbeddedMongo({ dataDir });
  const client = await new MongoClient(first.uri).connect();
  await client.db('test').collection('things').insertOne({ name: 'kept' });
  await client.close();
  await first.stop();
  expect(await first.exited).toBe(0);
  const second = await startEmbeddedMongo({ dataDir });
  expect(await countOf(second.uri)).toBe(1);
  await second.stop();
});

test('a second process joins the running server, which stops with the last process', async () => {
  const [one, other] = await Promise.all([startEmbeddedMongo({ dataDir }), startEmbeddedMongo({ dataDir })]);
  expect(other.pid).toBe(one.pid);
  expect(other.uri).toBe(one.uri);
  const guest = await startEmbeddedMongo({ dataDir });
  await guest.stop();
  expect(await countOf(one.uri)).toBe(0);
  // Both handles see the exit, no matter which of the two started the server.
  await one.stop();
  expect(await countOf(other.uri)).toBe(0);
  await other.stop();
  await expect.poll(isServed, { timeout: 10_000 }).toBe(false);
});

test.skipIf(process.platform === 'win32')('only this user can reach the socket', async () => {
  const database = await startEmbeddedMongo({ dataDir });
  const socket = decodeURIComponent(/^mongodb:\/\/([^/]+)\//.exec(database.uri)![1]!);
  expect((await stat(socket)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(socket))).mode & 0o777).toBe(0o700);
  const staleSocket = join(dirname(socket), 'socket-of-a-killed-server.sock');
  await database.stop();
  await expect(stat(socket)).rejects.toThrow('ENOENT');
  await writeFile(staleSocket, '');
  const next = await startEmbeddedMongo({ dataDir });
  await expect(stat(staleSocket)).rejects.toThrow('ENOENT');
  await next.stop();
});

test.skipIf(process.platform === 'win32')('a data directory can have a long path', async () => {
  const long = join(dataDir, 'x'.repeat(60), 'y'.repeat(60));
  const database = await startEmbeddedMongo({ dataDir: long });
  expect(await countOf(database.uri)).toBe(0);
  await database.stop();
});

test('a second server on the same file exits with an error that names the first', async () => {
  const database = await startEmbeddedMongo({ dataDir });
  const main = join(import.meta.dirname, '../server/main.ts');
  const second = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, '--data-dir', dataDir]);
  const [output, [code]] = await Promise.all([text(second.stderr), once(second, 'exit')]);
  expect(code).toBe(alreadyServedExitCode);
  expect(output).toContain(`already being served by another process (process ${database.pid})`);
  await database.stop();
});

test('a file that is not a database is not changed, and the error names the remedy', async () => {
  const file = join(dataDir, 'database.sqlite');
  await writeFile(file, 'these are notes, not a database '.repeat(100));
  await expect(startEmbeddedMongo({ dataDir })).rejects.toThrow(/cannot be opened: .*backup/);
  expect((await readFile(file, 'utf8')).startsWith('these are notes')).toBe(true);
});

test('the server stops when its parent dies, or with the last process that joined', async () => {
  const script = `
    import { startEmbeddedMongo } from ${JSON.stringify(join(import.meta.dirname, '../index.ts'))};
    const database = await startEmbeddedMongo({ dataDir: ${JSON.stringify(dataDir)} });
    console.log('started');
    setInterval(() => {}, 1000);`;
  const startParent = async () => {
    const parent = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script]);
    await once(parent.stdout, 'data');
    return parent;
  };
  const alone = await startParent();
  alone.kill('SIGKILL');
  await expect.poll(isServed, { timeout: 10_000 }).toBe(false);

  const parent = await startParent();
  const joined = (await joinServer(dataDir))!;
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  expect(await countOf(joined.uri)).toBe(0);
  process.kill(joined.pid, 'SIGINT');
  process.kill(joined.pid, 'SIGTERM');
  const late = await startEmbeddedMongo({ dataDir });
  await joined.stop();
  expect(await countOf(late.uri)).toBe(0);
  await late.stop();
  await expect.poll(isServed, { timeout: 10_000 }).toBe(false);
});

async function isServed(): Promise<boolean> {
  const joined = await joinServer(dataDir);
  await joined?.stop();
  return joined !== undefined;
}

test('a killed server restarts at the same address with all acknowledged writes', async () => {
  const lines: string[] = [];
  const database = await startEmbeddedMongo({ dataDir, log: (line) => lines.push(line) });
  const guest = await startEmbeddedMongo({ dataDir });
  const client = await new MongoClient(database.uri, { serverSelectionTimeoutMS: 20_000 }).connect();
  const things = client.db('test').collection('things');
  await things.insertOne({ name: 'kept' });
  for (let killed = 1; killed <= 2; killed++) {
    const { pid } = database;
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => things.countDocuments().catch(() => 0), { timeout: 20_000 }).toBe(1);
    await expect.poll(() => database.pid, { timeout: 20_000 }).not.toBe(pid);
  }
  expect(lines.filter((line) => line.includes('was restarted'))).toHaveLength(2);
  await client.close();
  await guest.stop();
  await database.stop();
  await database.exited;
  await expect.poll(isServed, { timeout: 10_000 }).toBe(false);
});

test('a damaged file is not served', async () => {
  const first = await startEmbeddedMongo({ dataDir });
  const client = await new MongoClient(first.uri).connect();
  const many = Array.from({ length: 500 }, (_, at) => ({ at, text: `${at}`.repeat(200) }));
  await client.db('test').collection('things').insertMany(many);
  expect(await client.db('admin').command({ docwrightIntegrity: 1 })).toMatchObject({ state: 'sound' });
  await client.close();
  await first.stop();
  const file = join(dataDir, 'database.sqlite');
  const bytes = await readFile(file);
  // Damages pages behind the catalogue, as a failing disk does.
  for (let page = 8; page < 40; page++) bytes.fill(0xa5, page * 8192, page * 8192 + 4096);
  await writeFile(file, bytes);
  await expect(startEmbeddedMongo({ dataDir })).rejects.toThrow(/is damaged: .*backup/);
});
