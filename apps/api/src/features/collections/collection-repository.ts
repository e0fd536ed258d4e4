import type { Collection, FailureCategory, Pipeline, Role } from '@docwright/contract';
import type { TextLanguage } from '@docwright/language';
import mongoose, { type Connection, type Types } from 'mongoose';
import { readPage, type PageEnd, type PageSelection } from '../../platform/database/page.ts';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { objectIdOf, objectIdsOf } from '../../platform/database/object-id.ts';
import { defaultLanguage } from '../pipelines/index.ts';
import { listChangedExtractions } from './changed-extraction-repository.ts';
import {
  collectionModel,
  entryModel,
  sourceOf,
  type CollectionEmbeddings,
  type CollectionRecord,
  type KeptProgress,
  type EntrySums,
} from './collection-model.ts';
import { entrySums, entrySumsAndIds, idsWithin, progressOf, without } from './entry-sum-repository.ts';
import { beingPurged, createDocumentIds } from '../documents/index.ts';
import type { StoredSource } from '../sources/index.ts';
import { presentEachLater } from '../../platform/records/unreadable-records.ts';

interface NewCollection {
  name: string;
  source: StoredSource;
  pipeline: Pipeline;
  conversation_id?: string;
  created_by: string;
  role: Role;
}

/** The state from which the changes of an update are counted. */
interface CollectionContents {
  source: StoredSource;
  /** The ids of its documents, by state. */
  ids: NonNullable<KeptProgress['ids']>;
  /** The documents whose result has changed since it was indexed. */
  changed: string[];
  embeddings: CollectionEmbeddings | undefined;
}

/** `contents` is undefined while documents can still be indexed. */
interface ReadEntries {
  sums: EntrySums;
  /** The ids of the documents, if they are known. */
  ids: KeptProgress['ids'];
}

/** The collections of one organization. */
export type CollectionRepository = ReturnType<ReturnType<typeof createCollectionRepositories>>;

const maxExamples = 3;

export function createCollectionRepositories(connection: Connection) {
  const model = collectionModel(connection);
  const entries = entryModel(connection);

  const documentIds = createDocumentIds(connection);
  const trashedOf = async (organization_id: Types.ObjectId): Promise<Types.ObjectId[]> =>
    // A range of the index, which "not null" is not.
    objectIdsOf([...(await documentIds({ organization_id, deleted_at: { $gte: beingPurged } }))]);

  async function present(record: CollectionRecord, trash?: readonly Types.ObjectId[]): Promise<Collection> {
    const { sums: all, ids } = await readEntries(record);
    // Those in the trash count again once they are restored.
    const trashed = idsWithin(ids, trash ?? (await trashedOf(record.organization_id)));
    const own = { organization_id: record.organization_id, collection_id: record._id };
    const hidden = trashed.length === 0 ? undefined : { ...own, document_id: { $in: trashed } };
    const sums = hidden === undefined ? all : without(all, await entrySums(entries, hidden));
    return {
      id: record._id.toHexString(),
      name: record.name,
      source_id: record.source_id.toHexString(),
      status: record.status,
      pipeline: record.pipeline,
      search: { lexical: true, vectors: record.embeddings !== undefined },
      progress: progressOf(sums),
      failures: await failuresOf(own, sums, trashed),
      created_at: record.created_at.toISOString(),
      created_by: record.created_by.toHexString(),
      ...(record.ended_at ? { ended_at: record.ended_at.toISOString() } : {}),
    };
  }

  /** What is kept of the documents of a collection, if it is still so. */
  async function readEntries({ _id, organization_id, status, ended_at, kept }: CollectionRecord): Promise<ReadEntries> {
    const own = { organization_id, collection_id: _id };
    // Of other collections, a document can still be indexed: a stopped one has workers that finish.
    const isStill = ended_at !== null && (status === 'ready' || status === 'failed');
    if (!isStill) return { sums: await entrySums(entries, own), ids: undefined };
    // Without indexing, documents only leave.
    const isValid = kept?.ended_at.getTime() === ended_at.getTime();
    if (isValid && kept.ids && (await entries.countDocuments(own)) === kept.documents)
      return { sums: kept, ids: kept.ids };
    const { ids, ...sums } = await entrySumsAndIds(entries, own);
    const total = sums.states.reduce((sum, state) => sum + state.documents, 0);
    await model.updateOne({ _id, status, ended_at }, { $set: { kept: { ended_at, documents: total, ...sums, ids } } });
    return { sums, ids };
  }

  async function failuresOf(
    own: { organization_id: Types.ObjectId; collection_id: Types.ObjectId },
    { failures }: EntrySums,
    trashed: readonly Types.ObjectId[],
  ): Promise<FailureCategory[]> {
    const shown = failures.filter(({ documents: count }) => count > 0);
    return await Promise.all(
      shown.map(async ({ category, documents: count }) => {
        const failed = { ...own, 'failure.category': category, state: 'failed' as const };
        const found = await entries
          .find({ ...failed, ...(trashed.length > 0 && { document_id: { $nin: [...trashed] } }) })
          .limit(maxExamples)
          .lean();
        const examples = found.map(({ document_id, failure }) => ({
          document_id: document_id.toHexString(),
          message: failure?.message ?? '',
        }));
        return { category, count, examples };
      }),
    );
  }

  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const one = (id: string) => ({ _id: objectIdOf(id) ?? null, organization_id });
    return {
      /** Undefined if the conversation already has a collection. */
      async create({
        name,
        source,
        pipeline,
        conversation_id,
        created_by,
        role,
      }: NewCollection): Promise<Collection | undefined> {
        const record = {
          organization_id,
          name,
          ...(conversation_id === undefined ? {} : { conversation_id: new mongoose.Types.ObjectId(conversation_id) }),
          source_id: new mongoose.Types.ObjectId(source.id),
          source: {
            document_ids: source.document_ids ?? null,
            tag_ids: source.tag_ids ?? null,
            name_search: source.name_search ?? null,
          },
          pipeline,
          status: 'indexing' as const,
          created_at: new Date(),
          created_by: new mongoose.Types.ObjectId(created_by),
          role,
        };
        try {
          return await present((await model.create(record)).toObject());
        } catch (error) {
          if (isDuplicateKey(error)) return undefined;
          throw error;
        }
      },
      async ofConversation(conversationId: string): Promise<Collection | undefined> {
        const filter = { organization_id, conversation_id: new mongoose.Types.ObjectId(conversationId) };
        const record = await model.findOne(filter).lean();
        return record === null ? undefined : await present(record);
      },
      async get(id: string): Promise<Collection | undefined> {
        const record = await model.findOne(one(id)).lean();
        return record === null ? undefined : await present(record);
      },
      /** The search settings of a collection; far cheaper than `get`, which counts its progress. */
      async searchOf(
        id: string,
      ): Promise<{ embeddings: CollectionEmbeddings | undefined; languages: TextLanguage[] } | undefined> {
        const record = await model.findOne(one(id), { embeddings: 1, languages: 1 }).lean();
        if (record === null) return undefined;
        const { embeddings, languages = [] } = record;
        return { embeddings, languages: languages.length === 0 ? [defaultLanguage] : languages };
      },
      /** The newest collections with vectors of one model and length, or the named one if it has vectors. */
      async withVectors(
        named: string | undefined,
        limit: number,
      ): Promise<{ ids: string[]; embeddings: CollectionEmbeddings } | undefined> {
        const filter = { ...(named === undefined ? { organization_id } : one(named)), embeddings: { $exists: true } };
        const records = await model.find(filter, { embeddings: 1 }).sort({ _id: -1 }).limit(limit).lean();
        const embeddings = records[0]?.embeddings;
        if (embeddings === undefined) return undefined;
        const alike = records.filter(
          ({ embeddings: own }) => own?.model === embeddings.model && own.dimensions === embeddings.dimensions,
        );
        return { ids: alike.map(({ _id }) => _id.toHexString()), embeddings };
      },
      /** Newest first. */
      async list(page: PageSelection): Promise<{ collections: Collection[] } & PageEnd> {
        const { records, end } = await readPage(model, { organization_id }, { ...page, sort: { _id: -1 } });
        const trash = records.length === 0 ? [] : await trashedOf(organization_id);
        return { collections: await presentEachLater(records, (record) => present(record, trash)), ...end };
      },
      countIndexing: (): Promise<number> => model.countDocuments({ organization_id, status: 'indexing' }),
      async contents(id: string): Promise<CollectionContents | undefined> {
        const record = await model.findOne(one(id)).lean();
        if (record === null) return undefined;
        const ids =
          (await readEntries(record)).ids ??
          (await entrySumsAndIds(entries, { organization_id, collection_id: record._id })).ids;
        const { extract } = record.pipeline;
        return {
          source: sourceOf(record),
          ids,
          changed: extract
            ? await listChangedExtractions(connection, { id, organizationId }, extract.prompt_revid)
            : [],
          embeddings: record.embeddings,
        };
      },
      /** Starts a new round for this user. Returns false if the collection is being indexed or does not exist. */
      async update(id: string, { userId, role }: { userId: string; role: Role }): Promise<boolean> {
        const set = {
          status: 'indexing' as const,
          decided: false,
          ended_at: null,
          indexed_for: new mongoose.Types.ObjectId(userId),
          role,
        };
        const filter = { ...one(id), status: { $ne: 'indexing' as const } };
        const { matchedCount } = await model.updateOne(filter, { $set: set, $inc: { round: 1 } });
        return matchedCount === 1;
      },
      /** Returns false if it was not being indexed. */
      async stop(id: string): Promise<boolean> {
        const { matchedCount } = await model.updateOne(
          { ...one(id), status: 'indexing' },
          { $set: { status: 'stopped', ended_at: new Date() } },
        );
        return matchedCount === 1;
      },
      /** Removes its record and entries. Returns false if it does not exist. */
      async remove(id: string): Promise<boolean> {
        const { deletedCount } = await model.deleteOne(one(id));
        if (deletedCount === 0) return false;
        await entries.deleteMany({ organization_id, collection_id: new mongoose.Types.ObjectId(id) });
        return true;
      },
      /** Removes a document from every collection. Returns the ids of those collections. */
      async removeDocument(documentId: string): Promise<string[]> {
        const ofDocument = { organization_id, document_id: new mongoose.Types.ObjectId(documentId) };
        const found = await entries.find(ofDocument, { collection_id: 1 }).lean();
        if (found.length > 0) await entries.deleteMany(ofDocument);
        return found.map(({ collection_id }) => collection_id.toHexString());
      },
    };
  };
}
