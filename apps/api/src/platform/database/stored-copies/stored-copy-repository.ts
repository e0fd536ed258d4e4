import { crc32 } from 'node:zlib';
import mongoose, { type Connection, type Types } from 'mongoose';
import { storedCopyModel, storedCopyPieceModel } from './stored-copy-model.ts';

/** A copy that a process keeps in memory. */
export interface StoredCopyKey {
  organizationId: string;
  /** What it is a copy of. */
  name: string;
  /** One of several copies of the same records. */
  part?: string | undefined;
  /** Another format is not read. */
  format: number;
}

interface StoredCopy<State> {
  state: State;
  writtenAt: Date;
  /** Throws if one is missing or damaged: the copy is of no use then. */
  pieces(): AsyncIterable<Buffer>;
}

/**
 * Copies that processes keep in memory, stored in pieces of up to some megabytes, so that a process that starts does not compute them
 * from all their records. A copy can be missing, and older than its records.
 */
export type StoredCopies = ReturnType<typeof createStoredCopies>;

/** Pieces that are read at once, while those before are processed. */
const readAtOnce = 4;

export function createStoredCopies(connection: Connection) {
  const copies = storedCopyModel(connection);
  const stored = storedCopyPieceModel(connection).collection;

  const objectId = (id: string) => new mongoose.Types.ObjectId(id);
  const filterOf = ({ organizationId, name, part = '' }: StoredCopyKey) => ({
    organization_id: objectId(organizationId),
    name,
    part,
  });
  const removePieces = async (organization_id: Types.ObjectId, pieces_id: Types.ObjectId): Promise<void> =>
    void (await stored.deleteMany({ organization_id, pieces_id }));

  async function* piecesOf(organization_id: Types.ObjectId, pieces_id: Types.ObjectId, count: number) {
    const read = (at: number) =>
      stored
        .find({ organization_id, pieces_id, at: { $gte: at, $lt: at + readAtOnce } })
        .sort({ at: 1 })
        .toArray();
    let next = read(0);
    for (let at = 0; at < count; at += readAtOnce) {
      const found = await next;
      next = read(at + readAtOnce);
      next.catch(() => undefined);
      if (found.length !== Math.min(readAtOnce, count - at)) throw new Error('A piece of a stored copy is missing.');
      for (const { bytes, checksum } of found) {
        const piece = Buffer.from((bytes as mongoose.mongo.Binary).buffer);
        if (crc32(piece) !== checksum) throw new Error('A piece of a stored copy is damaged.');
        yield piece;
      }
    }
  }

  return {
    async find<State>(key: StoredCopyKey): Promise<StoredCopy<State> | undefined> {
      const found = await copies.findOne({ ...filterOf(key), format: key.format }).lean();
      if (found === null) return undefined;
      const { organization_id, state, written_at, pieces_id, pieces } = found;
      return {
        state: state as State,
        writtenAt: written_at,
        pieces: () => piecesOf(organization_id, pieces_id, pieces),
      };
    },
    /** Replaces the stored copy, once all pieces are stored. Returns when it was written. */
    async store(key: StoredCopyKey, state: unknown, pieces: AsyncIterable<Buffer>): Promise<Date> {
      const own = filterOf(key);
      const { organization_id } = own;
      const pieces_id = new mongoose.Types.ObjectId();
      let count = 0;
      const write = async () => {
        for await (const bytes of pieces) {
          const checksum = crc32(bytes);
          await stored.insertOne({ organization_id, pieces_id, at: count, bytes, checksum, written_at: new Date() });
          count += 1;
        }
        const set = { format: key.format, state, pieces_id, pieces: count, written_at: new Date() };
        const former = await copies.findOneAndUpdate(own, { $set: set }, { upsert: true }).lean();
        return { former, writtenAt: set.written_at };
      };
      const { former, writtenAt } = await write().catch(async (error: unknown) => {
        await removePieces(organization_id, pieces_id).catch(() => undefined);
        throw error;
      });
      if (former) await removePieces(organization_id, former.pieces_id);
      return writtenAt;
    },
    /** Removes all copies of these records. */
    async remove(organizationId: string, name: string): Promise<void> {
      const own = { organization_id: objectId(organizationId), name };
      for (;;) {
        const removed = await copies.findOneAndDelete(own).lean();
        if (removed === null) return;
        await removePieces(removed.organization_id, removed.pieces_id);
      }
    },
  };
}
