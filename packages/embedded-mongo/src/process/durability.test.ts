import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient, type Collection } from 'mongodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startEmbeddedMongo } from './start.ts';

// A busy machine can be slow.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const rounds = 4;
const writers = 6;

interface Entry {
  _id: string;
  key: string;
  tags: string[];
}

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'docwright-durability-'));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Writes until the server is gone and returns the last acknowledged state, by id. */
async function writeUntilKilled(entries: Collection<Entry>, prefix: string, acknowledged: Map<string, string>) {
  for (let count = 0; ; count++) {
    const id = `${prefix}-${count}`;
    const tags = [`tag-${count % 7}`, 'all'];
    try {
      await entries.insertOne({ _id: id, key: `new-${id}`, tags });
      acknowledged.set(id, `new-${id}`);
      if (count % 3 === 0) {
        await entries.updateOne({ _id: id }, { $set: { key: `changed-${id}` } });
        acknowledged.set(id, `changed-${id}`);
      }
    } catch {
      // The write in flight is allowed to be stored or lost.
      acknowledged.delete(id);
      return;
    }
  }
}

async function checkIndexes(entries: Collection<Entry>): Promise<void> {
  const everything = await entries.find({}, { hint: { $natural: 1 } }).toArray();
  expect(await entries.find({ key: { $gte: '' } }, { hint: { key: 1 } }).toArray()).toHaveLength(everything.length);
  expect(await entries.find({ tags: 'all' }, { hint: { tags: 1 } }).toArray()).toHaveLength(everything.length);
}

test('a server killed at any moment has stored every write that it acknowledged', async () => {
  const acknowledged = new Map<string, string>();
  const database = await startEmbeddedMongo({ dataDir });
  for (let round = 0; round < rounds; round++) {
    const options = { serverSelectionTimeoutMS: 20_000, retryWrites: false };
    const clients = await Promise.all(
      Array.from({ length: writers }, () => new MongoClient(database.uri, options).connect()),
    );
    const entries = clients.map((client) => client.db('test').collection<Entry>('entries'));
    await entries[0]!.createIndexes([{ key: { key: 1 }, unique: true }, { key: { tags: 1 } }]);
    await checkIndexes(entries[0]!);
    const writing = entries.map((collection, writer) =>
      writeUntilKilled(collection, `${round}-${writer}`, acknowledged),
    );
    await wait(150 + Math.random() * 300);
    const { pid } = database;
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => database.pid, { timeout: 20_000 }).not.toBe(pid);
    await Promise.all(writing);
    await Promise.all(clients.map((client) => client.close()));
  }
  expect(acknowledged.size).toBeGreaterThan(rounds);

  const client = await new MongoClient(database.uri).connect();
  const entries = client.db('test').collection<Entry>('entries');
  const stored = new Map((await entries.find().toArray()).map(({ _id, key }) => [_id, key]));
  const lost = [...acknowledged].filter(([id, key]) => stored.get(id) !== key);
  expect(lost).toEqual([]);
  await checkIndexes(entries);
  await client.close();
  await database.stop();
});
