import type { CollectionStatus, Pipeline, Role } from '@docwright/contract';
import type { TextLanguage } from '@docwright/language';
import type { mongo } from 'mongoose';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';
import type { StoredLease } from '../../platform/leases/leases.ts';
import type { StoredSource } from '../sources/index.ts';

/** The vectors of a collection. Only vectors of the same model and length can be compared. */
export interface CollectionEmbeddings {
  model: string;
  dimensions: number;
}

/** An applied pipeline. Its chunks are in a database collection of their own (`chunk-repository.ts`). */
export type CollectionRecord = StoredRecord<typeof collectionSchema>;

/** Valid while the indexing that ended then is the last one, and the collection has so many documents. */
export interface KeptProgress extends EntrySums {
  ended_at: Date;
  documents: number;
  /** The ids of these documents, one after another, by state. Older releases did not keep them. */
  ids?: { state: EntryState; ids: mongo.Binary }[];
}

/** Sums of documents of a collection: by state, and failed ones by category. */
export interface EntrySums {
  states: { state: EntryState; documents: number; pages: number; chunks: number }[];
  failures: { category: string; documents: number }[];
}

/** `leaving`: the document left the source, and its chunks are being removed. */
export type EntryState = 'waiting' | 'indexed' | 'failed' | 'leaving';

/** One document of a collection, and its state. */
export type EntryRecord = StoredRecord<typeof entrySchema>;

const collectionSchema = recordSchema(
  {
    organization_id: field.objectId,
    name: field.text,
    /** The conversation in which its pipeline was built. Each conversation has at most one collection. */
    conversation_id: field.objectId.optional(),
    source_id: field.objectId,
    /** A copy of the source, so that the collection does not depend on it. */
    source: field.mixed<{ document_ids: string[] | null; tag_ids: string[] | null; name_search: string | null }>(),
    pipeline: field.mixed<Pipeline>(),
    status: field.oneOf<CollectionStatus>(),
    /** Whether all documents of the source have an entry. */
    decided: field.flag.default(false),
    /** How often it was updated. */
    round: field.number.optional(),
    /** Absent if the chunks have no searchable vectors. */
    embeddings: field.mixed<CollectionEmbeddings>().optional(),
    /** The languages of its chunks. */
    languages: field.oneOf<TextLanguage>().list().default([]).optional(),
    created_at: field.date,
    created_by: field.objectId,
    /** The user of the last update, on whose behalf documents are extracted. Absent until the first update. */
    indexed_for: field.objectId.optional(),
    /** The maximum role for indexing: the role of that user at the time. */
    role: field.oneOf<Role>(),
    ended_at: field.date.orNull(),
    /** The sums of its documents, with those in the trash, once no document waits. */
    kept: field.mixed<KeptProgress>().optional(),
  },
  { collection: 'collections', keepsEmptyObjects: true },
);
collectionSchema.index({ organization_id: 1, _id: -1 });
collectionSchema.index({ status: 1, _id: 1 });
collectionSchema.index({ conversation_id: 1 }, { unique: true, sparse: true });

const entrySchema = recordSchema(
  {
    organization_id: field.objectId,
    collection_id: field.objectId,
    document_id: field.objectId,
    state: field.oneOf<EntryState>(),
    /** The lease of the worker that indexes it. */
    lease: field.mixed<StoredLease>().optionalOrNull(),
    /** It is skipped until its text has been read. */
    waits_for_text: field.mark.optional(),
    /** The last round of its collection that queued it, so that a repeated decision counts once. */
    round: field.number.optional(),
    /** The version of the result that was indexed. */
    extraction_version: field.number.optional(),
    /** How often indexing was started. A document that repeatedly kills its worker fails. */
    attempts: field.number.default(0),
    pages: field.number.default(0),
    chunks: field.number.default(0),
    failure: field.mixed<{ category: string; message: string }>().orNull(),
  },
  { collection: 'collection_documents' },
);
const ofCollection = { organization_id: 1, collection_id: 1 } as const;
entrySchema.index({ ...ofCollection, document_id: 1 }, { unique: true });
entrySchema.index({ ...ofCollection, state: 1, _id: 1 });
entrySchema.index({ ...ofCollection, 'failure.category': 1 });
entrySchema.index({ organization_id: 1, document_id: 1 });
entrySchema.index({ waits_for_text: 1 }, { sparse: true });

export const collectionModel = modelOf('Collection', collectionSchema);

export const entryModel = modelOf('CollectionDocument', entrySchema);

/** The copy of the source in a collection. */
export function sourceOf({ source_id, source, created_at, created_by }: CollectionRecord): StoredSource {
  const { document_ids, tag_ids, name_search } = source;
  return {
    id: source_id.toHexString(),
    name: '',
    ...(document_ids ? { document_ids } : {}),
    ...(tag_ids ? { tag_ids } : {}),
    ...(name_search === null ? {} : { name_search }),
    created_at: created_at.toISOString(),
    created_by: created_by.toHexString(),
  };
}
