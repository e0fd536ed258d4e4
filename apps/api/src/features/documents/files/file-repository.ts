import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import mongoose, { type Connection } from 'mongoose';
import { openDatabase } from '../../../platform/database/connection.ts';
import { objectIdsOf } from '../../../platform/database/object-id.ts';

/** Original bytes in GridFS. A file is only read through the document that names it. */
export interface FileRepository {
  /** Stores a file and marks it as pending until `settle`, so that a sweep removes it if the process dies before. */
  store(bytes: Uint8Array, name: string): Promise<string>;
  /** Documents name these files now: they are no longer pending. */
  settle(fileIds: readonly string[]): Promise<void>;
  /** Pending files whose upload started before `before`. */
  listUnsettled(before: Date, limit: number): Promise<string[]>;
  /**
   * Streams the bytes `start` to `end`, inclusive. Each megabyte is read once the previous one is consumed and no cursor
   * stays open, so that a stalled reader costs one megabyte.
   */
  open(fileId: string, range: { start: number; end: number }): Readable;
  read(fileId: string): Promise<Buffer>;
  /** Removes the bytes, if they exist. */
  remove(fileId: string): Promise<void>;
}

interface PendingUpload {
  /** The id of the file. */
  _id: mongoose.Types.ObjectId;
  begun_at: Date;
}

export function createFileRepository(connection: Connection): FileRepository {
  // The driver's database exists only once the connection is open, so the bucket is created on each use.
  const bucket = () => new mongoose.mongo.GridFSBucket(openDatabase(connection), { bucketName: 'files' });
  const pending = () => openDatabase(connection).collection<PendingUpload>('pending_uploads');
  return {
    async store(bytes, name) {
      const id = new mongoose.Types.ObjectId();
      await pending().insertOne({ _id: id, begun_at: new Date() });
      const upload = bucket().openUploadStreamWithId(id, name);
      upload.end(bytes);
      await finished(upload);
      return id.toHexString();
    },
    async settle(fileIds) {
      await pending().deleteMany({ _id: { $in: objectIdsOf(fileIds) } });
    },
    async listUnsettled(before, limit) {
      const found = await pending()
        .find({ begun_at: { $lt: before } })
        .sort({ begun_at: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id.toHexString());
    },
    open(fileId, range) {
      const id = new mongoose.Types.ObjectId(fileId);
      return Readable.from(readRange(openDatabase(connection), id, range), { objectMode: false, highWaterMark: 1 });
    },
    async read(fileId) {
      const chunks: Buffer[] = await bucket().openDownloadStream(new mongoose.Types.ObjectId(fileId)).toArray();
      return Buffer.concat(chunks);
    },
    async remove(fileId) {
      try {
        await bucket().delete(new mongoose.Types.ObjectId(fileId));
      } catch (error) {
        if (!(error instanceof mongoose.mongo.MongoRuntimeError && /not found/i.test(error.message))) throw error;
      }
      await pending().deleteOne({ _id: new mongoose.Types.ObjectId(fileId) });
    },
  };
}

/** How many chunks of GridFS (255 kB each) one query reads. */
const chunksPerQuery = 4;

async function* readRange(
  database: mongoose.mongo.Db,
  id: mongoose.Types.ObjectId,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Uint8Array> {
  const file = await database.collection('files.files').findOne({ _id: id });
  if (file === null) throw new Error('the file of a document is missing');
  const chunkSize: number = file['chunkSize'];
  const chunks = database.collection('files.chunks');
  const last = Math.floor(end / chunkSize);
  for (let first = Math.floor(start / chunkSize); first <= last; first += chunksPerQuery) {
    const until = Math.min(first + chunksPerQuery, last + 1);
    const found = await chunks
      .find({ files_id: id, n: { $gte: first, $lt: until } })
      .sort({ n: 1 })
      .toArray();
    if (found.length !== until - first) throw new Error('a chunk of a file is missing');
    for (const { n, data } of found as unknown as { n: number; data: mongoose.mongo.Binary }[]) {
      const offset = n * chunkSize;
      yield data.buffer.subarray(Math.max(0, start - offset), end + 1 - offset);
    }
  }
}
