import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/**
 * The newest result of a prompt on a document. A read model: it is derived from the extractions, and can be rebuilt from
 * them by marking these.
 */
export interface ResultIndexRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  prompt_id: string;
  document_id: Types.ObjectId;
  prompt_revid: Types.ObjectId;
  document_name: string;
  version: number;
  release: 'open' | 'released' | 'withdrawn';
  is_verified: boolean;
  is_complete: boolean;
  /** The result as text of `storedJson`; empty in the entry of a removed one. */
  result: string;
  /** By path, the digits of numbers that JSON would round, as JSON. */
  exact: string;
  /** Set when no result is left, until copies in memory have removed it. */
  is_removed?: boolean;
  /** When the result was written. */
  changed_at: Date;
  /** Counts the writes of this entry: a write applies only to the entry that was read before the results were. */
  writes: number;
  /** By the database's clock. */
  indexed_at?: Date;
}

const objectId = { type: mongoose.Schema.Types.ObjectId, required: true } as const;

const schema = new mongoose.Schema<ResultIndexRecord>(
  {
    organization_id: objectId,
    prompt_id: { type: String, required: true },
    document_id: objectId,
    prompt_revid: objectId,
    document_name: { type: String },
    version: { type: Number },
    release: { type: String },
    is_verified: { type: Boolean },
    is_complete: { type: Boolean },
    result: { type: String },
    exact: { type: String },
    is_removed: { type: Boolean },
    changed_at: { type: Date },
    writes: { type: Number, required: true },
    indexed_at: { type: Date },
  },
  { collection: 'result_index', versionKey: false, autoIndex: false },
);
schema.index({ organization_id: 1, prompt_id: 1, document_id: 1 }, { unique: true });
schema.index({ organization_id: 1, prompt_id: 1, indexed_at: 1 });
schema.index({ document_id: 1 });
schema.index({ is_removed: 1, indexed_at: 1 }, { sparse: true });

export function resultIndexModel(connection: Connection): Model<ResultIndexRecord> {
  return connection.models['ResultIndex'] ?? connection.model<ResultIndexRecord>('ResultIndex', schema);
}

/** A counter for each prompt, which each write of its entries increments: copies in memory see that they are outdated. */
interface StampRecord {
  /** The organization's id and the prompt's. */
  _id: string;
  stamp: number;
  /** When the results were last read, to the hour: a process reads them into memory when it starts. */
  used_at?: Date;
}

const stampSchema = new mongoose.Schema<StampRecord>(
  { _id: { type: String, required: true }, stamp: { type: Number, required: true }, used_at: { type: Date } },
  { collection: 'result_index_stamps', versionKey: false, autoIndex: false },
);
stampSchema.index({ used_at: 1 }, { sparse: true });

export function resultStampModel(connection: Connection): Model<StampRecord> {
  return connection.models['ResultIndexStamp'] ?? connection.model<StampRecord>('ResultIndexStamp', stampSchema);
}
