import type { AskScope, Mention, ReasoningLevel } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';

export interface ThreadRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  document_id: Types.ObjectId;
  user_id: Types.ObjectId;
  title: string;
  /** Whether a user chose the title; else it is derived from the first message. */
  is_named: boolean;
  model?: string;
  /** Chosen for this thread; null or absent: as the model's setting says. */
  reasoning?: ReasoningLevel | null;
  /** JSON: the field names of an extraction are arbitrary, and a database might interpret them. */
  working_state: string;
  /** The number of the next message. Numbers only grow, so that the order is right after a truncation. */
  next_number: number;
  created_at: Date;
  updated_at: Date;
  /** Set while it is being removed because its time is over. Its owner no longer sees it. */
  is_expired?: boolean;
}

/** A call of a message. The origin of its arguments is JSON, because its keys are paths. */
export interface StoredCall {
  id: string;
  name: string;
  arguments: string;
  origin?: string;
}

export interface ThreadMessageRecord {
  _id: Types.ObjectId;
  thread_id: Types.ObjectId;
  number: number;
  role: 'user' | 'assistant' | 'tool';
  content: string;
  thinking?: string | undefined;
  thinking_ms?: number | undefined;
  tool_calls?: StoredCall[] | undefined;
  tool_call_id?: string | undefined;
  success?: boolean | undefined;
  mentions?: Mention[] | undefined;
  /** Of a question over many documents. */
  scope?: AskScope | undefined;
  /** JSON of the claims and coverage of an answer over many documents: values of results have arbitrary keys. */
  checked?: string | undefined;
  /** JSON of SentParts, which are sent back to the model that wrote the message. */
  sent?: string | undefined;
  created_at: Date;
}

const id = { type: mongoose.Schema.Types.ObjectId, required: true };
const time = { type: Date, required: true };
const anything = mongoose.Schema.Types.Mixed;

const threadSchema = new mongoose.Schema<ThreadRecord>(
  {
    organization_id: id,
    document_id: id,
    user_id: id,
    title: { type: String, required: true },
    is_named: { type: Boolean, required: true },
    model: { type: String },
    reasoning: { type: String },
    working_state: { type: String, required: true },
    next_number: { type: Number, required: true },
    created_at: time,
    updated_at: time,
    is_expired: { type: Boolean },
  },
  { collection: 'agent_threads', versionKey: false, autoIndex: false },
);
threadSchema.index({ organization_id: 1, document_id: 1, user_id: 1, updated_at: -1 });

const threadMessageSchema = new mongoose.Schema<ThreadMessageRecord>(
  {
    thread_id: id,
    number: { type: Number, required: true },
    role: { type: String, required: true },
    content: { type: String, default: '' },
    thinking: { type: String },
    thinking_ms: { type: Number },
    tool_calls: { type: anything },
    tool_call_id: { type: String },
    success: { type: Boolean },
    mentions: { type: anything },
    scope: { type: anything },
    checked: { type: String },
    sent: { type: String },
    created_at: time,
  },
  { collection: 'agent_thread_messages', versionKey: false, autoIndex: false },
);
threadMessageSchema.index({ thread_id: 1, number: 1 }, { unique: true });

export function threadModel(connection: Connection): Model<ThreadRecord> {
  return connection.models['Thread'] ?? connection.model<ThreadRecord>('Thread', threadSchema);
}

export function threadMessageModel(connection: Connection): Model<ThreadMessageRecord> {
  return (
    connection.models['ThreadMessage'] ?? connection.model<ThreadMessageRecord>('ThreadMessage', threadMessageSchema)
  );
}
