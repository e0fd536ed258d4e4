import type { TextLanguage } from '@docwright/language';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { ignoreDuplicateKey, openDatabase } from '../../platform/database/connection.ts';
import { recordBytes, storedBytesOf } from '../../platform/database/stored-bytes/stored-bytes.ts';
import { defaultLanguage } from '../pipelines/index.ts';
import type { Chunk } from '../plugins/index.ts';
import type { GroundingBox } from '@docwright/documents';

/** A search result: a chunk and its document. */
export interface FoundChunk extends Chunk {
  language: TextLanguage;
  id: string;
  document_id: string;
}

interface ChunkRecord {
  /** Derived from the document and the chunk's position, so that indexing a document twice stores its chunks once. */
  _id: string;
  document_id: string;
  page_num: number | null;
  start: number;
  end: number;
  text: string;
  heading?: string;
  /** The text index reads the chunk's language from this field (`language_override`). */
  _language?: TextLanguage;
  boxes?: mongo.Binary;
  embedding?: mongo.Binary;
}

interface ScoredRecord extends ChunkRecord {
  score: number;
}

/**
 * The chunks of collections. The chunks of each collection are in a database collection of their own: a search reads no
 * chunks of others, word frequencies are those of one collection, and a deletion drops the database collection.
 */
export type ChunkRepository = ReturnType<typeof createChunkRepository>;

const prefix = 'chunks_';
/** One index for each length of vectors, since models can have different ones. */
const vectorIndex = (dimensions: number) => `embedding_${dimensions}`;
/** Errors of databases without a vector search: SearchNotEnabled, CommandNotFound, CommandNotSupported. */
const noVectorSearch = new Set<unknown>([31_082, 59, 115]);
/**
 * Errors of `$vectorSearch`: the above, those of MongoDB 7 and older, HostUnreachable if the search is a process of its
 * own, and BadValue of servers that do not know the stage.
 */
const noVectorStage = new Set<unknown>([...noVectorSearch, 6_047_401, 40_324, 6, 2]);
const indexExists = 68;
const noSuchIndex = 27;
/** Names the included fields: not every server allows a score together with excluded fields. */
const chunkFields = {
  document_id: 1,
  page_num: 1,
  start: 1,
  end: 1,
  text: 1,
  heading: 1,
  _language: 1,
  boxes: 1,
} as const satisfies Partial<Record<keyof ChunkRecord, 1>>;

/** Who stores the chunks of a collection, or of one of its documents. */
const ownerOf = (collectionId: string, documentId?: string): string =>
  ['chunks', collectionId, ...(documentId === undefined ? [] : [documentId])].join(':');

export function createChunkRepository(connection: Connection) {
  const storedBytes = storedBytesOf(connection);
  const chunksOf = (collectionId: string) =>
    openDatabase(connection).collection<ChunkRecord>(`${prefix}${collectionId}`);

  return {
    /** Creates the text index. */
    async prepare(collectionId: string): Promise<void> {
      const chunks = chunksOf(collectionId);
      await chunks.createIndex({ document_id: 1 });
      await chunks.createIndex({ text: 'text' }, { default_language: defaultLanguage, language_override: '_language' });
    },
    /** Creates the vector index. Returns false if the database has no vector search. */
    async prepareVectors(collectionId: string, dimensions: number): Promise<boolean> {
      const field = { type: 'vector', path: 'embedding', numDimensions: dimensions, similarity: 'cosine' };
      try {
        const definition = { fields: [field] };
        await chunksOf(collectionId).createSearchIndex({
          name: vectorIndex(dimensions),
          type: 'vectorSearch',
          definition,
        });
        return true;
      } catch (error) {
        // Another worker was faster.
        if (codeOf(error) === indexExists) return true;
        if (noVectorSearch.has(codeOf(error))) return false;
        throw error;
      }
    },
    /** Replaces the chunks of the document. */
    async replace(
      collectionId: string,
      document_id: string,
      chunks: readonly Chunk[],
      vectors?: Float32Array[],
    ): Promise<{ bytes: number }> {
      const stored = chunksOf(collectionId);
      await stored.deleteMany({ document_id });
      const records = chunks.map(({ boxes, language, ...chunk }, at): ChunkRecord => {
        const written = language && { _language: language };
        const packed = boxes && { boxes: new mongoose.mongo.Binary(packBoxes(boxes)) };
        const vector = vectors?.[at];
        const embedding = vector && { embedding: mongoose.mongo.Binary.fromFloat32Array(vector) };
        return { _id: `${document_id}-${at}`, document_id, ...chunk, ...written, ...packed, ...embedding };
      });
      if (records.length === 0) return { bytes: 0 };
      // The previous holder of the claim might write the same chunks at the same time.
      await stored.insertMany(records, { ordered: false }).catch(ignoreDuplicateKey);
      return { bytes: records.reduce((sum, record) => sum + recordBytes(record), 0) };
    },
    /** Counts what a document has in a collection; see `StoredBytes`. */
    async count(organizationId: string, collectionId: string, documentId: string, bytes: number): Promise<void> {
      const owner = ownerOf(collectionId, documentId);
      await storedBytes.forget(organizationId, owner);
      storedBytes.add(organizationId, owner, bytes);
    },
    /** No longer counts what a document, or all of them, had in a collection. */
    forget: (organizationId: string, collectionId: string, documentId?: string): Promise<void> =>
      storedBytes.forget(organizationId, ownerOf(collectionId, documentId)),
    async removeDocument(collectionId: string, document_id: string): Promise<void> {
      await chunksOf(collectionId).deleteMany({ document_id });
    },
    /** Removes the vectors of these documents and keeps their texts. */
    async removeVectors(collectionId: string, documentIds: readonly string[]): Promise<void> {
      const filter = { document_id: { $in: [...documentIds] }, embedding: { $exists: true } };
      await chunksOf(collectionId).updateMany(filter, { $unset: { embedding: 1 } });
    },
    async drop(collectionId: string): Promise<void> {
      await chunksOf(collectionId).drop();
    },
    /** The collections that have chunks. */
    async collectionIds(): Promise<string[]> {
      const named = await openDatabase(connection).listCollections({}, { nameOnly: true }).toArray();
      return named.flatMap(({ name }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
    },
    /** Finds chunks in these languages by the words of the query, read in each chunk's language. Best first. */
    async findByWords(
      collectionId: string,
      query: string,
      languages: readonly TextLanguage[],
      limit: number,
    ): Promise<FoundChunk[]> {
      const byScore = { score: { $meta: 'textScore' } } as const;
      const options = { projection: { ...chunkFields, ...byScore } };
      // A query is read in one language at a time. If all chunks are in one language, no filter is needed.
      const inLanguage = (language: TextLanguage) => (languages.length === 1 ? {} : { _language: language });
      const found = await Promise.all(
        languages.map(async (language) => {
          const filter = { $text: { $search: query, $language: language }, ...inLanguage(language) };
          const cursor = chunksOf(collectionId).find<ScoredRecord>(filter, options).sort(byScore).limit(limit);
          return await cursor.toArray().catch((error: unknown) => {
            // Nothing has been indexed yet.
            if (codeOf(error) === noSuchIndex) return [];
            throw error;
          });
        }),
      );
      const best = found.flat().toSorted((a, b) => b.score - a.score);
      return best.slice(0, limit).map(presentChunk);
    },
    /** Undefined if the database no longer has a vector search, or it cannot be reached now. */
    async findByVector(collectionId: string, vector: Float32Array, limit: number): Promise<FoundChunk[] | undefined> {
      const search = {
        index: vectorIndex(vector.length),
        path: 'embedding',
        queryVector: Array.from(vector),
        numCandidates: Math.min(10_000, limit * 10),
        limit,
      };
      const found = chunksOf(collectionId).aggregate<ChunkRecord>([
        { $vectorSearch: search },
        { $project: chunkFields },
      ]);
      try {
        return (await found.toArray()).map(presentChunk);
      } catch (error) {
        if (noVectorStage.has(codeOf(error))) return undefined;
        throw error;
      }
    },
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof mongoose.mongo.MongoServerError ? error.code : undefined;
}

function presentChunk({
  _id,
  document_id,
  page_num,
  start,
  end,
  text,
  heading,
  _language,
  boxes,
}: ChunkRecord): FoundChunk {
  return {
    id: _id,
    document_id,
    page_num,
    start,
    end,
    text,
    ...(heading === undefined ? {} : { heading }),
    ...(boxes && page_num !== null ? { boxes: unpackBoxes(boxes.buffer, page_num) } : {}),
    language: _language ?? defaultLanguage,
  };
}

/** The width or height of a page in the units of a packed box. */
const maxCoordinate = 65_535;

/** Packs the boxes of one page into 8 bytes each: x0, y0, x1, y1 in 16 bits, little endian. */
function packBoxes(boxes: readonly GroundingBox[]): Uint8Array {
  const bytes = Buffer.alloc(boxes.length * 8);
  for (const [at, { x0, y0, x1, y1 }] of boxes.entries()) {
    for (const [side, value] of [x0, y0, x1, y1].entries()) {
      bytes.writeUInt16LE(Math.round(value * maxCoordinate), at * 8 + side * 2);
    }
  }
  return bytes;
}

function unpackBoxes(bytes: Uint8Array, page_num: number): GroundingBox[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const side = (at: number) => Math.round((view.getUint16(at, true) / maxCoordinate) * 100_000) / 100_000;
  return Array.from({ length: Math.floor(bytes.byteLength / 8) }, (_, box) => {
    const at = box * 8;
    return { page_num, x0: side(at), y0: side(at + 2), x1: side(at + 4), y1: side(at + 6) };
  });
}
