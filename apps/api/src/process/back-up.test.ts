import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { GridFSBucket, MongoClient } from 'mongodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadAppSecret } from '../platform/settings/app-secret.ts';
import { backUp } from './back-up.ts';

let dataDir: string;
let into: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'docwright-backed-up-'));
  into = join(await mkdtemp(join(tmpdir(), 'docwright-back-ups-')), 'nightly');
});
afterEach(async () => {
  await Promise.all([dataDir, into].map((folder) => rm(folder, { recursive: true, force: true })));
});

async function withDatabase<Answer>(folder: string, use: (client: MongoClient) => Promise<Answer>): Promise<Answer> {
  const database = await startEmbeddedMongo({ dataDir: folder });
  const client = await MongoClient.connect(database.uri);
  try {
    return await use(client);
  } finally {
    await client.close();
    await database.stop();
  }
}

test('a back-up under writes has all that was acknowledged before it, as of one moment, and is a data directory', async () => {
  const secret = await loadAppSecret(undefined, dataDir);
  const bytes = Buffer.alloc(8 * 1024 * 1024, 'page ');
  const { folder, before, after } = await withDatabase(dataDir, async (client) => {
    const things = client.db('docwright').collection<{ _id: number; name: string }>('things');
    await things.createIndex({ name: 1 }, { unique: true });
    const file = new GridFSBucket(client.db('docwright')).openUploadStream('invoice.pdf');
    file.end(bytes);
    await once(file, 'finish');
    let acknowledged = 0;
    const over = new AbortController();
    const writing = (async () => {
      for (; !over.signal.aborted; acknowledged += 1)
        await things.insertOne({ _id: acknowledged, name: `thing ${acknowledged}` });
    })();
    await expect.poll(() => acknowledged).toBeGreaterThan(50);
    const backedUp = { before: acknowledged, folder: (await backUp(dataDir, into)).folder, after: acknowledged };
    await expect.poll(() => acknowledged).toBeGreaterThan(backedUp.after);
    over.abort();
    await writing;
    return backedUp;
  });

  expect(await readdir(into)).toHaveLength(1);
  expect((await readdir(folder)).toSorted()).toEqual(['app-secret', 'database.sqlite']);
  expect((await stat(join(folder, 'database.sqlite'))).mode & 0o777).toBe(0o600);
  expect(await loadAppSecret(undefined, folder)).toBe(secret);
  await withDatabase(folder, async (client) => {
    const things = client.db('docwright').collection<{ _id: number; name: string }>('things');
    const ids = (await things.find().sort({ name: 1 }).toArray()).map(({ _id }) => _id).toSorted((a, b) => a - b);
    expect(ids.length).toBeGreaterThanOrEqual(before);
    expect(ids.length).toBeLessThanOrEqual(after + 1);
    // None is left out in the middle.
    expect(ids).toEqual(ids.map((_, index) => index));
    const stored = await new GridFSBucket(client.db('docwright')).openDownloadStreamByName('invoice.pdf').toArray();
    expect(Buffer.concat(stored as Buffer[]).equals(bytes)).toBe(true);
  });
});

test('it needs no server, and leaves nothing behind where it cannot be', async () => {
  await expect(backUp(dataDir, into)).rejects.toThrow(/There is no database in/);
  await withDatabase(dataDir, (client) => client.db('docwright').collection('things').insertOne({ name: 'kept' }));
  const { folder } = await backUp(dataDir, into);
  await withDatabase(folder, async (client) => {
    expect(await client.db('docwright').collection('things').countDocuments()).toBe(1);
  });
  const file = join(folder, 'database.sqlite');
  await expect(backUp(dataDir, file)).rejects.toThrow(/No back-up was made in/);
  expect((await readFile(file)).length).toBeGreaterThan(0);
});
