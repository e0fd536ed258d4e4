import mongoose, { type Connection, type Model, type Types } from 'mongoose';
import type { StoredLease } from '../../platform/leases/leases.ts';

export interface TaskConversationRecord {
  _id: Types.ObjectId;
  /** The id in the API: counted over all processes. */
  number: number;
  organization_id: Types.ObjectId;
  user_id: Types.ObjectId;
  title: string;
  created_at: Date;
  updated_at: Date;
  /** The lease while the agent answers. */
  answering?: StoredLease | null;
}

export interface TaskMessageRecord {
  /** Counted over all processes and conversations. */
  _id: number;
  conversation_id: Types.ObjectId;
  role: 'user' | 'assistant';
  content: string;
  /** JSON text: arguments and results can have keys that a database would interpret. */
  tool_calls: string;
  /** JSON text of an answer's messages as sent to the model. */
  sent?: string;
  created_at: Date;
}

interface CounterRecord {
  _id: string;
  value: number;
}

const id = { type: mongoose.Schema.Types.ObjectId, required: true };
const date = { type: Date, required: true };
const text = { type: String, required: true };

const conversationSchema = new mongoose.Schema<TaskConversationRecord>(
  {
    number: { type: Number, required: true },
    organization_id: id,
    user_id: id,
    title: text,
    created_at: date,
    updated_at: date,
    answering: { type: mongoose.Schema.Types.Mixed, default: null },
  },
  { collection: 'task_conversations', versionKey: false, autoIndex: false },
);
conversationSchema.index({ number: 1 }, { unique: true });
conversationSchema.index({ organization_id: 1, user_id: 1, updated_at: -1, number: -1 });

const messageSchema = new mongoose.Schema<TaskMessageRecord>(
  {
    _id: { type: Number, required: true },
    conversation_id: id,
    role: text,
    content: text,
    tool_calls: text,
    sent: { type: String },
    created_at: date,
  },
  { collection: 'task_messages', versionKey: false, autoIndex: false },
);
messageSchema.index({ conversation_id: 1, _id: 1 });

const counterSchema = new mongoose.Schema<CounterRecord>(
  { _id: { type: String, required: true }, value: { type: Number, required: true } },
  { collection: 'counters', versionKey: false, autoIndex: false },
);

export function taskConversationModel(connection: Connection): Model<TaskConversationRecord> {
  return (
    connection.models['TaskConversation'] ??
    connection.model<TaskConversationRecord>('TaskConversation', conversationSchema)
  );
}

export function taskMessageModel(connection: Connection): Model<TaskMessageRecord> {
  return connection.models['TaskMessage'] ?? connection.model<TaskMessageRecord>('TaskMessage', messageSchema);
}

/** The last assigned number of each kind. */
export function counterModel(connection: Connection): Model<CounterRecord> {
  return connection.models['Counter'] ?? connection.model<CounterRecord>('Counter', counterSchema);
}
