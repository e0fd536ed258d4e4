import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/**
 * The kinds of records that a turn can write and undo can restore. A `split` is all documents that one call made from
 * another.
 */
export type WrittenKind = 'schema' | 'prompt' | 'tag' | 'document' | 'extraction' | 'split';

/** A record's state before a call's write; stored before the write itself. */
export interface TurnWriteRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  turn_id: string;
  call_id: string;
  tool: string;
  kind: WrittenKind;
  /** Absent if the call creates the record, which is then found by its call. */
  thing_id?: string;
  /** The document whose content `before` contains: deleting the document clears it. */
  document_id?: string;
  /** JSON; `null` if the record did not exist. */
  before: string;
  /** The record's number of changes before the write. */
  base: number;
  at: Date;
  /** The user in whose name it is written; absent in older records. */
  user_id?: string;
  /** Absent while the write waits for a review. */
  expires_at?: Date;
}

/** How long after its start a turn can be undone: as long as a deleted document is kept. */
export const undoOfferedMs = 30 * 24 * 60 * 60 * 1000;

const text = { type: String, required: true } as const;

const turnWriteSchema = new mongoose.Schema<TurnWriteRecord>(
  {
    organization_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    turn_id: text,
    call_id: text,
    tool: text,
    kind: text,
    thing_id: { type: String },
    document_id: { type: String },
    before: text,
    base: { type: Number, required: true },
    at: { type: Date, required: true },
    user_id: { type: String },
    expires_at: { type: Date },
  },
  { collection: 'turn_writes', versionKey: false, autoIndex: false },
);
turnWriteSchema.index({ call_id: 1 }, { unique: true });
turnWriteSchema.index({ turn_id: 1, at: -1 });
turnWriteSchema.index({ document_id: 1 }, { sparse: true });
turnWriteSchema.index({ thing_id: 1, at: -1 }, { sparse: true });
turnWriteSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export function turnWriteModel(connection: Connection): Model<TurnWriteRecord> {
  return connection.models['TurnWrite'] ?? connection.model<TurnWriteRecord>('TurnWrite', turnWriteSchema);
}
