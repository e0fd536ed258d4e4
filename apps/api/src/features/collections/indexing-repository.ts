import type { Pipeline, Role } from '@docwright/contract';
import type { TextLanguage } from '@docwright/language';
import mongoose, { type Connection } from 'mongoose';
import { ignoreDuplicateKey } from '../../platform/database/connection.ts';
import { objectIdOf } from '../../platform/database/object-id.ts';
import { createLeases, leaseFields } from '../../platform/leases/leases.ts';
import { documentModel, readingStates } from '../documents/index.ts';
import { listChangedExtractions } from './changed-extraction-repository.ts';
import {
  collectionModel,
  entryModel,
  sourceOf,
  type CollectionEmbeddings,
  type CollectionRecord,
  type EntryRecord,
} from './collection-model.ts';
import type { StoredSource } from '../sources/index.ts';

/** A collection that is being indexed. */
export interface ActiveCollection {
  id: string;
  organizationId: string;
  source: StoredSource;
  pipeline: Pipeline;
  decided: boolean;
  embeddings: CollectionEmbeddings | undefined;
  /** The languages of the chunks so far. */
  languages: ReadonlySet<TextLanguage>;
  /** How often it was updated: 0 in its first round. */
  round: number;
  /** The user on whose behalf documents are extracted. */
  indexedFor: string;
  /** The maximum role for extractions. */
  role: Role;
}

/** A document that this process indexes. */
export interface EntryClaim {
  entryId: string;
  documentId: string;
  attempt: number;
  token: string;
}

interface Indexed {
  pages: number;
  chunks: number;
  /** Undefined if nothing was extracted. */
  extractionVersion: number | undefined;
}

/** The collections of all organizations that are being indexed. */
export interface IndexingRepository {
  listActive(): Promise<ActiveCollection[]>;
  /** Whether it is still being indexed. */
  isActive(collectionId: string): Promise<boolean>;
  exists(collectionId: string): Promise<boolean>;
  /** Adds entries of documents that have none. */
  addEntries(collection: ActiveCollection, documentIds: readonly string[]): Promise<void>;
  /** Requeues documents that failed before this round, and those whose result has changed. */
  requeueFailedAndChanged(collection: ActiveCollection): Promise<void>;
  /** The ids of documents with an entry, ordered, after `after`. */
  documentIds(collectionId: string, limit: number, after?: string): Promise<string[]>;
  /** Marks entries as leaving: they are no longer indexed, and stay until their chunks are removed. */
  markLeaving(collectionId: string, documentIds: readonly string[]): Promise<void>;
  listLeaving(collectionId: string): Promise<string[]>;
  removeLeaving(collectionId: string, documentId: string): Promise<void>;
  setDecided(collection: ActiveCollection): Promise<void>;
  /** Sets the embeddings if there are none. Returns those of the collection. */
  setEmbeddings(collectionId: string, embeddings: CollectionEmbeddings): Promise<CollectionEmbeddings | undefined>;
  /** The finished documents that were not queued in this round. */
  listOfEarlierRounds(collection: ActiveCollection, limit: number): Promise<string[]>;
  requeue(collection: ActiveCollection, documentIds: readonly string[]): Promise<void>;
  /** Removes the embeddings if they are of another model than this one. */
  forgetEmbeddings(collectionId: string, model: string): Promise<void>;
  addLanguages(collectionId: string, languages: readonly TextLanguage[]): Promise<void>;
  /** Claims a waiting document whose text is ready. */
  claim(collectionId: string): Promise<EntryClaim | undefined>;
  /** Returns false if the claim is lost. */
  renew(claim: EntryClaim): Promise<boolean>;
  /** Requeues the document without counting the attempt. */
  release(claim: EntryClaim): Promise<void>;
  /** Requeues the document for the time when its text has been read. */
  postpone(claim: EntryClaim): Promise<void>;
  /** Returns false if the claim is lost. */
  finish(claim: EntryClaim, indexed: Indexed): Promise<boolean>;
  /** `keepsChunks`: the previously indexed chunks stay. Returns false if the claim is lost. */
  fail(claim: EntryClaim, failure: { category: string; message: string }, keepsChunks?: boolean): Promise<boolean>;
  /** Removes the entry of a deleted document. */
  forget(claim: EntryClaim): Promise<void>;
  /** Whether the document still belongs to the collection. */
  hasEntry(claim: EntryClaim): Promise<boolean>;
  /** Ends the indexing if no document waits, unless a new round has started. */
  finishIfDone(collection: ActiveCollection): Promise<void>;
}

/** How long a claim is valid without a renewal. */
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

  /** Requeues postponed documents whose text is ready. A poll finds those that were read while they were postponed. */
  async function requeueReadDocuments(): Promise<void> {
    const waiting = await entries.find({ waits_for_text: true }, { document_id: 1 }).lean();
    if (waiting.length === 0) return;
    const ids = waiting.map(({ document_id }) => document_id);
    const reading = await documents.distinct('_id', { _id: { $in: ids }, state: { $in: readingStates } });
    const unread = new Set(reading.map((id) => id.toHexString()));
    const ready = ids.filter((id) => !unread.has(id.toHexString()));
    if (ready.length === 0) return;
    await entries.updateMany({ waits_for_text: true, document_id: { $in: ready } }, { $unset: { waits_for_text: 1 } });
  }

  const releaseWith = (claim: EntryClaim, set: Partial<EntryRecord>): Promise<boolean> =>
    leases.release(one(claim), claim.token, { $set: set });

  return {
    async listActive() {
      await requeueReadDocuments();
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
      await entries.insertMany(records, { ordered: false }).catch(ignoreDuplicateKey);
    },
    async requeueFailedAndChanged({ id, round, pipeline }) {
      const waiting = { $set: { state: 'waiting' as const, round, attempts: 0 } };
      const collection_id = new mongoose.Types.ObjectId(id);
      await entries.updateMany({ collection_id, state: 'failed', round: { $ne: round } }, waiting);
      if (!pipeline.extract) return;
      const changed = await listChangedExtractions(connection, id, pipeline.extract.prompt_revid);
      if (changed.length === 0) return;
      await entries.updateMany({ ...oneOf(id, changed), state: 'indexed', round: { $ne: round } }, waiting);
    },
    async documentIds(collectionId, limit, after) {
      const later = after === undefined ? {} : { document_id: { $gt: new mongoose.Types.ObjectId(after) } };
      const filter = { collection_id: new mongoose.Types.ObjectId(collectionId), ...later };
      const found = await entries.find(filter, { document_id: 1 }).sort({ document_id: 1 }).limit(limit).lean();
      return found.map(({ document_id }) => document_id.toHexString());
    },
    async markLeaving(collectionId, documentIds) {
      const change = { $set: { state: 'leaving' as const }, $unset: { lease: 1 as const, waits_for_text: 1 as const } };
      await entries.updateMany(oneOf(collectionId, documentIds), change);
    },
    async listLeaving(collectionId) {
      const filter = { collection_id: new mongoose.Types.ObjectId(collectionId), state: 'leaving' as const };
      const found = await entries.find(filter, { document_id: 1 }).lean();
      return found.map(({ document_id }) => document_id.toHexString());
    },
    async removeLeaving(collectionId, documentId) {
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
    async listOfEarlierRounds({ id, round }, limit) {
      const done = { state: { $in: ['indexed' as const, 'failed' as const] }, round: { $ne: round } };
      const filter = { collection_id: new mongoose.Types.ObjectId(id), ...done };
      const found = await entries.find(filter, { document_id: 1 }).limit(limit).lean();
      return found.map(({ document_id }) => document_id.toHexString());
    },
    async requeue({ id, round }, documentIds) {
      const waiting = { $set: { state: 'waiting' as const, round, attempts: 0 } };
      await entries.updateMany({ ...oneOf(id, documentIds), round: { $ne: round } }, waiting);
    },
    async forgetEmbeddings(id, name) {
      const withOtherModel = { _id: objectIdOf(id) ?? null, 'embeddings.model': { $ne: name } };
      await model.updateOne(withOtherModel, { $unset: { embeddings: 1 } });
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
      releaseWith(claim, {
        state: 'indexed',
        pages,
        chunks,
        failure: null,
        ...(extractionVersion === undefined ? {} : { extraction_version: extractionVersion }),
      }),
    fail: (claim, failure, keepsChunks = false) =>
      releaseWith(claim, { state: 'failed', failure, ...(!keepsChunks && { pages: 0, chunks: 0 }) }),
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
