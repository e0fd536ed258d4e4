import type { Pipeline, Role } from '@docwright/contract';
import type { TextLanguage } from '@docwright/language';
import mongoose, { type Connection } from 'mongoose';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { objectIdOf } from '../../platform/database/object-id.ts';
import { createLeases, leaseFields } from '../../platform/leases/leases.ts';
import { documentModel, readingStates } from '../documents/index.ts';
import { changedExtractions } from './changed-extraction-repository.ts';
import {
  collectionModel,
  entryModel,
  sourceOf,
  type CollectionEmbeddings,
  type CollectionRecord,
  type EntryRecord,
} from './collection-model.ts';
import type { StoredSource } from '../sources/index.ts';

/** A collection as a worker needs it. */
export interface ActiveCollection {
  id: string;
  organizationId: string;
  source: StoredSource;
  pipeline: Pipeline;
  decided: boolean;
  embeddings: CollectionEmbeddings | undefined;
  /** Those that chunks are in so far, and no search leaves out. */
  languages: ReadonlySet<TextLanguage>;
  /** How often it was updated: 0 while it is made. */
  round: number;
  /** In whose name documents are extracted from, and the most that they may do. */
  indexedFor: string;
  role: Role;
}

/** A document that this process indexes. */
export interface EntryClaim {
  entryId: string;
  documentId: string;
  attempt: number;
  token: string;
}

export interface Indexed {
  pages: number;
  chunks: number;
  /** Undefined where nothing was extracted. */
  extractionVersion: number | undefined;
}

/** The collections of all organizations that are being indexed. */
export interface IndexingRepository {
  listActive(): Promise<ActiveCollection[]>;
  /** Whether it is still being indexed. */
  isActive(collectionId: string): Promise<boolean>;
  exists(collectionId: string): Promise<boolean>;
  /** Gives documents their entries; those that have one keep it. */
  addEntries(collection: ActiveCollection, documentIds: readonly string[]): Promise<void>;
  /** Has the documents indexed again that failed before this round, or whose extraction is another than was indexed. */
  tryAgain(collection: ActiveCollection): Promise<void>;
  /** The documents that have an entry; after the one named, where one is. */
  documentIds(collectionId: string, most: number, after?: string): Promise<string[]>;
  /** Nobody indexes these any more. Their entries stay until their chunks are gone. */
  leave(collectionId: string, documentIds: readonly string[]): Promise<void>;
  leaving(collectionId: string): Promise<string[]>;
  removeDeparted(collectionId: string, documentId: string): Promise<void>;
  setDecided(collection: ActiveCollection): Promise<void>;
  /** Its vectors are these from now on, where there were none; tells which they are. */
  setEmbeddings(collectionId: string, embeddings: CollectionEmbeddings): Promise<CollectionEmbeddings | undefined>;
  /** The documents that nothing was decided about in this round. */
  ofEarlierRounds(collection: ActiveCollection, most: number): Promise<string[]>;
  indexAgain(collection: ActiveCollection, documentIds: readonly string[]): Promise<void>;
  /** Where its vectors are of another model than this one. */
  forgetEmbeddings(collectionId: string, model: string): Promise<void>;
  addLanguages(collectionId: string, languages: readonly TextLanguage[]): Promise<void>;
  /** Takes a document that nobody has and whose text need not be waited for. */
  claim(collectionId: string): Promise<EntryClaim | undefined>;
  /** False where the claim is lost. */
  renew(claim: EntryClaim): Promise<boolean>;
  /** Gives it back as if it had never been taken. */
  release(claim: EntryClaim): Promise<void>;
  /** Gives it back until its document has been read. */
  postpone(claim: EntryClaim): Promise<void>;
  /** False where the claim is lost. */
  finish(claim: EntryClaim, indexed: Indexed): Promise<boolean>;
  /** `isKept`: what was indexed of it before can be found still. */
  fail(claim: EntryClaim, failure: { category: string; message: string }, isKept?: boolean): Promise<boolean>;
  /** Its document is gone. */
  forget(claim: EntryClaim): Promise<void>;
  /** Whether the document still has a place in the collection. */
  hasEntry(claim: EntryClaim): Promise<boolean>;
  /** Ends it where no document waits, unless another round of it has begun. */
  finishIfDone(collection: ActiveCollection): Promise<void>;
}

/** How long a claim holds without being renewed. */
const claimMs = 20_000;

export function createIndexingRepository(connection: Connection, leaseMs = claimMs): IndexingRepository {
  const model = collectionModel(connection);
  const entries = entryModel(connection);
  const documents = documentModel(connection);
  const leases = createLeases<EntryRecord>(entries.collection, leaseFields);
  const one = ({ entryId }: EntryClaim) => ({ _id: new mongoose.Types.ObjectId(entryId) });
  const active = (id: string) => ({ _id: objectIdOf(id) ?? null, status: 'indexing' as const });
  const inRound = ({ id, round }: ActiveCollection) => ({ ...active(id), round: round === 0 ? null : round });
  const oneOf = (collectionId: string, documentIds: readonly string[]) => ({
    collection_id: new mongoose.Types.ObjectId(collectionId),
    document_id: { $in: documentIds.map((id) => new mongoose.Types.ObjectId(id)) },
  });

  /** Looked up each time: a document that has been read in the moment of its postponing is found with the next look. */
  async function wakeThoseRead(): Promise<void> {
    const waiting = await entries.find({ waits_for_text: true }, { document_id: 1 }).lean();
    if (waiting.length === 0) return;
    const ids = waiting.map(({ document_id }) => document_id);
    const reading = await documents.distinct('_id', { _id: { $in: ids }, state: { $in: readingStates } });
    const unread = new Set(reading.map((id) => id.toHexString()));
    const ready = ids.filter((id) => !unread.has(id.toHexString()));
    if (ready.length === 0) return;
    await entries.updateMany({ waits_for_text: true, document_id: { $in: ready } }, { $unset: { waits_for_text: 1 } });
  }

  const end = (claim: EntryClaim, set: Partial<EntryRecord>): Promise<boolean> =>
    leases.release(one(claim), claim.token, { $set: set });

  return {
    async listActive() {
      await wakeThoseRead();
      const records = await model.find({ status: 'indexing' }).sort({ _id: 1 }).lean();
      return records.map(activeCollection);
    },
    isActive: async (id) => (await model.exists(active(id))) !== null,
    exists: async (id) => (await model.exists({ _id: objectIdOf(id) ?? null })) !== null,
    async addEntries({ id, organizationId, round }, documentIds) {
      const records = documentIds.map((documentId) => ({
        organization_id: new mongoose.Types.ObjectId(organizationId),
        collection_id: new mongoose.Types.ObjectId(id),
        document_id: new mongoose.Types.ObjectId(documentId),
        state: 'waiting' as const,
        round,
      }));
      await entries.insertMany(records, { ordered: false }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    },
    async tryAgain({ id, round, pipeline }) {
      const again = { $set: { state: 'waiting' as const, round, attempts: 0 } };
      const collection_id = new mongoose.Types.ObjectId(id);
      await entries.updateMany({ collection_id, state: 'failed', round: { $ne: round } }, again);
      if (!pipeline.extract) return;
      const changed = await changedExtractions(connection, id, pipeline.extract.prompt_revid);
      if (changed.length === 0) return;
      await entries.updateMany({ ...oneOf(id, changed), state: 'indexed', round: { $ne: round } }, again);
    },
    async documentIds(collectionId, most, after) {
      const later = after === undefined ? {} : { document_id: { $gt: new mongoose.Types.ObjectId(after) } };
      const filter = { collection_id: new mongoose.Types.ObjectId(collectionId), ...later };
      const found = await entries.find(filter, { document_id: 1 }).sort({ document_id: 1 }).limit(most).lean();
      return found.map(({ document_id }) => document_id.toHexString());
    },
    async leave(collectionId, documentIds) {
      const change = { $set: { state: 'leaving' as const }, $unset: { lease: 1 as const, waits_for_text: 1 as const } };
      await entries.updateMany(oneOf(collectionId, documentIds), change);
    },
    async leaving(collectionId) {
      const filter = { collection_id: new mongoose.Types.ObjectId(collectionId), state: 'leaving' as const };
      const found = await entries.find(filter, { document_id: 1 }).lean();
      return found.map(({ document_id }) => document_id.toHexString());
    },
    async removeDeparted(collectionId, documentId) {
      await entries.deleteOne({ ...oneOf(collectionId, [documentId]), state: 'leaving' });
    },
    async setDecided(collection) {
      await model.updateOne(inRound(collection), { $set: { decided: true } });
    },
    async setEmbeddings(id, embeddings) {
      const _id = objectIdOf(id) ?? null;
      await model.updateOne({ _id, embeddings: null }, { $set: { embeddings } });
      return (await model.findOne({ _id }, { embeddings: 1 }).lean())?.embeddings;
    },
    async ofEarlierRounds({ id, round }, most) {
      const done = { state: { $in: ['indexed' as const, 'failed' as const] }, round: { $ne: round } };
      const filter = { collection_id: new mongoose.Types.ObjectId(id), ...done };
      const found = await entries.find(filter, { document_id: 1 }).limit(most).lean();
      return found.map(({ document_id }) => document_id.toHexString());
    },
    async indexAgain({ id, round }, documentIds) {
      const again = { $set: { state: 'waiting' as const, round, attempts: 0 } };
      await entries.updateMany({ ...oneOf(id, documentIds), round: { $ne: round } }, again);
    },
    async forgetEmbeddings(id, name) {
      const ofAnother = { _id: objectIdOf(id) ?? null, 'embeddings.model': { $ne: name } };
      await model.updateOne(ofAnother, { $unset: { embeddings: 1 } });
    },
    async addLanguages(id, languages) {
      await model.updateOne({ _id: objectIdOf(id) ?? null }, { $addToSet: { languages: { $each: [...languages] } } });
    },
    async claim(collectionId) {
      const collection_id = new mongoose.Types.ObjectId(collectionId);
      const claim = await leases.claim(
        { collection_id, state: 'waiting', waits_for_text: null },
        { milliseconds: leaseMs, sort: { _id: 1 }, set: { attempts: { $add: [{ $ifNull: ['$attempts', 0] }, 1] } } },
      );
      if (claim === undefined) return undefined;
      const { _id, document_id, attempts } = claim.record;
      const [entryId, documentId] = [_id.toHexString(), document_id.toHexString()];
      return { entryId, documentId, attempt: attempts, token: claim.token };
    },
    async renew(claim) {
      return (await leases.renew(one(claim), claim.token, leaseMs)) !== undefined;
    },
    async release(claim) {
      await leases.release(one(claim), claim.token, { $inc: { attempts: -1 } });
    },
    async postpone(claim) {
      await leases.release(one(claim), claim.token, { $set: { waits_for_text: true }, $inc: { attempts: -1 } });
    },
    finish: (claim, { pages, chunks, extractionVersion }) =>
      end(claim, {
        state: 'indexed',
        pages,
        chunks,
        failure: null,
        ...(extractionVersion === undefined ? {} : { extraction_version: extractionVersion }),
      }),
    fail: (claim, failure, isKept = false) =>
      end(claim, { state: 'failed', failure, ...(!isKept && { pages: 0, chunks: 0 }) }),
    async forget(claim) {
      await entries.deleteOne({ ...one(claim), ...leases.held(claim.token) });
    },
    async hasEntry({ entryId }) {
      const filter = { _id: new mongoose.Types.ObjectId(entryId), state: { $ne: 'leaving' as const } };
      return (await entries.exists(filter)) !== null;
    },
    async finishIfDone(collection) {
      const collection_id = new mongoose.Types.ObjectId(collection.id);
      if ((await entries.exists({ collection_id, state: 'waiting' })) !== null) return;
      const failed = await entries.exists({ collection_id, state: 'failed' });
      const indexed = await entries.exists({ collection_id, state: 'indexed' });
      const status = failed !== null && indexed === null ? 'failed' : 'ready';
      await model.updateOne({ ...inRound(collection), decided: true }, { $set: { status, ended_at: new Date() } });
    },
  };
}

function activeCollection(record: CollectionRecord): ActiveCollection {
  return {
    id: record._id.toHexString(),
    organizationId: record.organization_id.toHexString(),
    source: sourceOf(record),
    pipeline: record.pipeline,
    decided: record.decided,
    embeddings: record.embeddings,
    languages: new Set(record.languages),
    round: record.round ?? 0,
    indexedFor: (record.indexed_for ?? record.created_by).toHexString(),
    role: record.role,
  };
}
