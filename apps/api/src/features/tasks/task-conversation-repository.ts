import type { LlmMessage } from '@docwright/agent-core';
import { DomainError, type TaskConversation, type TaskMessage, type TaskToolCall } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { readPage, type PageEnd, type PageSelection } from '../../platform/database/page.ts';
import { retryOnDuplicateKey } from '../../platform/database/connection.ts';
import { recordBytes, storedBytesOf } from '../../platform/database/stored-bytes/stored-bytes.ts';
import { createLeases } from '../../platform/leases/leases.ts';
import {
  counterModel,
  taskConversationModel,
  taskMessageModel,
  type TaskConversationRecord,
  type TaskMessageRecord,
} from './task-conversation-model.ts';
import { presentEach } from '../../platform/records/unreadable-records.ts';

interface ConversationOwner {
  readonly organizationId: string;
  readonly userId: string;
}

/** A conversation with its internal fields. */
export interface StoredConversation extends TaskConversation {
  readonly owner: ConversationOwner;
  /** 24 hex digits: the thread id in usage and audit. */
  readonly threadId: string;
}

interface NewTaskMessage {
  role: TaskMessage['role'];
  content: string;
  tool_calls: readonly TaskToolCall[];
  /** An answer's messages as sent to the model. */
  sent?: readonly LlmMessage[];
}

/** A message with its internal fields. */
export type StoredTaskMessage = TaskMessage & Pick<NewTaskMessage, 'sent'>;

/** Conversations about tasks. Ids are integers, unique and increasing over all processes. */
export type TaskConversationRepository = ReturnType<typeof createTaskConversationRepository>;

export function createTaskConversationRepository(connection: Connection) {
  const conversations = taskConversationModel(connection);
  const messages = taskMessageModel(connection);
  const leases = createLeases(conversations.collection, {
    token: 'answering.token',
    until: 'answering.until',
    holder: 'answering.holder',
  });
  const nextNumber = createCounter(connection);
  const storedBytes = storedBytesOf(connection);
  const recordId = ({ threadId }: StoredConversation) => new mongoose.Types.ObjectId(threadId);
  return {
    /** The conversation of any user: the caller checks the owner. */
    async get(id: number): Promise<StoredConversation | undefined> {
      const found = await conversations.findOne({ number: id }).lean();
      return found ? presentConversation(found) : undefined;
    },
    /** The conversations of one user in one organization, last used first. */
    async list(
      owner: ConversationOwner,
      page: PageSelection,
    ): Promise<{ conversations: TaskConversation[] } & PageEnd> {
      const filter = ownerFilter(owner);
      const { records, end } = await readPage(conversations, filter, { ...page, sort: { updated_at: -1, number: -1 } });
      const listed = presentEach(records, presentConversation);
      return {
        conversations: listed.map(({ owner: _owner, threadId: _thread, ...conversation }) => conversation),
        ...end,
      };
    },
    async create(owner: ConversationOwner, title: string): Promise<StoredConversation> {
      const now = new Date();
      const number = await nextNumber('task_conversations');
      const record = { number, ...ownerFilter(owner), title, created_at: now, updated_at: now };
      return presentConversation((await conversations.create(record)).toObject());
    },
    /** Claims the conversation for one answer; returns the token, or undefined while any process answers in it. */
    async claim(conversation: StoredConversation, milliseconds: number): Promise<string | undefined> {
      return (await leases.claim({ _id: recordId(conversation) }, { milliseconds }))?.token;
    },
    /** False if the token lost the conversation. */
    async renew(conversation: StoredConversation, token: string, milliseconds: number): Promise<boolean> {
      return (await leases.renew({ _id: recordId(conversation) }, token, milliseconds)) !== undefined;
    },
    async release(conversation: StoredConversation, token: string): Promise<void> {
      await leases.release({ _id: recordId(conversation) }, token);
    },
    /** Oldest first. */
    async messages(conversation: StoredConversation): Promise<TaskMessage[]> {
      const found = await messages
        .find({ conversation_id: recordId(conversation) }, { sent: 0 })
        .sort({ _id: 1 })
        .lean();
      return found.map(presentMessage);
    },
    /** The last messages, oldest first, each answer with its sent messages. */
    async messagesAsSent(conversation: StoredConversation, limit: number): Promise<StoredTaskMessage[]> {
      const found = messages.find({ conversation_id: recordId(conversation) }).sort({ _id: -1 });
      const newestFirst = await found.limit(limit).lean();
      return newestFirst
        .map((record) => ({
          ...presentMessage(record),
          ...(record.sent !== undefined && { sent: JSON.parse(record.sent) as LlmMessage[] }),
        }))
        .toReversed();
    },
    /** Throws `answer_interrupted` and adds nothing if the token lost the conversation. */
    async addMessage(
      conversation: StoredConversation,
      token: string,
      { role, content, tool_calls, sent }: NewTaskMessage,
    ): Promise<TaskMessage> {
      const created_at = new Date();
      const change = { $set: { updated_at: created_at } };
      if (!(await leases.write({ _id: recordId(conversation) }, token, change))) throw interrupted();
      const created = await messages.create({
        _id: await nextNumber('task_messages'),
        conversation_id: recordId(conversation),
        role,
        content,
        tool_calls: JSON.stringify(tool_calls),
        ...(sent !== undefined && { sent: JSON.stringify(sent) }),
        created_at,
      });
      storedBytes.add(conversation.owner.organizationId, 'task_messages', recordBytes(created.toObject()));
      return presentMessage(created.toObject());
    },
  };
}

/** The process was suspended for so long that its lease expired and another answer started. */
function interrupted(): DomainError {
  const message = 'The answer took too long, and another message replaced it. Read the conversation and send it again.';
  return new DomainError('conflict', 'answer_interrupted', message);
}

/** Assigns each number once over all processes. Unused numbers leave gaps. */
function createCounter(connection: Connection): (kind: string) => Promise<number> {
  const counters = counterModel(connection);
  return async (kind) => {
    const options = { upsert: true, returnDocument: 'after' } as const;
    const count = () => counters.findOneAndUpdate({ _id: kind }, { $inc: { value: 1 } }, options).lean();
    return (await retryOnDuplicateKey(count)).value;
  };
}

function ownerFilter({ organizationId, userId }: ConversationOwner) {
  return {
    organization_id: new mongoose.Types.ObjectId(organizationId),
    user_id: new mongoose.Types.ObjectId(userId),
  };
}

function presentConversation(record: TaskConversationRecord): StoredConversation {
  return {
    id: record.number,
    title: record.title,
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
    owner: { organizationId: record.organization_id.toHexString(), userId: record.user_id.toHexString() },
    threadId: record._id.toHexString(),
  };
}

function presentMessage({ _id, role, content, tool_calls, created_at }: TaskMessageRecord): TaskMessage {
  return {
    id: _id,
    role,
    content,
    tool_calls: JSON.parse(tool_calls) as TaskToolCall[],
    created_at: created_at.toISOString(),
  };
}
