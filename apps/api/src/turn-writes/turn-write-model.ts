import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/** What a turn can write, and undo take back. A `split` is all documents that one call made of another one. */
export type WrittenKind = 'schema' | 'prompt' | 'tag' | 'document' | 'extraction' | 'split';

/** How a thing was before a call wrote it; written before the write itself. */
export interface TurnWriteRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  turn_id: string;
  call_id: string;
  tool: string;
  kind: WrittenKind;
  /** Absent for what the call creates: that is found by the call. */
  thing_id?: string;
  /** The document whose content `before` holds, so that it goes with it. */
  document_id?: string;
  /** JSON; `null` where there was nothing. */
  before: string;
  /** How many changes the thing had seen. */
  base: number;
  at: Date;
  /** In whose name; absent for writes that were noted before this was stored. */
  user_id?: string;
  /** Absent while a person has yet to review what was written. */
  expires_at?: Date;
}

/** For how long after its beginning a turn can be undone: as long as a document that an agent deleted is kept. */
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
