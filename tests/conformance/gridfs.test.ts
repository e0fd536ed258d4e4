import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { startTestDatabase, type TestDatabase } from '@docwright/embedded-mongo/testing';
import { GridFSBucket, MongoClient, type ObjectId } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';

let database: TestDatabase;
let client: MongoClient;
let bucket: GridFSBucket;

beforeAll(async () => {
  database = await startTestDatabase();
  client = await new MongoClient(database.uri).connect();
  bucket = new GridFSBucket(client.db('files'));
});

afterAll(async () => {
  await client.close();
  await database.stop();
});

async function upload(name: string, bytes: Buffer): Promise<ObjectId> {
  const stream = bucket.openUploadStream(name, { metadata: { name } });
  stream.end(bytes);
  await new Promise((resolve, reject) => stream.on('finish', resolve).on('error', reject));
  return stream.id;
}

test('files of all sizes are read back byte for byte, several at a time', async () => {
  const files = await Promise.all(
    [0, 1, 255 * 1024, 255 * 1024 + 1, 5_000_000].map(async (size) => {
      const bytes = randomBytes(size);
      return { id: await upload(`file ${size}`, bytes), bytes };
    }),
  );
  for (const { id, bytes } of files) expect((await buffer(bucket.openDownloadStream(id))).equals(bytes)).toBe(true);
});

test('a range of a file, its listing, its new name and its removal', async () => {
  const bytes = randomBytes(1_000_000);
  const id = await upload('range', bytes);
  const range = await buffer(bucket.openDownloadStream(id, { start: 300_000, end: 700_001 }));
  expect(range.equals(bytes.subarray(300_000, 700_001))).toBe(true);
  await bucket.rename(id, 'renamed');
  expect(await bucket.find({ filename: 'renamed' }).toArray()).toMatchObject([
    { length: 1_000_000, metadata: { name: 'range' } },
  ]);
  await bucket.delete(id);
  await expect(buffer(bucket.openDownloadStream(id))).rejects.toThrow('FileNotFound');
  expect(await client.db('files').collection('fs.chunks').countDocuments({ files_id: id })).toBe(0);
});
