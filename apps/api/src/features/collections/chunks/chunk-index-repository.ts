import mongoose, { type Connection } from 'mongoose';
import { defaultLanguage } from '../../pipelines/index.ts';
import { chunkModel } from './chunk-model.ts';

/** The text and vector indexes of the chunks of all collections. */
export type ChunkIndexes = ReturnType<typeof createChunkIndexes>;

/** Errors of databases without a vector search: SearchNotEnabled, CommandNotFound, CommandNotSupported. */
const noVectorSearch = new Set<unknown>([31_082, 59, 115]);
const indexExists = 68;

/** One index for each length of vectors, since models can have different ones. */
export const vectorIndexOf = (dimensions: number) => `embedding_${dimensions}`;

/** The text index of chunks reads the language of each from this field. */
export const languageOptions = { default_language: defaultLanguage, language_override: '_language' } as const;

/** Ends the id of a chunk that was moved from the database collection of its collection. */
const movedMark = 'm';

export const chunkIdOf = (collectionId: string, documentId: string, at: number) =>
  `${collectionId}-${documentId}-${at}`;

/** The id of a chunk that was moved. It is no id of a chunk that is indexed meanwhile. */
export const movedIdOf = (collectionId: string, formerId: string) => `${collectionId}-${formerId}${movedMark}`;

/** Matches the ids of chunks that were moved. */
export const isMoved = { $regex: `${movedMark}$` };

/** Names the same chunk wherever it stands: document and position. */
export function nameOfId(collectionId: string, id: string): string {
  const own = id.startsWith(`${collectionId}-`) ? id.slice(collectionId.length + 1) : id;
  return own.endsWith(movedMark) ? own.slice(0, -movedMark.length) : own;
}

export function createChunkIndexes(connection: Connection) {
  const chunks = chunkModel(connection).collection;
  let prepared: Promise<unknown> | undefined;
  return {
    /** Creates the text index. */
    async prepare(): Promise<void> {
      prepared ??= chunks.createIndex({ organization_id: 1, collection_id: 1, text: 'text' }, languageOptions);
      await prepared.catch((error: unknown) => {
        prepared = undefined;
        throw error;
      });
    },
    /** Creates the vector index. Returns false if the database has no vector search. */
    prepareVectors: (dimensions: number): Promise<boolean> =>
      createVectorIndex(chunks, dimensions, [
        { type: 'filter', path: 'organization_id' },
        { type: 'filter', path: 'collection_id' },
      ]),
    /** The index and the vector of a `$vectorSearch`. */
    vectorSearch: (vector: Float32Array) => ({
      index: vectorIndexOf(vector.length),
      path: 'embedding',
      queryVector: Array.from(vector),
    }),
  };
}

/** Returns false if the database has no vector search. */
export async function createVectorIndex(
  records: { createSearchIndex(description: mongoose.mongo.SearchIndexDescription): Promise<unknown> },
  dimensions: number,
  filters: readonly object[] = [],
): Promise<boolean> {
  const field = { type: 'vector', path: 'embedding', numDimensions: dimensions, similarity: 'cosine' };
  const definition = { fields: [field, ...filters] };
  try {
    await records.createSearchIndex({ name: vectorIndexOf(dimensions), type: 'vectorSearch', definition });
    return true;
  } catch (error) {
    const code = error instanceof mongoose.mongo.MongoServerError ? error.code : undefined;
    // Another worker was faster.
    if (code === indexExists) return true;
    if (noVectorSearch.has(code)) return false;
    throw error;
  }
}
