import mongoose, { type Connection, type Types } from 'mongoose';
import { isDuplicateKey, openDatabase } from '../../platform/database/connection.ts';
import { objectIdOf } from '../../platform/database/object-id.ts';
import { workUnderLeases, type HeldLease } from '../../platform/leases/leased-work.ts';
import { createChunkIndexes, isMoved, movedIdOf } from './chunks/chunk-index-repository.ts';
import { chunkModel, type ChunkRecord } from './chunks/chunk-model.ts';
import { createChunkTaskRepository, type ChunkTask } from './chunks/chunk-task-repository.ts';
import { formerChunksOf, readFormerPlaces, type FormerChunk } from './chunks/former-chunk-repository.ts';
import { collectionModel, entryModel } from './collection-model.ts';

interface ChunkWorkDependencies {
  connection: Connection;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** Chunks that are removed in one step. */
const chunksPerStep = 1_000;
const renewEveryMs = 5_000;

const placeOrder = { organization_id: 1, collection_id: 1 } as const;

interface Place {
  organization_id: Types.ObjectId;
  collection_id: Types.ObjectId;
}

/**
 * Returns work on all chunks of a collection, in steps that can be repeated: it removes those of removed collections, and moves
 * those that a former release keeps in a database collection for each collection to that of all. Any number of processes can do so.
 */
export function createChunkWork({ connection, log }: ChunkWorkDependencies) {
  // By the driver: the ids are texts, which its types do not expect of a model.
  const chunks = openDatabase(connection).collection<ChunkRecord>(chunkModel(connection).collection.name);
  const collections = collectionModel(connection);
  const entries = entryModel(connection);
  const tasks = createChunkTaskRepository(connection);
  const indexes = createChunkIndexes(connection);
  /** Collections with chunks that cannot be read: they stay where they are, and are tried again by the next process. */
  const unreadable = new Set<string>();
  let isPrepared = false;
  let hasLookedForRemoved = false;

  /** Notes the collections whose chunks stand apart. Returns whether they may be moved. */
  async function findFormer(): Promise<boolean> {
    const { ids, isOlderRunning } = await readFormerPlaces(connection);
    if (isOlderRunning) return false;
    for (const id of ids) {
      if (objectIdOf(id) === undefined || unreadable.has(id)) continue;
      isPrepared = false;
      await tasks.note(id, 'move');
    }
    return true;
  }

  /** A database that was copied has no indexes of vectors, and one that a former release served none of these texts. */
  async function prepareIndexes(): Promise<void> {
    if (isPrepared) return;
    if ((await collections.exists({})) !== null) await indexes.prepare();
    for (const dimensions of await collections.distinct('embeddings.dimensions'))
      if (typeof dimensions === 'number') await indexes.prepareVectors(dimensions);
    isPrepared = true;
  }

  /** The first collection with chunks among these, by organization: each step skips all chunks of the one before. */
  const nextPlace = (among: object): Promise<Place | null> =>
    chunks.findOne<Place>(among, { projection: { _id: 0, ...placeOrder }, sort: { ...placeOrder, document_id: 1 } });

  /** Notes collections whose removal a process that died did not note. */
  async function findRemoved(signal: AbortSignal): Promise<void> {
    if (hasLookedForRemoved) return;
    for (let place = await nextPlace({}); place !== null;) {
      if (signal.aborted) return;
      const { organization_id, collection_id } = place;
      if ((await collections.exists({ _id: collection_id, organization_id })) === null)
        await tasks.note(collection_id.toHexString(), 'remove', organization_id);
      place =
        (await nextPlace({ organization_id, collection_id: { $gt: collection_id } })) ??
        (await nextPlace({ organization_id: { $gt: organization_id } }));
    }
    hasLookedForRemoved = true;
  }

  async function removeAll({ collectionId, organizationId }: ChunkTask, { requireHeld }: HeldLease): Promise<void> {
    const collection_id = new mongoose.Types.ObjectId(collectionId);
    if (organizationId !== undefined) {
      const place = { organization_id: new mongoose.Types.ObjectId(organizationId), collection_id };
      for (;;) {
        await requireHeld();
        const found = await chunks.find(place, { projection: { _id: 1 }, limit: chunksPerStep }).toArray();
        if (found.length === 0) break;
        await chunks.deleteMany({ ...place, _id: { $in: found.map(({ _id }) => _id) } });
      }
    }
    await requireHeld();
    await formerChunksOf(connection, collectionId).drop();
  }

  async function moveAll(task: ChunkTask, { requireHeld }: HeldLease): Promise<void> {
    const former = formerChunksOf(connection, task.collectionId);
    const collection_id = new mongoose.Types.ObjectId(task.collectionId);
    const collection = await collections.findOne({ _id: collection_id }, { organization_id: 1 }).lean();
    if (collection === null) return void (await former.drop());
    const place = { organization_id: collection.organization_id, collection_id };
    for (let after = ''; ;) {
      await requireHeld();
      const [next] = await former
        .find({ document_id: { $gt: after } }, { projection: { document_id: 1 } })
        .sort({ document_id: 1 })
        .limit(1)
        .toArray();
      if (next === undefined) break;
      await moveDocument(place, next.document_id, requireHeld);
      after = next.document_id;
    }
    const left = await former.countDocuments({});
    if (left === 0) return void (await former.drop());
    unreadable.add(task.collectionId);
    const note = 'chunks that cannot be read stay in a database collection of their own';
    log.warn({ collection_id: task.collectionId, chunks: left }, note);
  }

  /** Copies the chunks of a document and then removes them where they stood. A search that finds both shows one. */
  async function moveDocument(place: Place, documentId: string, requireHeld: () => Promise<void>): Promise<void> {
    const former = formerChunksOf(connection, place.collection_id.toHexString());
    const document_id = objectIdOf(documentId);
    if (document_id === undefined) return;
    const own = { ...place, document_id };
    // Those of a move that was cut short, before a process of a former release indexed the document again.
    await chunks.deleteMany({ ...own, _id: isMoved });
    const copies = (await former.find({ document_id: documentId }).toArray()).filter(isReadable).map((chunk) => ({
      ...chunk,
      ...own,
      _id: movedIdOf(place.collection_id.toHexString(), chunk._id),
      of: chunk._id,
    }));
    const refused = await insertEach(copies.map(({ of: _of, ...copy }) => copy as ChunkRecord));
    const moved = copies.filter(({ _id }) => !refused.has(_id));
    await requireHeld();
    const { deletedCount } = await former.deleteMany({ _id: { $in: moved.map(({ of }) => of) } });
    const remove = () => chunks.deleteMany({ ...own, _id: { $in: moved.map(({ _id }) => _id) } });
    // The document left the collection meanwhile, or was indexed again.
    const isThere = await entries.exists({ ...place, document_id, state: { $ne: 'leaving' } });
    if (isThere === null) return void (await remove());
    if (deletedCount === moved.length) return;
    await requireHeld();
    await remove();
  }

  /** Returns the ids of those that the database refuses. */
  async function insertEach(copies: ChunkRecord[]): Promise<Set<string>> {
    if (copies.length === 0) return new Set();
    try {
      await chunks.insertMany(copies, { ordered: false });
      return new Set();
    } catch (error) {
      if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) throw error;
      const errors = [error.writeErrors].flat();
      if (errors.length === 0) throw error;
      return new Set(errors.flatMap((each) => (isDuplicateKey(each) ? [] : [copies[each.index]!._id])));
    }
  }

  return {
    /** Removes and moves chunks until nothing is left to do or `signal` aborts. */
    async work(signal: AbortSignal): Promise<void> {
      const mayMove = await findFormer();
      if (mayMove) await prepareIndexes();
      await findRemoved(signal);
      await workUnderLeases<ChunkTask>(
        {
          claim: () => tasks.claim(mayMove ? ['remove', 'move'] : ['remove']),
          renew: tasks.renew,
          renewEveryMs,
          release: tasks.release,
          async work(task, lease) {
            await (task.work === 'remove' ? removeAll(task, lease) : moveAll(task, lease));
            await tasks.end(task);
          },
          async fail({ collectionId }, error) {
            log.error({ err: error, collection_id: collectionId }, 'the chunks of a collection could not be worked on');
          },
        },
        signal,
      );
    },
  };
}

/** A damaged chunk stays where it is. */
function isReadable({ _id, text, page_num, start, end }: FormerChunk): boolean {
  const isPlace = [start, end].every((value) => typeof value === 'number');
  return (
    typeof _id === 'string' &&
    typeof text === 'string' &&
    isPlace &&
    (page_num === null || typeof page_num === 'number')
  );
}
