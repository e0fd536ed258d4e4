import type { AgentConversationStatus, AgentQuestion, UncertaintySeverity } from '@docwright/contract';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';
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

export type AgentConversationRecord = StoredRecord<typeof conversationSchema>;

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

export type AgentMessageRecord = StoredRecord<typeof messageSchema>;

const conversationSchema = recordSchema(
  {
    organization_id: field.objectId,
    user_id: field.objectId,
    source_id: field.objectId,
    status: field.oneOf<AgentConversationStatus>(),
    collection_id: field.objectId.orNull(),
    /** JSON text, like the next two. */
    pipeline: field.text.orNull(),
    source_analysis: field.text.orNull(),
    /** Absent in older records. */
    validation: field.text.optional(),
    summary: field.text.orNull(),
    /** Null or absent without an open question. */
    question: field.mixed<AgentQuestion>().optionalOrNull(),
    /** Absent for the default model. */
    model: field.text.optional(),
    uncertainties: field.mixed<UncertaintyRecord[]>().default(() => []),
    created_at: field.date,
    updated_at: field.date,
    lock: field.mixed<ConversationLock>().orNull(),
  },
  { collection: 'agent_conversations', keepsEmptyObjects: true },
);
conversationSchema.index({ organization_id: 1, user_id: 1, updated_at: -1, _id: -1 });

const messageSchema = recordSchema(
  {
    conversation_id: field.objectId,
    role: field.oneOf<'user' | 'assistant'>(),
    content: field.text,
    /** JSON text. */
    tool_calls: field.text,
    /** JSON text; absent if no sub-agent ran. */
    subagents: field.text.optional(),
    /** JSON text of the answer's messages as sent to the model. */
    sent: field.text.optional(),
    created_at: field.date,
    /** Extended by every activity in the conversation. */
    expires_at: field.date,
  },
  { collection: 'agent_messages' },
);
messageSchema.index({ conversation_id: 1, _id: 1 });
messageSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const agentConversationModel = modelOf('AgentConversation', conversationSchema);

export const agentMessageModel = modelOf('AgentMessage', messageSchema);
