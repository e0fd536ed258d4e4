import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/** The records that a turn can write and undo can restore. A `split` is all documents that one call split another into. */
export type WrittenKind = 'schema' | 'prompt' | 'tag' | 'document' | 'extraction' | 'split' | 'task';

/** The state of a record before a call wrote it; stored before the write itself. */
export interface TurnWriteRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  turn_id: string;
  call_id: string;
  tool: string;
  kind: WrittenKind;
  /** Absent for a created record: the record names the call. */
  thing_id?: string;
  /** The document whose content `before` contains; both are removed together. */
  document_id?: string;
  /** JSON; `null` if the record did not exist. */
  before: string;
  /** The record's number of changes before the write. */
  base: number;
  at: Date;
  /** The user in whose name it is written; absent in old records. */
  user_id?: string;
  /** Absent while the write is pending review. */
  expires_at?: Date;
}

/** How long after its start a turn can be undone: as long as the trash stores documents that an agent deleted. */
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
