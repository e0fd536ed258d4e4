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

type Within = Pick<ActiveCollection, 'id' | 'organizationId'>;

/** The collections of all organizations that are being indexed. */
export type IndexingRepository = ReturnType<typeof createIndexingRepository>;

/** How long a claim is valid without a renewal. */
const claimMs = 20_000;

export function createIndexingRepository(connection: Connection, leaseMs = claimMs) {
  const model = collectionModel(connection);
  const entries = entryModel(connection);
  const documents = documentModel(connection);
  const leases = createLeases<EntryRecord>(entries.collection, leaseFields);
  const one = ({ entryId }: EntryClaim) => ({ _id: new mongoose.Types.ObjectId(entryId) });
  const active = (id: string) => ({ _id: objectIdOf(id) ?? null, status: 'indexing' as const });
  const inRound = ({ id, round }: ActiveCollection) => ({ ...active(id), round: round === 0 ? null : round });
  const within = ({ id, organizationId }: Within) => ({
    organization_id: new mongoose.Types.ObjectId(organizationId),
    collection_id: new mongoose.Types.ObjectId(id),
  });
  const oneOf = (collection: Within, documentIds: readonly string[]) => ({
    ...within(collection),
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
    async listActive(): Promise<ActiveCollection[]> {
      await requeueReadDocuments();
      const records = await model.find({ status: 'indexing' }).sort({ _id: 1 }).lean();
      return records.flatMap((record) => soundCollection(record) ?? []);
    },
    /** Whether it is still being indexed. */
    isActive: async (id: string): Promise<boolean> => (await model.exists(active(id))) !== null,
    exists: async (id: string): Promise<boolean> => (await model.exists({ _id: objectIdOf(id) ?? null })) !== null,
    /** Adds entries of documents that have none. */
    async addEntries(collection: ActiveCollection, documentIds: readonly string[]): Promise<void> {
      const records = documentIds.map((documentId) => ({
        ...within(collection),
        document_id: new mongoose.Types.ObjectId(documentId),
        state: 'waiting' as const,
        round: collection.round,
      }));
      await entries.insertMany(records, { ordered: false }).catch(ignoreDuplicateKey);
    },
    /** Requeues documents that failed before this round, and those whose result has changed. */
    async requeueFailedAndChanged(collection: ActiveCollection): Promise<void> {
      const { round, pipeline } = collection;
      const waiting = { $set: { state: 'waiting' as const, round, attempts: 0 } };
      await entries.updateMany({ ...within(collection), state: 'failed', round: { $ne: round } }, waiting);
      if (!pipeline.extract) return;
      const changed = await listChangedExtractions(connection, collection, pipeline.extract.prompt_revid);
      if (changed.length === 0) return;
      await entries.updateMany({ ...oneOf(collection, changed), state: 'indexed', round: { $ne: round } }, waiting);
    },
    /** The ids of documents with an entry, ordered, after `after`. */
    async documentIds(collection: Within, limit: number, after?: string): Promise<string[]> {
      const later = after === undefined ? {} : { document_id: { $gt: new mongoose.Types.ObjectId(after) } };
      const filter = { ...within(collection), ...later };
      const found = await entries.find(filter, { document_id: 1 }).sort({ document_id: 1 }).limit(limit).lean();
      return found.map(({ document_id }) => document_id.toHexString());
    },
    /** Marks entries as leaving: they are no longer indexed, and stay until their chunks are removed. */
    async markLeaving(collection: Within, documentIds: readonly string[]): Promise<void> {
      const change = { $set: { state: 'leaving' as const }, $unset: { lease: 1 as const, waits_for_text: 1 as const } };
      await entries.updateMany(oneOf(collection, documentIds), change);
    },
    async listLeaving(collection: Within): Promise<string[]> {
      const filter = { ...within(collection), state: 'leaving' as const };
      const found = await entries.find(filter, { document_id: 1 }).lean();
      return found.map(({ document_id }) => document_id.toHexString());
    },
    async removeLeaving(collection: Within, documentId: string): Promise<void> {
      await entries.deleteOne({ ...oneOf(collection, [documentId]), state: 'leaving' });
    },
    async setDecided(collection: ActiveCollection): Promise<void> {
      await model.updateOne(inRound(collection), { $set: { decided: true } });
    },
    /** Sets the embeddings if there are none. Returns those of the collection. */
    async setEmbeddings(id: string, embeddings: CollectionEmbeddings): Promise<CollectionEmbeddings | undefined> {
      const _id = objectIdOf(id) ?? null;
      await model.updateOne({ _id, embeddings: null }, { $set: { embeddings } });
      return (await model.findOne({ _id }, { embeddings: 1 }).lean())?.embeddings;
    },
    /** The finished documents that were not queued in this round. */
    async listOfEarlierRounds(collection: ActiveCollection, limit: number): Promise<string[]> {
      const done = { state: { $in: ['indexed' as const, 'failed' as const] }, round: { $ne: collection.round } };
      const filter = { ...within(collection), ...done };
      const found = await entries.find(filter, { document_id: 1 }).limit(limit).lean();
      return found.map(({ document_id }) => document_id.toHexString());
    },
    async requeue(collection: ActiveCollection, documentIds: readonly string[]): Promise<void> {
      const { round } = collection;
      const waiting = { $set: { state: 'waiting' as const, round, attempts: 0 } };
      await entries.updateMany({ ...oneOf(collection, documentIds), round: { $ne: round } }, waiting);
    },
    /** Removes the embeddings if they are of another model than this one. */
    async forgetEmbeddings(id: string, name: string): Promise<void> {
      const withOtherModel = { _id: objectIdOf(id) ?? null, 'embeddings.model': { $ne: name } };
      await model.updateOne(withOtherModel, { $unset: { embeddings: 1 } });
    },
    async addLanguages(id: string, languages: readonly TextLanguage[]): Promise<void> {
      await model.updateOne({ _id: objectIdOf(id) ?? null }, { $addToSet: { languages: { $each: [...languages] } } });
    },
    /** Claims a waiting document whose text is ready. */
    async claim(collection: Within): Promise<EntryClaim | undefined> {
      const claim = await leases.claim(
        { ...within(collection), state: 'waiting', waits_for_text: null },
        { milliseconds: leaseMs, sort: { _id: 1 }, set: { attempts: { $add: [{ $ifNull: ['$attempts', 0] }, 1] } } },
      );
      if (claim === undefined) return undefined;
      const { _id, document_id, attempts } = claim.record;
      const [entryId, documentId] = [_id.toHexString(), document_id.toHexString()];
      return { entryId, documentId, attempt: attempts, token: claim.token };
    },
    /** Returns false if the claim is lost. */
    async renew(claim: EntryClaim): Promise<boolean> {
      return (await leases.renew(one(claim), claim.token, leaseMs)) !== undefined;
    },
    /** Requeues the document without counting the attempt. */
    async release(claim: EntryClaim): Promise<void> {
      await leases.release(one(claim), claim.token, { $inc: { attempts: -1 } });
    },
    /** Requeues the document for the time when its text has been read. */
    async postpone(claim: EntryClaim): Promise<void> {
      await leases.release(one(claim), claim.token, { $set: { waits_for_text: true }, $inc: { attempts: -1 } });
    },
    /** Returns false if the claim is lost. */
    finish: (claim: EntryClaim, { pages, chunks, extractionVersion }: Indexed): Promise<boolean> =>
      releaseWith(claim, {
        state: 'indexed',
        pages,
        chunks,
        failure: null,
        ...(extractionVersion === undefined ? {} : { extraction_version: extractionVersion }),
      }),
    /** `keepsChunks`: the previously indexed chunks stay. Returns false if the claim is lost. */
    fail: (
      claim: EntryClaim,
      failure: { category: string; message: string },
      keepsChunks: boolean = false,
    ): Promise<boolean> =>
      releaseWith(claim, { state: 'failed', failure, ...(!keepsChunks && { pages: 0, chunks: 0 }) }),
    /** Removes the entry of a deleted document. */
    async forget(claim: EntryClaim): Promise<void> {
      await entries.deleteOne({ ...one(claim), ...leases.held(claim.token) });
    },
    /** Whether the document still belongs to the collection. */
    async hasEntry({ entryId }: EntryClaim): Promise<boolean> {
      const filter = { _id: new mongoose.Types.ObjectId(entryId), state: { $ne: 'leaving' as const } };
      return (await entries.exists(filter)) !== null;
    },
    /** Ends the indexing if no document waits, unless a new round has started. */
    async finishIfDone(collection: ActiveCollection): Promise<void> {
      const own = within(collection);
      if ((await entries.exists({ ...own, state: 'waiting' })) !== null) return;
      const failed = await entries.exists({ ...own, state: 'failed' });
      const indexed = await entries.exists({ ...own, state: 'indexed' });
      const status = failed !== null && indexed === null ? 'failed' : 'ready';
      await model.updateOne({ ...inRound(collection), decided: true }, { $set: { status, ended_at: new Date() } });
    },
  };
}

/** Undefined for a damaged one, which holds up no other. */
function soundCollection(record: CollectionRecord): ActiveCollection | undefined {
  try {
    return activeCollection(record);
  } catch {
    return undefined;
  }
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
