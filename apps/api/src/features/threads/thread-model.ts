import type { AskScope, Mention, ReasoningLevel } from '@docwright/contract';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';

export type ThreadRecord = StoredRecord<typeof threadSchema>;

/** A call of a message. The origin of its arguments is JSON, because its keys are paths. */
export interface StoredCall {
  id: string;
  name: string;
  arguments: string;
  origin?: string;
}

export type ThreadMessageRecord = StoredRecord<typeof threadMessageSchema>;

const threadSchema = recordSchema(
  {
    organization_id: field.objectId,
    document_id: field.objectId,
    user_id: field.objectId,
    title: field.text,
    /** Whether a user chose the title; else it is derived from the first message. */
    is_named: field.flag,
    model: field.text.optional(),
    /** Chosen for this thread; null or absent: as the model's setting says. */
    reasoning: field.oneOf<ReasoningLevel>().optionalOrNull(),
    /** JSON: the field names of an extraction are arbitrary, and a database might interpret them. */
    working_state: field.text,
    /** The number of the next message. Numbers only grow, so that the order is right after a truncation. */
    next_number: field.number,
    created_at: field.date,
    updated_at: field.date,
    /** Set while it is being removed because its time is over. Its owner no longer sees it. */
    is_expired: field.flag.optional(),
  },
  { collection: 'agent_threads' },
);
threadSchema.index({ organization_id: 1, document_id: 1, user_id: 1, updated_at: -1 });

const threadMessageSchema = recordSchema(
  {
    organization_id: field.objectId,
    thread_id: field.objectId,
    number: field.number,
    role: field.oneOf<'user' | 'assistant' | 'tool'>(),
    content: field.text.default(''),
    thinking: field.text.optional(),
    thinking_ms: field.number.optional(),
    tool_calls: field.mixed<StoredCall[]>().optional(),
    tool_call_id: field.text.optional(),
    success: field.flag.optional(),
    mentions: field.mixed<Mention[]>().optional(),
    /** Of a question over many documents. */
    scope: field.mixed<AskScope>().optional(),
    /** JSON of the claims and coverage of an answer over many documents: values of results have arbitrary keys. */
    checked: field.text.optional(),
    /** JSON of SentParts, which are sent back to the model that wrote the message. */
    sent: field.text.optional(),
    /** The other documents that it holds values or texts of, so that a purged one leaves nothing here. */
    document_ids: field.text.list().optional(),
    created_at: field.date,
  },
  { collection: 'agent_thread_messages' },
);
threadMessageSchema.index({ organization_id: 1, thread_id: 1, number: 1 }, { unique: true });
threadMessageSchema.index(
  { organization_id: 1, document_ids: 1 },
  { partialFilterExpression: { document_ids: { $exists: true } } },
);

export const threadModel = modelOf('Thread', threadSchema);

export const threadMessageModel = modelOf('ThreadMessage', threadMessageSchema);
