import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';
import type { StoredLease } from '../../platform/leases/leases.ts';

export type TaskConversationRecord = StoredRecord<typeof conversationSchema>;

export type TaskMessageRecord = StoredRecord<typeof messageSchema>;

const conversationSchema = recordSchema(
  {
    /** The id in the API: counted over all processes. */
    number: field.number,
    organization_id: field.objectId,
    user_id: field.objectId,
    title: field.text,
    created_at: field.date,
    updated_at: field.date,
    /** The lease while the agent answers. */
    answering: field.mixed<StoredLease>().orNull().optional(),
  },
  { collection: 'task_conversations' },
);
conversationSchema.index({ number: 1 }, { unique: true });
conversationSchema.index({ organization_id: 1, user_id: 1, updated_at: -1, number: -1 });

const messageSchema = recordSchema(
  {
    /** Counted over all processes and conversations. */
    _id: field.number,
    conversation_id: field.objectId,
    role: field.oneOf<'user' | 'assistant'>(),
    content: field.text,
    /** JSON text: arguments and results can have keys that a database would interpret. */
    tool_calls: field.text,
    /** JSON text of an answer's messages as sent to the model. */
    sent: field.text.optional(),
    created_at: field.date,
  },
  { collection: 'task_messages' },
);
messageSchema.index({ conversation_id: 1, _id: 1 });

const counterSchema = recordSchema(
  {
    _id: field.text,
    value: field.number,
  },
  { collection: 'counters' },
);

export const taskConversationModel = modelOf('TaskConversation', conversationSchema);

export const taskMessageModel = modelOf('TaskMessage', messageSchema);

/** The last assigned number of each kind. */
export const counterModel = modelOf('Counter', counterSchema);
