import { createHash, randomBytes } from 'node:crypto';
import { GridFSBucket, MongoClient, ObjectId, type Db } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createFilesBucket, type S3FileStore } from '../../features/documents/files/s3-file-store.ts';
import { databaseName } from '../../platform/database/connection.ts';
import { s3Key, startS3Server, type S3Server } from '../../testing/s3/s3-server.ts';
import { newTestDatabase } from '../../testing/test-database.ts';
import { moveFiles } from './move-files.ts';

const uri = newTestDatabase();
let client: MongoClient;
let db: Db;
let server: S3Server;
let store: S3FileStore;
/** The files of each test: small, empty, and larger than a piece. */
const contents = [Buffer.from('one'), Buffer.alloc(0), randomBytes(1_500_000)];
let ids: ObjectId[];

beforeAll(async () => {
  server = await startS3Server('files-1');
  client = await MongoClient.connect(uri);
  db = client.db(databaseName(uri));
  const place = { endpoint: server.url, region: 'us-east-1', bucket: 'files-1', isPathStyle: true, prefix: '' };
  store = createFilesBucket({ ...place, key: s3Key }, { warn: () => undefined });
});
afterAll(async () => {
  await client.close();
  server.stop();
});
beforeEach(async () => {
  server.objects.clear();
  for (const name of ['files.files', 'files.chunks', 'documents']) await db.collection(name).deleteMany({});
  ids = [];
  for (const content of contents) {
    const upload = new GridFSBucket(db, { bucketName: 'files' }).openUploadStream('a name');
    upload.end(content);
    await new Promise((resolve) => upload.once('finish', resolve));
    ids.push(upload.id);
    await db.collection('documents').insertOne({ file_id: upload.id });
  }
});

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const hashes = contents.map(hashOf);
const inBucket = () => ids.map((id) => hashOf(Buffer.from(server.objects.get(id.toHexString()) ?? 'none')));
const inDatabase = async () =>
  await Promise.all(
    ids.map(async (id) => {
      const stream = new GridFSBucket(db, { bucketName: 'files' }).openDownloadStream(id);
      return hashOf(Buffer.concat(await stream.toArray()));
    }),
  );
const chunks = () => db.collection('files.chunks').countDocuments();

it('moves every file to the bucket and back', async () => {
  const bytes = 1_500_003;
  expect(await moveFiles({ db, store, direction: 'to' })).toEqual({ files: 3, bytes, missing: 0 });
  expect([inBucket(), await chunks()]).toEqual([hashes, 0]);
  expect(await moveFiles({ db, store, direction: 'to' })).toEqual({ files: 0, bytes: 0, missing: 0 });
  expect(await moveFiles({ db, store, direction: 'from' })).toEqual({ files: 3, bytes, missing: 0 });
  expect([await inDatabase(), server.objects.size]).toEqual([hashes, 0]);
  expect(await moveFiles({ db, store, direction: 'from' })).toEqual({ files: 0, bytes: 0, missing: 0 });
});

it('goes on after an interruption between files, and after one in the middle of a file', async () => {
  const stopping = new AbortController();
  const log = () => undefined;
  const stopAfterFirst: S3FileStore = {
    ...store,
    async putStream(id, sent) {
      await store.putStream(id, sent);
      stopping.abort();
    },
  };
  const options = { db, direction: 'to' as const, log };
  expect(await moveFiles({ ...options, store: stopAfterFirst, signal: stopping.signal })).toMatchObject({ files: 1 });
  // A process that ended after it had written the file, before it removed it from the database.
  await store.put(ids[1]!.toHexString(), contents[1]!, '');
  expect(await moveFiles({ ...options, store })).toMatchObject({ files: 2 });
  expect(inBucket()).toEqual(hashes);
  // A process that ended while it wrote into the database: some chunks, and no file.
  await db.collection('files.chunks').insertOne({ files_id: ids[2]!, n: 0, data: Buffer.from('half') });
  expect(await moveFiles({ db, store, direction: 'from' })).toMatchObject({ files: 3 });
  expect(await inDatabase()).toEqual(hashes);
});

it('leaves a file where it is if the bucket has other bytes than were written', async () => {
  const broken: S3FileStore = {
    ...store,
    async *open(id, range) {
      for await (const piece of store.open(id, range)) yield piece.map((byte) => byte ^ 1);
    },
  };
  await expect(moveFiles({ db, store: broken, direction: 'to' })).rejects.toThrow(/differs after it was written/u);
  expect([await inDatabase(), server.objects.size]).toEqual([hashes, 0]);
});

it('leaves nothing in the bucket of a document that was removed meanwhile', async () => {
  const racing: S3FileStore = {
    ...store,
    async putStream(id, sent) {
      await store.putStream(id, sent);
      if (id !== ids[0]!.toHexString()) return;
      await new GridFSBucket(db, { bucketName: 'files' }).delete(ids[0]!);
      await store.remove(id);
      await store.putStream(id, { ...sent, open: () => contents[0]! });
    },
  };
  await moveFiles({ db, store: racing, direction: 'to' });
  expect([...server.objects.keys()].toSorted()).toEqual([ids[1]!.toHexString(), ids[2]!.toHexString()].toSorted());
});

it('says how many files are in neither place', async () => {
  await db.collection('documents').insertOne({ file_id: new ObjectId() });
  expect(await moveFiles({ db, store, direction: 'from' })).toEqual({ files: 0, bytes: 0, missing: 1 });
});
