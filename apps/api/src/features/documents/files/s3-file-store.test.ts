import { randomBytes } from 'node:crypto';
import type { Document, TrashedDocument } from '@docwright/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startMoto } from '../../../testing/s3/moto-server.ts';
import { s3Key, startS3Server, type S3Server } from '../../../testing/s3/s3-server.ts';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createDatabaseFileStore } from './stored-file-repository.ts';
import { createFileRepository } from './file-repository.ts';
import { FileMissing } from './file-store.ts';
import { createFilesBucket, type S3FileStore } from './s3-file-store.ts';

const id = '0123456789abcdef01234567';
const large = randomBytes(2_500_000);
const placeAt = (endpoint: string, secretAccessKey = s3Key.secretAccessKey) => ({
  endpoint,
  region: 'us-east-1',
  bucket: 'files-1',
  isPathStyle: true,
  prefix: 'docwright/',
  key: { ...s3Key, secretAccessKey },
});

async function bytesOf(store: Pick<S3FileStore, 'open'>, start: number, end: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of store.open(id, { start, end })) {
    expect(piece.byteLength).toBeLessThanOrEqual(1024 * 1024);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function describeStore(name: string, open: () => Promise<{ endpoint: string; stop: () => void }>): void {
  describe(name, () => {
    let store: S3FileStore;
    let stop: () => void;
    beforeAll(async () => {
      const server = await open();
      stop = server.stop;
      store = createFilesBucket(placeAt(server.endpoint), { warn: () => undefined });
    }, 30_000);
    afterAll(() => stop());

    it('stores a file, gives all of it or a part, and removes it', async () => {
      await store.check();
      await store.put(id, large, 'a name.pdf');
      expect(await store.size(id)).toBe(large.byteLength);
      expect((await store.read(id)).equals(large)).toBe(true);
      expect((await bytesOf(store, 0, large.byteLength - 1)).equals(large)).toBe(true);
      expect((await bytesOf(store, 1_048_570, 1_048_580)).equals(large.subarray(1_048_570, 1_048_581))).toBe(true);
      await store.remove(id);
      await store.remove(id);
      expect(await store.size(id)).toBeUndefined();
      await expect(store.read(id)).rejects.toThrow(FileMissing);
      await expect(bytesOf(store, 0, 1)).rejects.toThrow(FileMissing);
    });

    it('stores an empty file', async () => {
      await store.put(id, new Uint8Array(), 'empty.txt');
      expect([(await store.read(id)).byteLength, await store.size(id)]).toEqual([0, 0]);
      await store.remove(id);
    });

    it('stores a stream whose bytes are those that it was announced with', async () => {
      const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
      async function* open() {
        yield Buffer.from('a');
        yield Buffer.from('bc');
      }
      await store.putStream(id, { bytes: 3, sha256, open });
      expect((await store.read(id)).toString()).toBe('abc');
      await store.remove(id);
    });
  });
}

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server('files-1');
});
afterAll(() => server.stop());
beforeEach(() => {
  server.objects.clear();
  server.failures.length = 0;
  server.keepsVersions = false;
});

describeStore('a bucket of a server that checks signatures and hashes', async () => {
  const own = await startS3Server('files-1');
  return { endpoint: own.url, stop: () => own.stop() };
});
describe.runIf(startMoto.isInstalled)('moto', () => {
  describeStore('a bucket of the S3 server of moto', async () => await startMoto('files-1', s3Key));
});

it('refuses other bytes than were announced', async () => {
  const store = createFilesBucket(placeAt(server.url), { warn: () => undefined });
  const open = () => Buffer.from('abd');
  const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  await expect(store.putStream(id, { bytes: 3, sha256, open })).rejects.toMatchObject({ code: 'files_unavailable' });
  expect(server.objects.size).toBe(0);
});

it('tries again while the server is busy, and says what does not work', async () => {
  const store = createFilesBucket(placeAt(server.url), { warn: () => undefined });
  server.failures.push(503, 500);
  await store.put(id, Buffer.from('x'), 'x');
  expect([...server.objects.keys()]).toEqual([`docwright/${id}`]);
  const code = { kind: 'not_ready', code: 'files_unavailable' };
  const other = createFilesBucket(placeAt(server.url, 'another secret'), { warn: () => undefined });
  await expect(other.check()).rejects.toMatchObject({
    ...code,
    message: expect.stringContaining('SignatureDoesNotMatch'),
  });
  const nowhere = createFilesBucket({ ...placeAt(server.url), bucket: 'files-2' }, { warn: () => undefined });
  await expect(nowhere.read(id)).rejects.toMatchObject({
    ...code,
    message: expect.stringContaining('NoSuchBucket'),
  });
});

it('says of a removed file that the bucket keeps it', async () => {
  const kept: object[] = [];
  const store = createFilesBucket(placeAt(server.url), { warn: (fields) => void kept.push(fields) });
  await store.put(id, Buffer.from('x'), 'x');
  expect(await store.keepsVersions()).toBe(false);
  await store.remove(id);
  server.keepsVersions = true;
  expect(await store.keepsVersions()).toBe(true);
  await store.remove(id);
  expect(kept).toEqual([{ file_id: id }]);
});

describe('a product with FILES_URL', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({
      settings: {
        FILES_URL: `s3://files-1/docwright?endpoint=${server.url}`,
        FILES_ACCESS_KEY_ID: s3Key.accessKeyId,
        FILES_SECRET_ACCESS_KEY: s3Key.secretAccessKey,
      },
    });
  });
  afterAll(async () => app.stop());

  async function upload(text: string): Promise<Document> {
    const content = Buffer.from(text).toString('base64');
    const { body, status } = await app.admin.post<{ documents: [Document] }>('./documents', {
      documents: [{ name: 'note.txt', content }],
    });
    expect(status).toBe(201);
    return body.documents[0];
  }
  const inDatabase = () => app.connection.collection('files.files').countDocuments();
  const readTexts = () => app.services.documents.textReading.readAll(new AbortController().signal);

  it('stores, reads, shows and removes files there alone', async () => {
    const { id } = await upload('Invoice INV-7');
    expect([server.objects.size, await inDatabase()]).toEqual([1, 0]);
    await readTexts();
    expect((await app.admin.get<Document>(`./documents/${id}`)).body).toMatchObject({ state: 'ocr_completed' });
    const headers = { range: 'bytes=8-10' };
    const part = await app.admin.request('GET', `./documents/${id}/file`, { headers });
    expect([part.status, part.text]).toEqual([206, 'INV']);
    await app.admin.delete(`./documents/${id}`);
    const trash = await app.admin.get<{ documents: TrashedDocument[] }>('./documents/trash');
    expect(trash.body).not.toHaveProperty('keeps_removed_files');
    await app.admin.delete(`./documents/trash/${id}`);
    expect(server.objects.size).toBe(0);
  });

  it('still reads what is in the database, also if it is moved in the middle', async () => {
    const before = createFileRepository(app.connection);
    const bucket = createFilesBucket(placeAt(server.url), { warn: () => undefined });
    const files = createFileRepository(app.connection, bucket);
    const file = await before.store(large, 'large.bin');
    expect((await files.read(file)).equals(large)).toBe(true);
    const database = createDatabaseFileStore(app.connection);
    const pieces: Buffer[] = [];
    for await (const piece of files.open(file, { start: 100, end: large.byteLength - 1 })) {
      pieces.push(piece as Buffer);
      if (pieces.length > 1) continue;
      await bucket.put(file, large, '');
      await database.remove(file);
    }
    expect(Buffer.concat(pieces).equals(large.subarray(100))).toBe(true);
    await files.remove(file);
    await expect(files.read(file)).rejects.toThrow(FileMissing);
    expect([server.objects.size, await inDatabase()]).toEqual([0, 0]);
  });

  it('reads a document later if the bucket does not answer, and says so to who asks for the file', async () => {
    const { id } = await upload('Later');
    server.failures.push(503, 503, 503, 503);
    await expect(readTexts()).rejects.toMatchObject({ code: 'files_unavailable' });
    expect((await app.admin.get<Document>(`./documents/${id}`)).body).toMatchObject({ state: 'uploaded' });
    await readTexts();
    expect((await app.admin.get<Document>(`./documents/${id}`)).body).toMatchObject({ state: 'ocr_completed' });
  });

  it('says in the trash that the bucket keeps what is removed', async () => {
    server.keepsVersions = true;
    const other = await startTestApp({
      settings: {
        FILES_URL: `s3://files-1/docwright?endpoint=${server.url}`,
        FILES_ACCESS_KEY_ID: s3Key.accessKeyId,
        FILES_SECRET_ACCESS_KEY: s3Key.secretAccessKey,
      },
    });
    const { body } = await other.admin.get('./documents/trash');
    expect(body).toMatchObject({ keeps_removed_files: true });
    await other.stop();
  });
});
