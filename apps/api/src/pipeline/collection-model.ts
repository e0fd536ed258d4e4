import type { CollectionStatus, Pipeline, Role } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/** An applied pipeline. Its chunks stand in a collection of their own (`chunk-repository.ts`). */
export interface CollectionRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  name: string;
  source_id: Types.ObjectId;
  /** The source as it was, so that deleting it later changes nothing. */
  source: { document_ids: string[] | null; tag_ids: string[] | null; name_search: string | null };
  pipeline: Pipeline;
  status: CollectionStatus;
  /** Whether all documents of the source have their entry. */
  decided: boolean;
  /** Whether chunks have vectors that can be searched. */
  vectors: boolean;
  created_at: Date;
  created_by: Types.ObjectId;
  role: Role;
  ended_at: Date | null;
}

export type EntryState = 'waiting' | 'indexed' | 'failed';

/** One document of a collection, and what has become of it. */
export interface EntryRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  collection_id: Types.ObjectId;
  document_id: Types.ObjectId;
  state: EntryState;
  /** Who indexes it. `beat` counts up as long as they live: no clock is compared with another's. */
  lease?: { owner: string; beat: number } | null;
  /** It comes again once its text has been read. */
  waits_for_text?: true;
  /** How often indexing was begun: a document that kills its worker again and again is given up. */
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
    source_id: id,
    source: { type: mongoose.Schema.Types.Mixed, required: true },
    pipeline: { type: mongoose.Schema.Types.Mixed, required: true },
    status: text,
    decided: { type: Boolean, default: false },
    vectors: { type: Boolean, default: false },
    created_at: { type: Date, required: true },
    created_by: id,
    role: text,
    ended_at: { type: Date, default: null },
  },
  { collection: 'collections', versionKey: false, minimize: false, autoIndex: false },
);
collectionSchema.index({ organization_id: 1, _id: -1 });
collectionSchema.index({ status: 1, _id: 1 });

const entrySchema = new mongoose.Schema<EntryRecord>(
  {
    organization_id: id,
    collection_id: id,
    document_id: id,
    state: text,
    lease: { type: mongoose.Schema.Types.Mixed },
    waits_for_text: { type: Boolean },
    attempts: count,
    pages: count,
    chunks: count,
    failure: mixed,
  },
  { collection: 'collection_documents', versionKey: false, autoIndex: false },
);
entrySchema.index({ collection_id: 1, document_id: 1 }, { unique: true });
entrySchema.index({ collection_id: 1, state: 1, _id: 1 });
entrySchema.index({ document_id: 1 });
entrySchema.index({ waits_for_text: 1 }, { sparse: true });

export function collectionModel(connection: Connection): Model<CollectionRecord> {
  return connection.models['Collection'] ?? connection.model<CollectionRecord>('Collection', collectionSchema);
}

export function entryModel(connection: Connection): Model<EntryRecord> {
  return connection.models['CollectionDocument'] ?? connection.model<EntryRecord>('CollectionDocument', entrySchema);
}
