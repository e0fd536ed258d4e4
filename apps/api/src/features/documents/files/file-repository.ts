import { Readable } from 'node:stream';
import mongoose, { type Connection } from 'mongoose';
import { openDatabase } from '../../../platform/database/connection.ts';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import { createDatabaseFileStore } from './stored-file-repository.ts';
import { FileMissing, type ByteRange, type FileStore } from './file-store.ts';

/** Original bytes, in the database or in a bucket. A file is only read through the document that names it. */
export type FileRepository = ReturnType<typeof createFileRepository>;

interface PendingUpload {
  /** The id of the file. */
  _id: mongoose.Types.ObjectId;
  begun_at: Date;
  /** The organization that stores pages under the id of the file. */
  pages_in?: mongoose.Types.ObjectId;
}

/** A file that no document names yet. */
export interface UnsettledFile {
  fileId: string;
  /** The organization that can have stored pages under the id of the file. */
  pagesIn?: string;
}

/** A bucket that may keep former versions. */
type BucketStore = FileStore & { keepsVersions(): Promise<boolean | undefined> };

/** Buckets rarely change it. */
const versionsKnownMs = 10 * 60_000;

/**
 * @param bucket Where new files go. Files that are in the database stay readable there, until they are moved.
 */
export function createFileRepository(connection: Connection, bucket?: BucketStore) {
  const pending = () => openDatabase(connection).collection<PendingUpload>('pending_uploads');
  const database = createDatabaseFileStore(connection);
  const target = bucket ?? database;
  // A file can be moved into the bucket between the two looks: it is looked for there again.
  const places = bucket === undefined ? [database] : [bucket, database, bucket];
  let keeps: { at: number; known: Promise<boolean> } | undefined;
  return {
    /** Whether removed bytes stay in the bucket as former versions; false if that is not known. */
    async keepsRemoved(): Promise<boolean> {
      if (bucket === undefined) return false;
      if (keeps === undefined || Date.now() - keeps.at > versionsKnownMs) {
        const known = bucket.keepsVersions().then(
          (found) => found === true,
          () => false,
        );
        keeps = { at: Date.now(), known };
      }
      return await keeps.known;
    },
    /**
     * Stores a file and marks it as pending until `settle`, so that a sweep removes it if the process dies before.
     * @param pagesIn The organization that stores pages under the id of the file meanwhile, which the sweep removes too.
     */
    async store(bytes: Uint8Array, name: string, pagesIn?: string): Promise<string> {
      const id = new mongoose.Types.ObjectId();
      const pages_in = pagesIn === undefined ? {} : { pages_in: new mongoose.Types.ObjectId(pagesIn) };
      await pending().insertOne({ _id: id, begun_at: new Date(), ...pages_in });
      await target.put(id.toHexString(), bytes, name);
      return id.toHexString();
    },
    /** Documents name these files now: they are no longer pending. */
    async settle(fileIds: readonly string[]): Promise<void> {
      await pending().deleteMany({ _id: { $in: objectIdsOf(fileIds) } });
    },
    /** Pending files whose upload started before `before`. */
    async listUnsettled(before: Date, limit: number): Promise<UnsettledFile[]> {
      const found = await pending()
        .find({ begun_at: { $lt: before } })
        .sort({ begun_at: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, pages_in }) => ({
        fileId: _id.toHexString(),
        ...(pages_in && { pagesIn: pages_in.toHexString() }),
      }));
    },
    /**
     * Streams the bytes `start` to `end`, inclusive. Each megabyte is read once the previous one is consumed and nothing
     * stays open, so that a stalled reader costs one megabyte.
     */
    open(fileId: string, range: ByteRange): Readable {
      return Readable.from(piecesOf(places, fileId, range), { objectMode: false, highWaterMark: 1 });
    },
    async read(fileId: string): Promise<Buffer> {
      for (const place of places) {
        try {
          return await place.read(fileId);
        } catch (error) {
          if (!(error instanceof FileMissing)) throw error;
        }
      }
      throw new FileMissing('the file of a document is missing');
    },
    /** Removes the bytes, if they exist. */
    async remove(fileId: string): Promise<void> {
      // The database first: a move that finds nothing to remove there removes what it has put into the bucket.
      await database.remove(fileId);
      await bucket?.remove(fileId);
      await pending().deleteOne({ _id: new mongoose.Types.ObjectId(fileId) });
    },
  };
}

/** Goes on in the next place where one has no more of the file, since it can be moved while it is read. */
async function* piecesOf(places: readonly FileStore[], id: string, { start, end }: ByteRange) {
  let at = start;
  for (const place of places) {
    try {
      for await (const piece of place.open(id, { start: at, end })) {
        at += piece.byteLength;
        yield piece;
      }
      return;
    } catch (error) {
      if (!(error instanceof FileMissing)) throw error;
    }
  }
  throw new FileMissing('the file of a document is missing');
}
