import type { Connection } from 'mongoose';
import { ignoreDuplicateKey, openDatabase } from '../../../platform/database/connection.ts';
import { recordBytes } from '../../../platform/database/stored-bytes/stored-bytes.ts';
import { readOlderProcesses } from '../../../platform/processes/running-process-repository.ts';
import { createVectorIndex, languageOptions } from './chunk-index-repository.ts';
import type { ChunkContent } from './chunk-model.ts';

/** A chunk as releases before version 18 of the database store it. */
export interface FormerChunk extends ChunkContent {
  /** Document and position. */
  _id: string;
  document_id: string;
}

/** The version of the database from which on all processes know where the chunks of all collections stand. */
const togetherSince = 18;
const prefix = 'chunks_';
/** What was read about former processes and their database collections holds for so long. */
const readEveryMs = 10_000;

interface FormerPlaces {
  /** The collections with a database collection of their own. */
  ids: ReadonlySet<string>;
  isOlderRunning: boolean;
}

/** The database collections of single collections, in which releases before version 18 of the database keep chunks. */
export type FormerChunks = ReturnType<typeof createFormerChunks>;

export const formerChunksOf = (connection: Connection, collectionId: string) =>
  openDatabase(connection).collection<FormerChunk>(`${prefix}${collectionId}`);

export async function readFormerPlaces(connection: Connection): Promise<FormerPlaces> {
  const [named, older] = await Promise.all([
    openDatabase(connection).listCollections({}, { nameOnly: true }).toArray(),
    readOlderProcesses(connection, togetherSince),
  ]);
  const ids = named.flatMap(({ name }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  return { ids: new Set(ids), isOlderRunning: older.length > 0 };
}

export function createFormerChunks(connection: Connection) {
  let read: { at: number; places: Promise<FormerPlaces> } | undefined;
  const of = (collectionId: string) => formerChunksOf(connection, collectionId);

  async function current(): Promise<FormerPlaces> {
    const now = performance.now();
    if (read === undefined || now - read.at > readEveryMs) read = { at: now, places: readFormerPlaces(connection) };
    const { places } = read;
    try {
      return await places;
    } catch (error) {
      read = undefined;
      throw error;
    }
  }

  async function placesOf(collectionId: string) {
    const { ids, isOlderRunning } = await current();
    return isOlderRunning || ids.has(collectionId) ? [of(collectionId)] : [];
  }

  return {
    /** Whether a process runs that reads and writes chunks only there. */
    isToBeUsed: async (): Promise<boolean> => (await current()).isOlderRunning,
    /** Where the collection can have chunks: one database collection, or none. */
    placesOf,
    async prepare(collectionId: string): Promise<void> {
      await of(collectionId).createIndex({ document_id: 1 });
      await of(collectionId).createIndex({ text: 'text' }, languageOptions);
    },
    prepareVectors: (collectionId: string, dimensions: number): Promise<boolean> =>
      createVectorIndex(of(collectionId), dimensions),
    async insert(collectionId: string, document_id: string, contents: ChunkContent[]): Promise<{ bytes: number }> {
      const records = contents.map((content, at) => ({ _id: `${document_id}-${at}`, document_id, ...content }));
      await of(collectionId).insertMany(records, { ordered: false }).catch(ignoreDuplicateKey);
      return { bytes: records.reduce((sum, record) => sum + recordBytes(record), 0) };
    },
    async removeDocument(collectionId: string, document_id: string): Promise<void> {
      for (const records of await placesOf(collectionId)) await records.deleteMany({ document_id });
    },
    async removeVectors(collectionId: string, documentIds: readonly string[]): Promise<void> {
      const filter = { document_id: { $in: [...documentIds] }, embedding: { $exists: true } };
      for (const records of await placesOf(collectionId))
        await records.updateMany(filter, { $unset: { embedding: 1 } });
    },
  };
}
