import type { AgentConversationStatus, AgentQuestion, UncertaintySeverity } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';
import type { ProcessIdentity } from '../../platform/leases/process-identity.ts';

export interface UncertaintyRecord {
  id: string;
  severity: UncertaintySeverity;
  message: string;
  /** JSON text: a model's keys could have a meaning for the database. */
  context: string | null;
  resolved: boolean;
  resolved_by: string | null;
  created_at: Date;
}

export interface AgentConversationRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  user_id: Types.ObjectId;
  source_id: Types.ObjectId;
  status: AgentConversationStatus;
  collection_id: Types.ObjectId | null;
  /** JSON text, like the next two. */
  pipeline: string | null;
  source_analysis: string | null;
  /** Absent in older records. */
  validation?: string;
  summary: string | null;
  /** Null or absent without an open question. */
  question?: AgentQuestion | null;
  /** Absent for the default model. */
  model?: string;
  uncertainties: UncertaintyRecord[];
  created_at: Date;
  updated_at: Date;
  lock: ConversationLock | null;
}

/** The lease on a conversation. */
export interface ConversationLock {
  token: string;
  /** By the database's clock. */
  until: Date;
  holder: ProcessIdentity;
  /** JSON text of the unfinished answer; null if no message is being answered. */
  answer: string | null;
  /** Whether a stop was requested. */
  stop_wanted: boolean;
}

export interface AgentMessageRecord {
  _id: Types.ObjectId;
  conversation_id: Types.ObjectId;
  role: 'user' | 'assistant';
  content: string;
  /** JSON text. */
  tool_calls: string;
  /** JSON text; absent if no sub-agent ran. */
  subagents?: string;
  /** JSON text of the answer's messages as sent to the model. */
  sent?: string;
  created_at: Date;
  /** Extended by every activity in the conversation. */
  expires_at: Date;
}

const id = { type: mongoose.Schema.Types.ObjectId, required: true } as const;
const text = { type: String, required: true } as const;
const optionalText = { type: String, default: null } as const;
const date = { type: Date, required: true } as const;

const conversationSchema = new mongoose.Schema<AgentConversationRecord>(
  {
    organization_id: id,
    user_id: id,
    source_id: id,
    status: text,
    collection_id: { type: mongoose.Schema.Types.ObjectId, default: null },
    pipeline: optionalText,
    source_analysis: optionalText,
    validation: String,
    summary: optionalText,
    question: { type: mongoose.Schema.Types.Mixed },
    model: String,
    uncertainties: { type: mongoose.Schema.Types.Mixed, default: () => [] },
    created_at: date,
    updated_at: date,
    lock: { type: mongoose.Schema.Types.Mixed, default: null },
  },
  { collection: 'agent_conversations', versionKey: false, minimize: false, autoIndex: false },
);
conversationSchema.index({ organization_id: 1, user_id: 1, updated_at: -1, _id: -1 });

const messageSchema = new mongoose.Schema<AgentMessageRecord>(
  {
    conversation_id: id,
    role: text,
    content: text,
    tool_calls: text,
    subagents: String,
    sent: String,
    created_at: date,
    expires_at: date,
  },
  { collection: 'agent_messages', versionKey: false, autoIndex: false },
);
messageSchema.index({ conversation_id: 1, _id: 1 });
messageSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export function agentConversationModel(connection: Connection): Model<AgentConversationRecord> {
  return (
    connection.models['AgentConversation'] ??
    connection.model<AgentConversationRecord>('AgentConversation', conversationSchema)
  );
}

export function agentMessageModel(connection: Connection): Model<AgentMessageRecord> {
  return connection.models['AgentMessage'] ?? connection.model<AgentMessageRecord>('AgentMessage', messageSchema);
}
