import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { GridFSBucket, MongoClient } from 'mongodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadAppSecret } from '../../platform/settings/app-secret.ts';
import { backUp } from './back-up.ts';
import { checkBackUp, restore } from './restore.ts';

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
  expect((await readdir(folder)).toSorted()).toEqual(['app-secret', 'database.sqlite', 'manifest.json']);
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

/** A database with a record that expired long ago; one in use would have removed it. */
async function fill(client: MongoClient): Promise<void> {
  const items = client.db('docwright').collection<{ _id: number; at?: Date }>('items');
  await items.insertMany(Array.from({ length: 600 }, (_, _id) => ({ _id })));
  await client.db('docwright').collection('sessions').createIndex({ at: 1 }, { expireAfterSeconds: 1 });
  await client
    .db('docwright')
    .collection('sessions')
    .insertOne({ at: new Date(0) });
}

const itemsOf = (client: MongoClient) => client.db('docwright').collection('items').find().toArray();

test('a back-up is checked against its manifest, and restored with its secret into an empty database of either kind', async () => {
  const secret = await loadAppSecret(undefined, dataDir);
  await withDatabase(dataDir, fill);
  const { folder } = await backUp(dataDir, targetFolder);
  expect(await checkBackUp(folder)).toEqual({ collections: 2, records: 601 });
  const original = await withDatabase(dataDir, itemsOf);
  const restored = join(targetFolder, 'restored');
  expect(await restore({ folder, dataDir: restored })).toEqual({ collections: 2, records: 601 });
  expect(await loadAppSecret(undefined, restored)).toBe(secret);
  await withDatabase(restored, async (client) => {
    expect(await itemsOf(client)).toEqual(original);
    expect(await client.db('docwright').collection('sessions').indexes()).toHaveLength(2);
  });
  await expect(restore({ folder, dataDir: restored })).rejects.toThrow(/has a database: set DATA_DIR to a new folder/u);
  // In the place of a MongoDB server.
  const server = await startEmbeddedMongo({ dataDir: join(targetFolder, 'server') });
  const client = await MongoClient.connect(server.uri);
  try {
    await restore({ folder, dataDir: join(targetFolder, 'own'), uri: server.uri });
    expect(await itemsOf(client)).toEqual(original);
    expect(await loadAppSecret(undefined, join(targetFolder, 'own'))).toBe(secret);
    const again = restore({ folder, dataDir: join(targetFolder, 'own'), uri: server.uri });
    await expect(again).rejects.toThrow(/The target is not empty \(items has records\)/u);
  } finally {
    await client.close();
    await server.stop();
  }
  expect(await checkBackUp(folder)).toEqual({ collections: 2, records: 601 });
});

test('a back-up that differs from its manifest names the collection and is not restored, nor over another secret', async () => {
  await loadAppSecret(undefined, dataDir);
  await withDatabase(dataDir, fill);
  const { folder } = await backUp(dataDir, targetFolder);
  const restored = join(targetFolder, 'restored');
  const other = join(targetFolder, 'other');
  await mkdir(other);
  await loadAppSecret(undefined, other);
  await expect(restore({ folder, dataDir: other })).rejects.toThrow(/has another app-secret/u);
  await withDatabase(folder, async (client) => {
    const items = client.db('docwright').collection<{ _id: number }>('items');
    await items.updateOne({ _id: 7 }, { $set: { name: 'changed' } });
  });
  const message = /differs from its manifest: items \(600 records in the manifest, 600 in the copy\)\./u;
  await expect(checkBackUp(folder)).rejects.toThrow(message);
  await expect(restore({ folder, dataDir: restored })).rejects.toThrow(message);
  await rm(join(folder, 'manifest.json'));
  await expect(restore({ folder, dataDir: restored })).rejects.toThrow(/has no readable manifest.json/u);
});
