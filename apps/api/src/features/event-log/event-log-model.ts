import type { EventType } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/** An event that waits in the outbox of the record that it is about, written together with that record. */
export interface OutboxEvent {
  /** Stored, so that an event that is published twice keeps its id. */
  id: string;
  type: EventType;
  at: Date;
  data?: Record<string, unknown>;
}

/** An event of the log. */
export interface EventRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  seq: number;
  id: string;
  type: EventType;
  at: Date;
  document_id?: string;
  prompt_id?: string;
  data: Record<string, unknown>;
  /** When it entered the log. */
  stored_at: Date;
}

const schema = new mongoose.Schema<EventRecord>(
  {
    organization_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    seq: { type: Number, required: true },
    id: { type: String, required: true },
    type: { type: String, required: true },
    at: { type: Date, required: true },
    document_id: { type: String },
    prompt_id: { type: String },
    data: { type: mongoose.Schema.Types.Mixed, required: true },
    stored_at: { type: Date, required: true },
  },
  { collection: 'event_log', versionKey: false, minimize: false, autoIndex: false },
);
// The first insert of a number wins it. The next number can be inserted only when this one is visible.
schema.index({ organization_id: 1, seq: 1 }, { unique: true });
schema.index({ organization_id: 1, id: 1 }, { unique: true });
schema.index({ organization_id: 1, stored_at: 1 });
schema.index({ stored_at: 1 });
schema.index({ document_id: 1 }, { sparse: true });

export function eventLogModel(connection: Connection): Model<EventRecord> {
  return connection.models['EventLog'] ?? connection.model<EventRecord>('EventLog', schema);
}
