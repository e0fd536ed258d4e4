import { finished } from 'node:stream/promises';
import mongoose, { type Connection } from 'mongoose';
import { openDatabase } from '../../../platform/database/connection.ts';
import { FileMissing, type FileStore } from './file-store.ts';

/** How many chunks of GridFS (255 kB each) one query reads. */
const chunksPerQuery = 4;

const notFound = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoRuntimeError && /not found/i.test(error.message);

/** Files in the database, in GridFS. */
export function createDatabaseFileStore(connection: Connection): FileStore {
  /** The bucket of a database that has stored a file. Only the first file of a bucket looks whether its indexes are there. */
  const checked = new WeakMap<object, mongoose.mongo.GridFSBucket>();
  // The driver's database exists only once the connection is open.
  const bucket = () => {
    const database = openDatabase(connection);
    return checked.get(database) ?? new mongoose.mongo.GridFSBucket(database, { bucketName: 'files' });
  };
  return {
    async put(id, bytes, name) {
      const used = bucket();
      const upload = used.openUploadStreamWithId(new mongoose.Types.ObjectId(id), name);
      upload.end(bytes);
      await finished(upload);
      checked.set(openDatabase(connection), used);
    },
    async read(id) {
      try {
        const stream = bucket().openDownloadStream(new mongoose.Types.ObjectId(id));
        let length = 0;
        stream.once('file', (file) => (length = file.length));
        const chunks: Buffer[] = await stream.toArray();
        const bytes = Buffer.concat(chunks);
        // The driver ends at the first chunk that is missing as at the last one.
        if (bytes.length !== length) throw new FileMissing('a chunk of a file is missing');
        return bytes;
      } catch (error) {
        throw isMissing(error) ? new FileMissing('the file of a document is missing') : error;
      }
    },
    async *open(fileId, { start, end }) {
      const id = new mongoose.Types.ObjectId(fileId);
      const database = openDatabase(connection);
      const file = await database.collection('files.files').findOne({ _id: id });
      if (file === null) throw new FileMissing('the file of a document is missing');
      const chunkSize: number = file['chunkSize'];
      const chunks = database.collection('files.chunks');
      const last = Math.floor(end / chunkSize);
      for (let first = Math.floor(start / chunkSize); first <= last; first += chunksPerQuery) {
        const until = Math.min(first + chunksPerQuery, last + 1);
        const found = await chunks
          .find({ files_id: id, n: { $gte: first, $lt: until } })
          .sort({ n: 1 })
          .toArray();
        if (found.length !== until - first) throw new FileMissing('a chunk of a file is missing');
        for (const { n, data } of found as unknown as { n: number; data: mongoose.mongo.Binary }[]) {
          const offset = n * chunkSize;
          yield data.buffer.subarray(Math.max(0, start - offset), end + 1 - offset);
        }
      }
    },
    async remove(id) {
      try {
        await bucket().delete(new mongoose.Types.ObjectId(id));
      } catch (error) {
        if (!notFound(error)) throw error;
      }
    },
  };
}

/** Chunks that are removed while a file is read are missing too. */
function isMissing(error: unknown): boolean {
  return notFound(error) || error instanceof mongoose.mongo.MongoGridFSChunkError;
}
