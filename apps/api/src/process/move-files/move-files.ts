import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GridFSBucket, ObjectId, type Db } from 'mongodb';
import type { S3FileStore } from '../../features/documents/files/s3-file-store.ts';
import { StartError } from '../start-error.ts';

interface MoveFilesOptions {
  db: Db;
  store: S3FileStore;
  /** `to` the bucket from the database, or back `from` it. */
  direction: 'to' | 'from';
  /** Stops between two files. */
  signal?: AbortSignal;
  log?: (line: string) => void;
}

/** What was moved by this call. */
interface MovedFiles {
  files: number;
  bytes: number;
  /** Files that documents name, and that are in neither place. */
  missing: number;
}

const batchSize = 100;
const filesPerLine = 100;

/**
 * Moves the documents' files one after another. Each is written, read back and compared by its SHA-256, and only then
 * removed from where it was. A repeated call goes on where the last one ended, also after a kill.
 *
 * @throws StartError if a file differs after it was written; it stays where it was.
 */
export async function moveFiles({ db, store, direction, signal, log }: MoveFilesOptions): Promise<MovedFiles> {
  const bucket = new GridFSBucket(db, { bucketName: 'files' });
  const moved: MovedFiles = { files: 0, bytes: 0, missing: 0 };
  const ids = direction === 'to' ? storedIds(db) : namedIds(db);
  for await (const id of ids) {
    if (signal?.aborted) break;
    const bytes =
      direction === 'to' ? await moveToBucket(db, bucket, store, id) : await moveBack(db, bucket, store, id);
    if (bytes === 'missing') moved.missing += 1;
    if (typeof bytes !== 'number') continue;
    moved.files += 1;
    moved.bytes += bytes;
    if (moved.files % filesPerLine === 0) log?.(`${moved.files} files, ${Math.round(moved.bytes / 1_000_000)} MB`);
  }
  return moved;
}

type Outcome = number | 'missing' | 'there';

async function moveToBucket(db: Db, bucket: GridFSBucket, store: S3FileStore, id: ObjectId): Promise<Outcome> {
  const file = await db.collection('files.files').findOne({ _id: id });
  // It was removed since it was listed.
  if (file === null) return 'there';
  const size = Number(file['length']);
  const read = () => bucket.openDownloadStream(id);
  const sha256 = await hashOf(read());
  await store.putStream(id.toHexString(), { bytes: size, sha256, open: read });
  await requireSame(sha256, await hashOf(contentOf(store, id, size)), id, () => store.remove(id.toHexString()));
  // A document that was removed meanwhile has no file any more: neither may the bucket.
  if (!(await removeFromDatabase(bucket, id))) await store.remove(id.toHexString());
  return size;
}

async function moveBack(db: Db, bucket: GridFSBucket, store: S3FileStore, id: ObjectId): Promise<Outcome> {
  const key = id.toHexString();
  const size = await store.size(key);
  const isThere = (await db.collection('files.files').findOne({ _id: id })) !== null;
  if (size === undefined) return isThere ? 'there' : 'missing';
  // What an interrupted call has written might be incomplete.
  if (isThere) await removeFromDatabase(bucket, id);
  else await db.collection('files.chunks').deleteMany({ files_id: id });
  const hash = createHash('sha256');
  await pipeline(
    Readable.from(contentOf(store, id, size), { objectMode: false }),
    async function* (pieces: AsyncIterable<Uint8Array>) {
      for await (const piece of pieces) {
        hash.update(piece);
        yield piece;
      }
    },
    bucket.openUploadStreamWithId(id, key),
  );
  const written = await hashOf(bucket.openDownloadStream(id));
  await requireSame(hash.digest('hex'), written, id, () => removeFromDatabase(bucket, id));
  await store.remove(key);
  return size;
}

/** The whole file. An empty one has no range. */
async function* contentOf(store: S3FileStore, id: ObjectId, size: number): AsyncGenerator<Uint8Array> {
  if (size > 0) yield* store.open(id.toHexString(), { start: 0, end: size - 1 });
  else yield await store.read(id.toHexString());
}

async function hashOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of content) hash.update(piece);
  return hash.digest('hex');
}

async function requireSame(one: string, other: string, id: ObjectId, undo: () => Promise<unknown>): Promise<void> {
  if (one === other) return;
  await undo();
  throw new StartError(`The file ${id.toHexString()} differs after it was written; it stays where it was.`);
}

/** Whether it was there. */
async function removeFromDatabase(bucket: GridFSBucket, id: ObjectId): Promise<boolean> {
  try {
    await bucket.delete(id);
    return true;
  } catch (error) {
    if (error instanceof Error && /not found/iu.test(error.message)) return false;
    throw error;
  }
}

/** The files in the database. New ones are found too. */
async function* storedIds(db: Db): AsyncGenerator<ObjectId> {
  for (let last: ObjectId | undefined; ;) {
    const after = last === undefined ? {} : { _id: { $gt: last } };
    const found = await db
      .collection('files.files')
      .find(after, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(batchSize)
      .toArray();
    for (const { _id } of found) yield _id;
    last = found.at(-1)?._id;
    if (last === undefined) return;
  }
}

/** The files of all documents, those in the trash too, and of uploads that have not ended. */
async function* namedIds(db: Db): AsyncGenerator<ObjectId> {
  for (let last: ObjectId | undefined; ;) {
    const after = last === undefined ? {} : { _id: { $gt: last } };
    const found = await db
      .collection('documents')
      .find(after, { projection: { file_id: 1 } })
      .sort({ _id: 1 })
      .limit(batchSize)
      .toArray();
    for (const { file_id } of found) if (file_id instanceof ObjectId) yield file_id;
    last = found.at(-1)?._id;
    if (last === undefined) break;
  }
  for await (const { _id } of db.collection('pending_uploads').find({}, { projection: { _id: 1 } })) yield _id;
}
