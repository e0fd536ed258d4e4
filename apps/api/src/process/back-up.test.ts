import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { GridFSBucket, MongoClient } from 'mongodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadAppSecret } from '../platform/settings/app-secret.ts';
import { backUp } from './back-up.ts';

let dataDir: string;
let targetFolder: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'docwright-backed-up-'));
  targetFolder = join(await mkdtemp(join(tmpdir(), 'docwright-back-ups-')), 'nightly');
});
afterEach(async () => {
  await Promise.all([dataDir, dirname(targetFolder)].map((folder) => rm(folder, { recursive: true, force: true })));
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

test('a back-up during writes has everything acknowledged before it, as of one moment, and is a data directory', async () => {
  const secret = await loadAppSecret(undefined, dataDir);
  const bytes = Buffer.alloc(8 * 1024 * 1024, 'page ');
  const { folder, before, after } = await withDatabase(dataDir, async (client) => {
    const items = client.db('docwright').collection<{ _id: number; name: string }>('items');
    await items.createIndex({ name: 1 }, { unique: true });
    const file = new GridFSBucket(client.db('docwright')).openUploadStream('invoice.pdf');
    file.end(bytes);
    await once(file, 'finish');
    let acknowledged = 0;
    const stopped = new AbortController();
    const writing = (async () => {
      for (; !stopped.signal.aborted; acknowledged += 1)
        await items.insertOne({ _id: acknowledged, name: `item ${acknowledged}` });
    })();
    await expect.poll(() => acknowledged).toBeGreaterThan(50);
    const backedUp = {
      before: acknowledged,
      folder: (await backUp(dataDir, targetFolder)).folder,
      after: acknowledged,
    };
    await expect.poll(() => acknowledged).toBeGreaterThan(backedUp.after);
    stopped.abort();
    await writing;
    return backedUp;
  });

  expect(await readdir(targetFolder)).toHaveLength(1);
  expect((await readdir(folder)).toSorted()).toEqual(['app-secret', 'database.sqlite']);
  expect((await stat(join(folder, 'database.sqlite'))).mode & 0o777).toBe(0o600);
  expect(await loadAppSecret(undefined, folder)).toBe(secret);
  await withDatabase(folder, async (client) => {
    const items = client.db('docwright').collection<{ _id: number; name: string }>('items');
    const ids = (await items.find().sort({ name: 1 }).toArray()).map(({ _id }) => _id).toSorted((a, b) => a - b);
    expect(ids.length).toBeGreaterThanOrEqual(before);
    expect(ids.length).toBeLessThanOrEqual(after + 1);
    // There are no gaps.
    expect(ids).toEqual(ids.map((_, index) => index));
    const stored = await new GridFSBucket(client.db('docwright')).openDownloadStreamByName('invoice.pdf').toArray();
    expect(Buffer.concat(stored as Buffer[]).equals(bytes)).toBe(true);
  });
});

test('a back-up needs no running server, and a failed one leaves no files', async () => {
  await expect(backUp(dataDir, targetFolder)).rejects.toThrow(/No database exists in/);
  await withDatabase(dataDir, (client) => client.db('docwright').collection('items').insertOne({ name: 'kept' }));
  const { folder } = await backUp(dataDir, targetFolder);
  await withDatabase(folder, async (client) => {
    expect(await client.db('docwright').collection('items').countDocuments()).toBe(1);
  });
  const file = join(folder, 'database.sqlite');
  await expect(backUp(dataDir, file)).rejects.toThrow(/The back-up in .* failed: /);
  expect((await readFile(file)).length).toBeGreaterThan(0);
});
