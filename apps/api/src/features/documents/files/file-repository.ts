import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import mongoose, { type Connection } from 'mongoose';
import { openDatabase } from '../../../platform/database/connection.ts';

/** Original bytes in GridFS. A file is reached only through the document that names it. */
export interface FileRepository {
  store(bytes: Uint8Array, name: string): Promise<string>;
  /** Streams the bytes from `start` up to and with `end`; all of them without a range. */
  open(fileId: string, range?: { start: number; end: number }): Readable;
  read(fileId: string): Promise<Buffer>;
  /** Removes the bytes; nothing happens where they are gone already. */
  remove(fileId: string): Promise<void>;
}

export function createFileRepository(connection: Connection): FileRepository {
  // The driver's database exists only once the connection is open, so the bucket is made when it is first used.
  const bucket = () => new mongoose.mongo.GridFSBucket(openDatabase(connection), { bucketName: 'files' });
  return {
    async store(bytes, name) {
      const upload = bucket().openUploadStream(name);
      upload.end(bytes);
      await finished(upload);
      return upload.id.toHexString();
    },
    open(fileId, range) {
      const options = range === undefined ? {} : { start: range.start, end: range.end + 1 };
      return bucket().openDownloadStream(new mongoose.Types.ObjectId(fileId), options);
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
    },
  };
}
