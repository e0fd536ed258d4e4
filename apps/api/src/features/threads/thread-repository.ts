import { sentPartsOf, type LlmMessage, type SentParts } from '@docwright/agent-core';
import type { ReasoningLevel, ThreadMessage, ThreadSummary, ToolCall, WorkingState } from '@docwright/contract';
import mongoose, { type Connection, type Types } from 'mongoose';
import { createGroupedWrites, type GroupedWrites } from '../../platform/database/grouped-writes.ts';
import { hasInAnyCase } from '../../platform/database/name-search.ts';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import {
  threadMessageModel,
  threadModel,
  type StoredCall,
  type ThreadMessageRecord,
  type ThreadRecord,
} from './thread-model.ts';

/** The owner of a thread; it is invisible to everyone else. */
export interface ThreadOwner {
  readonly organizationId: string;
  readonly documentId: string;
  readonly userId: string;
}

/** Of one message, in characters; larger parts are not stored. */
const maxSentParts = 200_000;

export type NewThreadMessage = Omit<ThreadMessage, 'id' | 'created_at'>;
export type StoredThread = ThreadSummary & { working_state: WorkingState };

interface NewThread {
  title?: string | undefined;
  model?: string;
  reasoning?: ReasoningLevel | undefined;
  working_state: WorkingState;
  /** Initial messages; the first user message names a thread without a title. */
  messages?: readonly NewThreadMessage[];
}

interface ThreadStateChange {
  working_state?: WorkingState;
  model?: string;
  /** null: as the model's setting says. */
  reasoning?: ReasoningLevel | null | undefined;
}

export interface ThreadQuery {
  skip: number;
  limit: number;
  /** A part of the title, ignoring case. */
  name_search?: string | undefined;
}

/** The threads of one user on one document of one organization. A malformed or foreign id finds nothing. */
export interface ThreadRepository {
  create(thread: NewThread): Promise<StoredThread>;
  get(id: string): Promise<StoredThread | undefined>;
  /** Last used first. */
  list(query: ThreadQuery): Promise<{ threads: ThreadSummary[]; total_count: number }>;
  rename(id: string, title: string): Promise<StoredThread | undefined>;
  /** Removes the thread with its messages; false if it does not exist. */
  remove(id: string): Promise<boolean>;
  /** In order; with `last`, at most that many from the end. */
  messages(id: string, last?: number): Promise<ThreadMessage[]>;
  /** As `messages`, with the parts that are sent back to the model that wrote them. */
  history(id: string, last: number): Promise<(ThreadMessage & { sent?: SentParts })[]>;
  /** Stores the sent parts of the messages that a turn added. */
  storeSentParts(id: string, added: readonly LlmMessage[]): Promise<void>;
  /** The number of messages in the thread. */
  countMessages(id: string): Promise<number>;
  /** Replaces the proposed arguments of a call by those that the user edited. */
  setCallArguments(id: string, callId: string, args: string): Promise<void>;
  /**
   * Adds messages in order, and changes the thread's state in the same command. The first user message names a thread
   * without a title.
   */
  append(id: string, messages: readonly NewThreadMessage[], change?: ThreadStateChange): Promise<void>;
  /** Removes all messages after the first `count`. */
  truncate(id: string, count: number): Promise<void>;
  setState(id: string, change: ThreadStateChange): Promise<void>;
}

export function createThreadRepositories(connection: Connection): (owner: ThreadOwner) => ThreadRepository {
  const threads = threadModel(connection);
  const messages = threadMessageModel(connection);
  const writes = { threads: createGroupedWrites(threads), messages: createGroupedWrites(messages) };
  return (owner) => repositoryOf(owner, threads, messages, writes);
}

function repositoryOf(
  { organizationId, documentId, userId }: ThreadOwner,
  threads: ReturnType<typeof threadModel>,
  messages: ReturnType<typeof threadMessageModel>,
  writes: { threads: GroupedWrites<ThreadRecord>; messages: GroupedWrites<ThreadMessageRecord> },
): ThreadRepository {
  const owner = {
    organization_id: new mongoose.Types.ObjectId(organizationId),
    document_id: new mongoose.Types.ObjectId(documentId),
    user_id: new mongoose.Types.ObjectId(userId),
  };
  const visible = { ...owner, is_expired: { $exists: false } };
  /** Matches the thread of that id if it is the owner's; a malformed id matches nothing. */
  const own = (id: string) => ({ ...visible, _id: { $in: objectIdsOf([id]) } });
  const record = (id: string) => threads.findOne(own(id)).lean();

  async function insertMessages(thread_id: Types.ObjectId, first: number, added: readonly NewThreadMessage[]) {
    const created_at = new Date();
    await writes.messages(
      added.map((message, index) => ({
        insertOne: {
          document: {
            ...storedMessage(message),
            ...(message.tool_calls && { tool_calls: message.tool_calls.map(storedCall) }),
            _id: new mongoose.Types.ObjectId(),
            thread_id,
            number: first + index,
            created_at,
          },
        },
      })),
    );
  }

  return {
    async create({ title, model, reasoning, working_state, messages: added = [] }) {
      const now = new Date();
      const first = firstUserMessage(added);
      const created: ThreadRecord = {
        ...owner,
        _id: new mongoose.Types.ObjectId(),
        title: title ?? (first ? titleFrom(first.content) : untitled),
        is_named: title !== undefined,
        ...(model !== undefined && { model }),
        ...(reasoning && { reasoning }),
        working_state: JSON.stringify(working_state),
        next_number: added.length,
        created_at: now,
        updated_at: now,
      };
      await writes.threads([{ insertOne: { document: created } }]);
      if (added.length > 0) await insertMessages(created._id, 0, added);
      return present(created);
    },
    async get(id) {
      const found = await record(id);
      return found ? present(found) : undefined;
    },
    async list({ skip, limit, name_search = '' }) {
      const filter = name_search === '' ? visible : { ...visible, title: hasInAnyCase(name_search) };
      const [found, total_count] = await Promise.all([
        threads.find(filter, { working_state: 0 }).sort({ updated_at: -1, _id: -1 }).skip(skip).limit(limit).lean(),
        threads.countDocuments(filter),
      ]);
      return { threads: found.map(summary), total_count };
    },
    async rename(id, title) {
      const change = { $set: { title, is_named: true, updated_at: new Date() } };
      const found = await threads.findOneAndUpdate(own(id), change, { returnDocument: 'after' }).lean();
      return found ? present(found) : undefined;
    },
    async remove(id) {
      const found = await threads.findOneAndDelete(own(id)).lean();
      if (!found) return false;
      await messages.deleteMany({ thread_id: found._id });
      return true;
    },
    async messages(id, last = 0) {
      const found = await record(id);
      if (!found) return [];
      const records = await messages
        .find({ thread_id: found._id }, { thread_id: 0, number: 0, sent: 0 })
        .sort({ number: -1 })
        .limit(last)
        .lean();
      return records.reverse().map(presentMessage);
    },
    async history(id, last) {
      const found = await record(id);
      if (!found) return [];
      const records = await messages
        .find({ thread_id: found._id }, { thread_id: 0, number: 0 })
        .sort({ number: -1 })
        .limit(last)
        .lean();
      return records.reverse().map(({ sent, ...message }) => ({
        ...presentMessage(message),
        ...(typeof sent === 'string' && { sent: JSON.parse(sent) as SentParts }),
      }));
    },
    async storeSentParts(id, added) {
      const parts = added.flatMap((message) => {
        const first = message.role === 'assistant' ? message.toolCalls?.[0] : undefined;
        const sent = message.role === 'assistant' ? sentPartsOf(message) : undefined;
        const text = JSON.stringify(sent);
        return first === undefined || sent === undefined || text.length > maxSentParts ? [] : [{ id: first.id, text }];
      });
      const found = parts.length === 0 ? undefined : await record(id);
      if (!found) return;
      for (const { id: callId, text } of parts) {
        await messages.updateOne({ thread_id: found._id, 'tool_calls.id': callId }, { $set: { sent: text } });
      }
    },
    async countMessages(id) {
      const found = await record(id);
      return found ? await messages.countDocuments({ thread_id: found._id }) : 0;
    },
    async setCallArguments(id, callId, args) {
      const found = await record(id);
      const message = found && (await messages.findOne({ thread_id: found._id, 'tool_calls.id': callId }).lean());
      if (!message) return;
      const tool_calls = (message.tool_calls ?? []).map((call) =>
        call.id === callId ? { id: call.id, name: call.name, arguments: args } : call,
      );
      await messages.updateOne({ _id: message._id }, { $set: { tool_calls } });
    },
    async append(id, added, change = {}) {
      const update = { $inc: { next_number: added.length }, $set: stateFields(change) };
      const fields = { next_number: 1, is_named: 1, title: 1 };
      const found = await threads.findOneAndUpdate(own(id), update, { projection: fields }).lean();
      if (!found || added.length === 0) return;
      await insertMessages(found._id, found.next_number, added);
      const first = firstUserMessage(added);
      if (!found.is_named && found.title === untitled && first) {
        await threads.updateOne({ _id: found._id, is_named: false }, { $set: { title: titleFrom(first.content) } });
      }
    },
    async truncate(id, count) {
      const found = await record(id);
      if (!found) return;
      const cut = await messages.findOne({ thread_id: found._id }).sort({ number: 1 }).skip(count).lean();
      if (cut) await messages.deleteMany({ thread_id: found._id, number: { $gte: cut.number } });
    },
    async setState(id, change) {
      await threads.updateOne(own(id), { $set: stateFields(change) });
    },
  };
}

function stateFields({ model, reasoning, working_state }: ThreadStateChange) {
  const state = { model, reasoning, working_state: working_state && JSON.stringify(working_state) };
  const given = Object.entries(state).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), updated_at: new Date() };
}

function firstUserMessage(messages: readonly NewThreadMessage[]): NewThreadMessage | undefined {
  return messages.find((message) => message.role === 'user');
}

function summary(record: Omit<ThreadRecord, 'working_state'>): ThreadSummary {
  const { _id, title, model, reasoning } = record;
  return {
    id: _id.toHexString(),
    title,
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
    ...(model !== undefined && { model }),
    ...(reasoning && { reasoning }),
  };
}

function present(record: ThreadRecord): StoredThread {
  const working_state: WorkingState = JSON.parse(record.working_state);
  return { ...summary(record), working_state };
}

function storedCall({ id, name, arguments: args, ...origin }: ToolCall): StoredCall {
  const isKnown = Object.values(origin).some((each) => each !== undefined);
  return { id, name, arguments: args, ...(isKnown && { origin: JSON.stringify(origin) }) };
}

function presentCall({ origin, ...call }: StoredCall): ToolCall {
  return origin === undefined ? call : { ...call, ...(JSON.parse(origin) as Partial<ToolCall>) };
}

function storedMessage({ claims, coverage, ...message }: NewThreadMessage) {
  return { ...message, ...(claims && { checked: JSON.stringify({ claims, coverage }) }) };
}

function presentMessage({
  _id,
  created_at,
  tool_calls,
  checked,
  ...message
}: Omit<ThreadMessageRecord, 'thread_id' | 'number'>): ThreadMessage {
  return {
    id: _id.toHexString(),
    ...message,
    ...(tool_calls && { tool_calls: tool_calls.map(presentCall) }),
    ...(checked !== undefined && (JSON.parse(checked) as Pick<ThreadMessage, 'claims' | 'coverage'>)),
    created_at: created_at.toISOString(),
  };
}

/** The title of a thread before its first message. */
const untitled = 'New conversation';

const titleLength = 50;

/** The first 50 characters of a message; a character beyond the basic plane counts once. */
function titleFrom(message: string): string {
  return Array.from(message).slice(0, titleLength).join('') || untitled;
}
