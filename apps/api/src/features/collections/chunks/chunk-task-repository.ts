import mongoose, { type Connection, type Types } from 'mongoose';
import { ignoreDuplicateKey } from '../../../platform/database/connection.ts';
import { createLeases, leaseFields, type StoredLease } from '../../../platform/leases/leases.ts';
import { field, modelOf, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';

/** `remove`: the collection is gone, and its chunks go. `move`: they move from a database collection of their own. */
type ChunkWork = 'remove' | 'move';

type ChunkTaskRecord = StoredRecord<typeof chunkTaskSchema>;

const chunkTaskSchema = recordSchema(
  {
    /** The collection. */
    _id: field.text,
    /** Absent while a collection moves: its record names it. */
    organization_id: field.objectId.optional(),
    work: field.oneOf<ChunkWork>(),
    lease: field.mixed<StoredLease>().optional(),
  },
  { collection: 'chunk_tasks' },
);
const chunkTaskModel = modelOf('ChunkTask', chunkTaskSchema);

/** Work on the chunks of one collection, which one process does at a time. */
export interface ChunkTask {
  collectionId: string;
  organizationId: string | undefined;
  work: ChunkWork;
  token: string;
}

const leaseMs = 30_000;

/** Notes what a job is to do with all chunks of a collection. A removal replaces a move. */
export async function noteChunkTask(
  connection: Connection,
  { organization_id, collection_id }: { organization_id?: Types.ObjectId; collection_id: Types.ObjectId },
  work: ChunkWork,
): Promise<void> {
  const task = { ...(organization_id && { organization_id }), work };
  const update = work === 'remove' ? { $set: task, $unset: { lease: 1 as const } } : { $setOnInsert: task };
  const filter = { _id: collection_id.toHexString() };
  await chunkTaskModel(connection).updateOne(filter, update, { upsert: true }).catch(ignoreDuplicateKey);
}

export function createChunkTaskRepository(connection: Connection) {
  const leases = createLeases<ChunkTaskRecord>(chunkTaskModel(connection).collection, leaseFields);
  const one = ({ collectionId }: ChunkTask) => ({ _id: collectionId }) as never;
  return {
    /** Claims a task of one of these kinds. */
    async claim(work: readonly ChunkWork[]): Promise<ChunkTask | undefined> {
      const filter = { work: { $in: [...work] } };
      const claim = await leases.claim(filter, { milliseconds: leaseMs, sort: { _id: 1 } });
      if (claim === undefined) return undefined;
      const { _id, organization_id, work: claimed } = claim.record;
      return {
        collectionId: _id,
        organizationId: organization_id?.toHexString(),
        work: claimed,
        token: claim.token,
      };
    },
    /** False if the lease is lost. */
    renew: async (task: ChunkTask): Promise<boolean> =>
      (await leases.renew(one(task), task.token, leaseMs)) !== undefined,
    release: (task: ChunkTask): Promise<boolean> => leases.release(one(task), task.token),
    /** Ends the task, unless another has replaced it. */
    async end(task: ChunkTask): Promise<void> {
      await chunkTaskModel(connection).deleteOne({ _id: task.collectionId, ...(leases.held(task.token) as object) });
    },
    note: (collectionId: string, work: ChunkWork, organization_id?: Types.ObjectId): Promise<void> =>
      noteChunkTask(
        connection,
        { collection_id: new mongoose.Types.ObjectId(collectionId), ...(organization_id && { organization_id }) },
        work,
      ),
  };
}
