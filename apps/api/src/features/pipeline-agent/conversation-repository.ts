import type { LlmMessage } from '@docwright/agent-core';
import type {
  AgentConversationStatus,
  AgentMessage,
  AgentMessageProgress,
  AgentQuestion,
  AgentToolCall,
  CreateAgentConversationBody,
  FoundUncertainty,
  JsonObject,
  ListedAgentConversation,
  Pipeline,
  Uncertainty,
} from '@docwright/contract';
import { DomainError } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { readPage, type PageEnd, type PageSelection } from '../../platform/database/page.ts';
import { isAhead } from '../../platform/database/database-clock.ts';
import { newId, objectIdOf } from '../../platform/database/object-id.ts';
import { isKnownDead } from '../../platform/leases/process-identity.ts';
import {
  agentConversationModel,
  agentMessageModel,
  type AgentConversationRecord,
  type AgentMessageRecord,
  type UncertaintyRecord,
} from './conversation-model.ts';
import {
  answerOf,
  conversationLeases,
  type UnfinishedAnswer,
  type ConversationLease,
} from './conversation-lease-repository.ts';
import { presentEach } from '../../platform/records/unreadable-records.ts';

interface AgentConversationOwner {
  readonly organizationId: string;
  readonly userId: string;
}

interface ConversationState extends ListedAgentConversation {
  progress: AgentMessageProgress | null;
  /** Whether a process died during an answer that nobody has resumed. */
  isOrphaned: boolean;
}

interface ConversationChange {
  status?: AgentConversationStatus;
  collection_id?: string;
  current_pipeline?: Pipeline;
  source_analysis?: JsonObject;
  validation?: JsonObject;
  summary?: string;
  /** Null removes it. */
  question?: AgentQuestion | null;
  model?: string;
}

/** Conversations with the pipeline agent. Changes while answering a message require its lease. */
export type AgentConversationRepository = ReturnType<typeof createAgentConversationRepository>;

/** A message with its internal fields. */
export interface StoredAgentMessage extends AgentMessage {
  readonly sent?: readonly LlmMessage[];
}

export function createAgentConversationRepository(connection: Connection, messageTtlMs: number) {
  const conversations = agentConversationModel(connection);
  const messages = agentMessageModel(connection);
  const leases = conversationLeases(connection);
  const held = ({ id, token }: ConversationLease) => ({ _id: new mongoose.Types.ObjectId(id), ...leases.held(token) });

  async function write(lease: ConversationLease, update: mongoose.UpdateQuery<AgentConversationRecord>): Promise<void> {
    const { matchedCount } = await conversations.updateOne(held(lease), update);
    if (matchedCount === 1) return;
    throw new DomainError(
      'conflict',
      'conversation_taken_over',
      'Another process has taken over the conversation. Send the message again.',
    );
  }

  return {
    async create(
      owner: AgentConversationOwner,
      { source_id, model }: CreateAgentConversationBody,
    ): Promise<ListedAgentConversation> {
      const now = new Date();
      const record = {
        source_id: new mongoose.Types.ObjectId(source_id),
        status: 'active' as const,
        ...(model === undefined ? {} : { model }),
      };
      const created = await conversations.create({ ...ownedBy(owner), ...record, created_at: now, updated_at: now });
      return present({ ...created.toObject(), is_held: false });
    },
    /** Only the owner's. */
    async get(owner: AgentConversationOwner, id: string): Promise<ConversationState | undefined> {
      const [found] = await conversations.aggregate<LeasedRecord>([
        { $match: { _id: objectIdOf(id) ?? null, ...ownedBy(owner) } },
        withIsHeld,
      ]);
      if (found === undefined) return undefined;
      const { lock } = found;
      const known = present(found);
      const answer = answerOf(lock);
      return {
        ...known,
        progress: known.is_running && answer ? progressOf(answer) : null,
        isOrphaned: !known.is_running && answer !== undefined,
      };
    },
    /** Most recently used first. */
    async list(
      owner: AgentConversationOwner,
      page: PageSelection,
    ): Promise<{ conversations: ListedAgentConversation[] } & PageEnd> {
      const { records, end } = await readPage(conversations, ownedBy(owner), {
        ...page,
        sort: { updated_at: -1, _id: -1 },
        read: ($match, { sort, skip, limit }) =>
          conversations.aggregate<LeasedRecord>([
            { $match },
            { $sort: sort },
            { $skip: skip },
            { $limit: limit },
            withIsHeld,
          ]),
      });
      return { conversations: presentEach(records as LeasedRecord[], present), ...end };
    },
    /** Throws `conversation_taken_over` if the lease was lost, as do the two methods below. */
    async change(
      lease: ConversationLease,
      { current_pipeline, source_analysis, validation, collection_id, ...plain }: ConversationChange,
    ): Promise<void> {
      const set = {
        ...plain,
        ...(current_pipeline && { pipeline: JSON.stringify(current_pipeline) }),
        ...(source_analysis && { source_analysis: JSON.stringify(source_analysis) }),
        ...(validation && { validation: JSON.stringify(validation) }),
        ...(collection_id && { collection_id: new mongoose.Types.ObjectId(collection_id) }),
      };
      await write(lease, { $set: { ...set, updated_at: new Date() } });
    },
    async addUncertainties(lease: ConversationLease, found: readonly FoundUncertainty[]): Promise<Uncertainty[]> {
      const records = found.map(({ severity, message, context }): UncertaintyRecord => ({
        id: newId(),
        severity,
        message,
        context: context === undefined ? null : JSON.stringify(context),
        resolved: false,
        resolved_by: null,
        created_at: new Date(),
      }));
      if (records.length > 0) await write(lease, { $push: { uncertainties: { $each: records } } });
      return records.map(presentUncertainty);
    },
    async addMessage(
      lease: ConversationLease,
      {
        role,
        content,
        tool_calls,
        subagents,
        sent,
      }: Pick<StoredAgentMessage, 'role' | 'content' | 'tool_calls' | 'subagents' | 'sent'>,
    ): Promise<void> {
      const created_at = new Date();
      const expires_at = new Date(created_at.getTime() + messageTtlMs);
      await write(lease, { $set: { updated_at: created_at } });
      const conversation_id = new mongoose.Types.ObjectId(lease.id);
      await messages.updateMany({ conversation_id, expires_at: { $gt: created_at } }, { $set: { expires_at } });
      await messages.create({
        conversation_id,
        role,
        content,
        tool_calls: JSON.stringify(tool_calls),
        ...(subagents.length > 0 && { subagents: JSON.stringify(subagents) }),
        ...(sent !== undefined && { sent: JSON.stringify(sent) }),
        created_at,
        expires_at,
      });
    },
    /** The summary of the leased conversation. */
    async summary(lease: ConversationLease): Promise<string | null> {
      return (await conversations.findOne(held(lease), { summary: 1 }).lean())?.summary ?? null;
    },
    /** False if the uncertainty does not exist. */
    async resolve(
      owner: AgentConversationOwner,
      id: string,
      uncertaintyId: string,
      resolvedBy: string,
    ): Promise<boolean> {
      const { matchedCount } = await conversations.updateOne(
        { _id: objectIdOf(id) ?? null, ...ownedBy(owner), 'uncertainties.id': uncertaintyId },
        { $set: { 'uncertainties.$.resolved': true, 'uncertainties.$.resolved_by': resolvedBy } },
      );
      return matchedCount === 1;
    },
    /** Oldest first, without expired ones. */
    async messages(id: string): Promise<AgentMessage[]> {
      const filter = { conversation_id: new mongoose.Types.ObjectId(id), expires_at: { $gt: new Date() } };
      return (await messages.find(filter, { sent: 0 }).sort({ _id: 1 }).lean()).map(presentMessage);
    },
    /** As above, with the messages that each answer sent to the model. */
    async messagesAsSent(id: string): Promise<StoredAgentMessage[]> {
      const filter = { conversation_id: new mongoose.Types.ObjectId(id), expires_at: { $gt: new Date() } };
      return (await messages.find(filter).sort({ _id: 1 }).lean()).map((record) => ({
        ...presentMessage(record),
        ...(record.sent !== undefined && { sent: JSON.parse(record.sent) as LlmMessage[] }),
      }));
    },
  };
}

function ownedBy({ organizationId, userId }: AgentConversationOwner) {
  return {
    organization_id: new mongoose.Types.ObjectId(organizationId),
    user_id: new mongoose.Types.ObjectId(userId),
  };
}

/** `is_held`: the lease has not expired by the database's clock. */
type LeasedRecord = AgentConversationRecord & { is_held: boolean };
const withIsHeld = { $set: { is_held: isAhead('lock.until') } };

function present(record: LeasedRecord): ListedAgentConversation {
  const { lock, is_held } = record;
  return {
    is_running: is_held && lock !== null && lock.answer !== null && !isKnownDead(lock.holder),
    id: record._id.toHexString(),
    status: record.status,
    source_id: record.source_id.toHexString(),
    model: record.model ?? null,
    collection_id: record.collection_id?.toHexString() ?? null,
    current_pipeline: record.pipeline === null ? null : (JSON.parse(record.pipeline) as Pipeline),
    source_analysis: record.source_analysis === null ? null : (JSON.parse(record.source_analysis) as JsonObject),
    validation: record.validation === undefined ? null : (JSON.parse(record.validation) as JsonObject),
    uncertainties: record.uncertainties.map(presentUncertainty),
    summary: record.summary,
    question: record.question ?? null,
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
  };
}

function progressOf({ tool_calls, ...answer }: UnfinishedAnswer): AgentMessageProgress {
  return {
    ...answer,
    tool_calls: tool_calls.map(({ call_id, tool_name, arguments: given, success, text_before }) => ({
      call_id,
      name: tool_name,
      arguments: given,
      success,
      ...(text_before !== undefined && { text_before }),
    })),
  };
}

function presentUncertainty({ context, created_at, ...record }: UncertaintyRecord): Uncertainty {
  return {
    ...record,
    context: context === null ? null : (JSON.parse(context) as JsonObject),
    created_at: created_at.toISOString(),
  };
}

function presentMessage({ _id, role, content, tool_calls, subagents, created_at }: AgentMessageRecord): AgentMessage {
  return {
    id: _id.toHexString(),
    role,
    content,
    tool_calls: JSON.parse(tool_calls) as AgentToolCall[],
    subagents: subagents === undefined ? [] : (JSON.parse(subagents) as AgentMessage['subagents']),
    created_at: created_at.toISOString(),
  };
}
