import type { CollectionStatus, Pipeline, Role } from '@docwright/contract';
import type { TextLanguage } from '@docwright/language';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';
import type { StoredLease } from '../../platform/leases/leases.ts';
import type { StoredSource } from '../sources/index.ts';

/** The vectors of a collection. Only vectors of the same model and length can be compared. */
export interface CollectionEmbeddings {
  model: string;
  dimensions: number;
}

/** An applied pipeline. Its chunks are in a database collection of their own (`chunk-repository.ts`). */
export interface CollectionRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  name: string;
  /** The conversation in which its pipeline was built. Each conversation has at most one collection. */
  conversation_id?: Types.ObjectId;
  source_id: Types.ObjectId;
  /** A copy of the source, so that the collection does not depend on it. */
  source: { document_ids: string[] | null; tag_ids: string[] | null; name_search: string | null };
  pipeline: Pipeline;
  status: CollectionStatus;
  /** Whether all documents of the source have an entry. */
  decided: boolean;
  /** How often it was updated. */
  round?: number;
  /** Absent if the chunks have no searchable vectors. */
  embeddings?: CollectionEmbeddings;
  /** The languages of its chunks. */
  languages?: TextLanguage[];
  created_at: Date;
  created_by: Types.ObjectId;
  /** The user of the last update, on whose behalf documents are extracted. Absent until the first update. */
  indexed_for?: Types.ObjectId;
  /** The maximum role for indexing: the role of that user at the time. */
  role: Role;
  ended_at: Date | null;
  /** The sums of its documents, with those in the trash, once no document waits. */
  kept?: KeptProgress;
}

/** Valid while the indexing that ended then is the last one, and the collection has so many documents. */
export interface KeptProgress extends EntrySums {
  ended_at: Date;
  documents: number;
}

/** Sums of documents of a collection: by state, and failed ones by category. */
export interface EntrySums {
  states: { state: EntryState; documents: number; pages: number; chunks: number }[];
  failures: { category: string; documents: number }[];
}

/** `leaving`: the document left the source, and its chunks are being removed. */
export type EntryState = 'waiting' | 'indexed' | 'failed' | 'leaving';

/** One document of a collection, and its state. */
export interface EntryRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  collection_id: Types.ObjectId;
  document_id: Types.ObjectId;
  state: EntryState;
  /** The lease of the worker that indexes it. */
  lease?: StoredLease | null;
  /** It is skipped until its text has been read. */
  waits_for_text?: true;
  /** The last round of its collection that queued it, so that a repeated decision counts once. */
  round?: number;
  /** The version of the result that was indexed. */
  extraction_version?: number;
  /** How often indexing was started. A document that repeatedly kills its worker fails. */
  attempts: number;
  pages: number;
  chunks: number;
  failure: { category: string; message: string } | null;
}

const id = { type: mongoose.Schema.Types.ObjectId, required: true } as const;
const text = { type: String, required: true } as const;
const mixed = { type: mongoose.Schema.Types.Mixed, default: null } as const;
const count = { type: Number, default: 0 } as const;

const collectionSchema = new mongoose.Schema<CollectionRecord>(
  {
    organization_id: id,
    name: text,
    conversation_id: { type: mongoose.Schema.Types.ObjectId },
    source_id: id,
    source: { type: mongoose.Schema.Types.Mixed, required: true },
    pipeline: { type: mongoose.Schema.Types.Mixed, required: true },
    status: text,
    decided: { type: Boolean, default: false },
    round: { type: Number },
    embeddings: { type: mongoose.Schema.Types.Mixed },
    languages: { type: [String] },
    created_at: { type: Date, required: true },
    created_by: id,
    indexed_for: { type: mongoose.Schema.Types.ObjectId },
    role: text,
    ended_at: { type: Date, default: null },
    kept: { type: mongoose.Schema.Types.Mixed },
  },
  { collection: 'collections', versionKey: false, minimize: false, autoIndex: false },
);
collectionSchema.index({ organization_id: 1, _id: -1 });
collectionSchema.index({ status: 1, _id: 1 });
collectionSchema.index({ conversation_id: 1 }, { unique: true, sparse: true });

const entrySchema = new mongoose.Schema<EntryRecord>(
  {
    organization_id: id,
    collection_id: id,
    document_id: id,
    state: text,
    lease: { type: mongoose.Schema.Types.Mixed },
    waits_for_text: { type: Boolean },
    round: { type: Number },
    extraction_version: { type: Number },
    attempts: count,
    pages: count,
    chunks: count,
    failure: mixed,
  },
  { collection: 'collection_documents', versionKey: false, autoIndex: false },
);
entrySchema.index({ collection_id: 1, document_id: 1 }, { unique: true });
entrySchema.index({ collection_id: 1, state: 1, _id: 1 });
entrySchema.index({ collection_id: 1, 'failure.category': 1 });
entrySchema.index({ document_id: 1 });
entrySchema.index({ waits_for_text: 1 }, { sparse: true });

export function collectionModel(connection: Connection): Model<CollectionRecord> {
  return connection.models['Collection'] ?? connection.model<CollectionRecord>('Collection', collectionSchema);
}

export function entryModel(connection: Connection): Model<EntryRecord> {
  return connection.models['CollectionDocument'] ?? connection.model<EntryRecord>('CollectionDocument', entrySchema);
}

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
