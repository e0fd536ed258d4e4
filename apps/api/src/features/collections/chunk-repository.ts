import type { TextLanguage } from '@docwright/language';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { isDuplicateKey, openDatabase } from '../../platform/database/connection.ts';
import { usualLanguage } from '../pipelines/index.ts';
import type { Chunk } from '../plugins/index.ts';
import type { GroundingBox } from '@docwright/documents';

/** A chunk that a search found, and the document that it is of. */
export interface FoundChunk extends Chunk {
  language: TextLanguage;
  id: string;
  document_id: string;
}

interface ChunkRecord {
  /** Follows from document and place, so that a document that is indexed twice has its chunks once. */
  _id: string;
  document_id: string;
  page_num: number | null;
  start: number;
  end: number;
  text: string;
  heading?: string;
  /** Named so that nothing else of the database takes it for a language. */
  _language?: TextLanguage;
  boxes?: mongo.Binary;
  embedding?: mongo.Binary;
}

interface ScoredRecord extends ChunkRecord {
  score: number;
}

/**
 * The chunks of every collection, each collection's in a collection of the database of its own: so a search looks at
 * nothing of others, words count as rare or common by this collection alone, and a deletion drops it whole.
 */
export interface ChunkRepository {
  /** Makes the index of words. */
  prepare(collectionId: string): Promise<void>;
  /** Makes the index of vectors; false where the database offers none. */
  prepareVectors(collectionId: string, dimensions: number): Promise<boolean>;
  /** Puts these in the place of what was there of the document. */
  replace(collectionId: string, documentId: string, chunks: readonly Chunk[], vectors?: Float32Array[]): Promise<void>;
  removeDocument(collectionId: string, documentId: string): Promise<void>;
  /** The words of these documents stay. */
  removeVectors(collectionId: string, documentIds: readonly string[]): Promise<void>;
  drop(collectionId: string): Promise<void>;
  /** The collections that chunks are there of. */
  collectionIds(): Promise<string[]>;
  /** Those in one of these languages whose words answer the query as they are read in that language, the best first. */
  findByWords(
    collectionId: string,
    query: string,
    languages: readonly TextLanguage[],
    most: number,
  ): Promise<FoundChunk[]>;
  /** Undefined where the database offers no search over vectors any more, or it cannot be reached at the moment. */
  findByVector(collectionId: string, vector: Float32Array, most: number): Promise<FoundChunk[] | undefined>;
}

const prefix = 'chunks_';
/** Of each length one, since a model may be changed for one whose vectors have another. */
const vectorIndex = (dimensions: number) => `embedding_${dimensions}`;
/** The answers of databases without a search over vectors: SearchNotEnabled, CommandNotFound, CommandNotSupported. */
const noVectorSearch = new Set<unknown>([31_082, 59, 115]);
/**
 * Of the stage: those, what MongoDB 7 and older ones answer, HostUnreachable where the search is a process of its own, and
 * BadValue, as servers answer that take the stage for a wrong one.
 */
const noVectorStage = new Set<unknown>([...noVectorSearch, 6_047_401, 40_324, 6, 2]);
const indexIsThere = 68;
const noSuchIndex = 27;
/** The fields by name: not every server lets a score stand beside fields that are left out. */
const wanted = {
  document_id: 1,
  page_num: 1,
  start: 1,
  end: 1,
  text: 1,
  heading: 1,
  _language: 1,
  boxes: 1,
} as const satisfies Partial<Record<keyof ChunkRecord, 1>>;

export function createChunkRepository(connection: Connection): ChunkRepository {
  const chunksOf = (collectionId: string) =>
    openDatabase(connection).collection<ChunkRecord>(`${prefix}${collectionId}`);

  return {
    async prepare(collectionId) {
      const chunks = chunksOf(collectionId);
      await chunks.createIndex({ document_id: 1 });
      await chunks.createIndex({ text: 'text' }, { default_language: usualLanguage, language_override: '_language' });
    },
    async prepareVectors(collectionId, dimensions) {
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
        // Another worker was first.
        if (codeOf(error) === indexIsThere) return true;
        if (noVectorSearch.has(codeOf(error))) return false;
        throw error;
      }
    },
    async replace(collectionId, document_id, chunks, vectors) {
      const stored = chunksOf(collectionId);
      await stored.deleteMany({ document_id });
      const records = chunks.map(({ boxes, language, ...chunk }, at): ChunkRecord => {
        const written = language && { _language: language };
        const packed = boxes && { boxes: new mongoose.mongo.Binary(packBoxes(boxes)) };
        const vector = vectors?.[at];
        const embedding = vector && { embedding: mongoose.mongo.Binary.fromFloat32Array(vector) };
        return { _id: `${document_id}-${at}`, document_id, ...chunk, ...written, ...packed, ...embedding };
      });
      if (records.length === 0) return;
      await stored.insertMany(records, { ordered: false }).catch((error: unknown) => {
        // Whoever held the document before writes the same at the same time.
        if (!isDuplicateKey(error)) throw error;
      });
    },
    async removeDocument(collectionId, document_id) {
      await chunksOf(collectionId).deleteMany({ document_id });
    },
    async removeVectors(collectionId, documentIds) {
      const filter = { document_id: { $in: [...documentIds] }, embedding: { $exists: true } };
      await chunksOf(collectionId).updateMany(filter, { $unset: { embedding: 1 } });
    },
    async drop(collectionId) {
      await chunksOf(collectionId).drop();
    },
    async collectionIds() {
      const named = await openDatabase(connection).listCollections({}, { nameOnly: true }).toArray();
      return named.flatMap(({ name }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
    },
    async findByWords(collectionId, query, languages, most) {
      const byScore = { score: { $meta: 'textScore' } } as const;
      const options = { projection: { ...wanted, ...byScore } };
      // A query is read in one language; where all chunks are in one, each is in that.
      const inLanguage = (language: TextLanguage) => (languages.length === 1 ? {} : { _language: language });
      const found = await Promise.all(
        languages.map(async (language) => {
          const filter = { $text: { $search: query, $language: language }, ...inLanguage(language) };
          const cursor = chunksOf(collectionId).find<ScoredRecord>(filter, options).sort(byScore).limit(most);
          return await cursor.toArray().catch((error: unknown) => {
            // Nothing has been indexed yet.
            if (codeOf(error) === noSuchIndex) return [];
            throw error;
          });
        }),
      );
      const best = found.flat().toSorted((a, b) => b.score - a.score);
      return best.slice(0, most).map(foundChunk);
    },
    async findByVector(collectionId, vector, most) {
      const search = {
        index: vectorIndex(vector.length),
        path: 'embedding',
        queryVector: Array.from(vector),
        numCandidates: Math.min(10_000, most * 10),
        limit: most,
      };
      const found = chunksOf(collectionId).aggregate<ChunkRecord>([{ $vectorSearch: search }, { $project: wanted }]);
      try {
        return (await found.toArray()).map(foundChunk);
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

function foundChunk({
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
  const under = heading === undefined ? {} : { heading };
  const places = boxes && page_num !== null ? { boxes: unpackBoxes(boxes.buffer, page_num) } : {};
  return {
    id: _id,
    document_id,
    page_num,
    start,
    end,
    text,
    ...under,
    ...places,
    language: _language ?? usualLanguage,
  };
}

/** A side's greatest value: a page's width or height in steps finer than any that can be seen. */
const whole = 65_535;

/** Boxes of one page in 8 bytes each: x0, y0, x1, y1 in 16 bits, little end first. */
function packBoxes(boxes: readonly GroundingBox[]): Uint8Array {
  const bytes = Buffer.alloc(boxes.length * 8);
  for (const [at, { x0, y0, x1, y1 }] of boxes.entries()) {
    for (const [side, value] of [x0, y0, x1, y1].entries()) {
      bytes.writeUInt16LE(Math.round(value * whole), at * 8 + side * 2);
    }
  }
  return bytes;
}

function unpackBoxes(bytes: Uint8Array, page_num: number): GroundingBox[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const side = (at: number) => Math.round((view.getUint16(at, true) / whole) * 100_000) / 100_000;
  return Array.from({ length: Math.floor(bytes.byteLength / 8) }, (_, box) => {
    const at = box * 8;
    return { page_num, x0: side(at), y0: side(at + 2), x1: side(at + 4), y1: side(at + 6) };
  });
}
