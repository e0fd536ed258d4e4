import type { TextLanguage } from '@docwright/language';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { ignoreDuplicateKey, openDatabase } from '../../../platform/database/connection.ts';
import { recordBytes, storedBytesOf } from '../../../platform/database/stored-bytes/stored-bytes.ts';
import type { Chunk } from '../../plugins/index.ts';
import {
  chunkFields,
  chunkModel,
  chunkContents,
  presentChunk,
  type ChunkRecord,
  type FoundChunk,
} from './chunk-model.ts';
import { chunkIdOf, createChunkIndexes, nameOfId } from './chunk-index-repository.ts';
import { noteChunkTask } from './chunk-task-repository.ts';
import { createFormerChunks } from './former-chunk-repository.ts';

/**
 * The chunks of the collections of an organization. Those of all collections stand in one database collection, and each call
 * names organization and collection: a search reads no chunks of others.
 */
export type ChunkRepository = ReturnType<ReturnType<typeof createChunkRepositories>>;

/** Errors of `$vectorSearch` in a database without it: of MongoDB 8, 7 and older, and HostUnreachable, NotImplemented and BadValue. */
const noVectorStage = new Set<unknown>([31_082, 59, 115, 6_047_401, 40_324, 6, 238, 2]);
const noSuchIndex = 27;

/** Who stores the chunks of a collection, or of one of its documents. */
const ownerOf = (collectionId: string, documentId?: string): string =>
  ['chunks', collectionId, ...(documentId === undefined ? [] : [documentId])].join(':');

export function createChunkRepositories(connection: Connection) {
  const storedBytes = storedBytesOf(connection);
  const stored = openDatabase(connection).collection<ChunkRecord>(chunkModel(connection).collection.name);
  const former = createFormerChunks(connection);
  const indexes = createChunkIndexes(connection);

  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const within = (collectionId: string) => ({
      organization_id,
      collection_id: new mongoose.Types.ObjectId(collectionId),
    });
    const ofDocument = (collectionId: string, documentId: string) => ({
      ...within(collectionId),
      document_id: new mongoose.Types.ObjectId(documentId),
    });

    async function removeDocument(collectionId: string, documentId: string): Promise<void> {
      // First where a job may be moving them from.
      await former.removeDocument(collectionId, documentId);
      await stored.deleteMany(ofDocument(collectionId, documentId));
    }

    return {
      /** Creates the text index. */
      async prepare(collectionId: string): Promise<void> {
        if (await former.isToBeUsed()) await former.prepare(collectionId);
        else await indexes.prepare();
      },
      /** Creates the vector index. Returns false if the database has no vector search. */
      async prepareVectors(collectionId: string, dimensions: number): Promise<boolean> {
        return (await former.isToBeUsed())
          ? await former.prepareVectors(collectionId, dimensions)
          : await indexes.prepareVectors(dimensions);
      },
      /** Replaces the chunks of the document. */
      async replace(
        collectionId: string,
        documentId: string,
        chunks: readonly Chunk[],
        vectors?: Float32Array[],
      ): Promise<{ bytes: number }> {
        await removeDocument(collectionId, documentId);
        const contents = chunkContents(chunks, vectors);
        if (contents.length === 0) return { bytes: 0 };
        if (await former.isToBeUsed()) return await former.insert(collectionId, documentId, contents);
        const own = ofDocument(collectionId, documentId);
        const records = contents.map((content, at) => ({
          _id: chunkIdOf(collectionId, documentId, at),
          ...own,
          ...content,
        }));
        // The previous holder of the claim might write the same chunks at the same time.
        await stored.insertMany(records, { ordered: false }).catch(ignoreDuplicateKey);
        return { bytes: records.reduce((sum, record) => sum + recordBytes(record), 0) };
      },
      /** Counts what a document has in a collection; see `StoredBytes`. */
      async count(collectionId: string, documentId: string, bytes: number): Promise<void> {
        const owner = ownerOf(collectionId, documentId);
        await storedBytes.forget(organizationId, owner);
        storedBytes.add(organizationId, owner, bytes);
      },
      /** No longer counts what a document, or all of them, had in a collection. */
      forget: (collectionId: string, documentId?: string): Promise<void> =>
        storedBytes.forget(organizationId, ownerOf(collectionId, documentId)),
      removeDocument,
      /** Removes the vectors of these documents and keeps their texts. */
      async removeVectors(collectionId: string, documentIds: readonly string[]): Promise<void> {
        await former.removeVectors(collectionId, documentIds);
        const document_id = { $in: documentIds.map((id) => new mongoose.Types.ObjectId(id)) };
        const filter = { ...within(collectionId), document_id, embedding: { $exists: true } };
        await stored.updateMany(filter, { $unset: { embedding: 1 } });
      },
      /** Notes that the chunks of a removed collection are to be removed. A job does so, in steps. */
      drop: (collectionId: string): Promise<void> => noteChunkTask(connection, within(collectionId), 'remove'),
      /** Finds chunks in these languages by the words of the query, read in each chunk's language. Best first. */
      async findByWords(
        collectionId: string,
        query: string,
        languages: readonly TextLanguage[],
        limit: number,
      ): Promise<FoundChunk[]> {
        const byScore = { score: { $meta: 'textScore' } } as const;
        const options = { projection: { ...chunkFields, ...byScore } };
        const places = [
          { records: stored as unknown as Searched, filter: within(collectionId) },
          ...(await former.placesOf(collectionId)).map((records) => ({
            records: records as unknown as Searched,
            filter: {},
          })),
        ];
        // A query is read in one language at a time. If all chunks are in one language, no filter is needed.
        const inLanguage = (language: TextLanguage) => (languages.length === 1 ? {} : { _language: language });
        const found = await Promise.all(
          places.flatMap(({ records, filter }) =>
            languages.map(async (language) => {
              const $text = { $search: query, $language: language };
              const cursor = records
                .find<ScoredRecord>({ ...filter, $text, ...inLanguage(language) }, options)
                .sort(byScore)
                .limit(limit);
              return await cursor.toArray().catch((error: unknown) => {
                // Nothing has been indexed yet.
                if (codeOf(error) === noSuchIndex) return [];
                throw error;
              });
            }),
          ),
        );
        return presentEach(
          collectionId,
          found.flat().toSorted((a, b) => b.score - a.score),
        ).slice(0, limit);
      },
      /** Undefined if the database no longer has a vector search, or it cannot be reached now. */
      async findByVector(collectionId: string, vector: Float32Array, limit: number): Promise<FoundChunk[] | undefined> {
        const search = { ...indexes.vectorSearch(vector), numCandidates: Math.min(10_000, limit * 10), limit };
        const inOne = { ...search, filter: within(collectionId) };
        const places = [
          stored.aggregate<ChunkRecord>([{ $vectorSearch: inOne }, { $project: chunkFields }]),
          ...(await former.placesOf(collectionId)).map((records) =>
            records.aggregate<ChunkRecord>([{ $vectorSearch: search }, { $project: chunkFields }]),
          ),
        ];
        try {
          const lists = await Promise.all(places.map((found) => found.toArray()));
          if (lists.length === 1) return presentEach(collectionId, lists[0]!);
          const longest = Math.max(...lists.map(({ length }) => length));
          const inTurn = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? []));
          return presentEach(collectionId, inTurn.flat()).slice(0, limit);
        } catch (error) {
          if (noVectorStage.has(codeOf(error))) return undefined;
          throw error;
        }
      },
    };
  };
}

/** A collection of chunks for searches: their filters have operators that the types of a model do not know. */
type Searched = mongo.Collection;

interface ScoredRecord extends ChunkRecord {
  score: number;
}

/** A chunk that is being moved stands in two places. */
function presentEach(collectionId: string, records: readonly ChunkRecord[]): FoundChunk[] {
  const byName = new Map<string, FoundChunk>();
  for (const record of records) {
    // A damaged one is no hit.
    if (typeof record._id !== 'string' || typeof record.text !== 'string') continue;
    const name = nameOfId(collectionId, record._id);
    if (!byName.has(name)) byName.set(name, presentChunk(name, record));
  }
  return [...byName.values()];
}

function codeOf(error: unknown): unknown {
  return error instanceof mongoose.mongo.MongoServerError ? error.code : undefined;
}
