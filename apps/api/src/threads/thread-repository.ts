import type { ThreadMessage, ThreadSummary, WorkingState } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { objectIdsOf } from '../db/object-id.ts';
import { threadMessageModel, threadModel, type ThreadMessageRecord, type ThreadRecord } from './thread-model.ts';
import { titleFrom, untitled } from './thread-title.ts';

/** To whom a thread belongs; nobody else sees that it exists. */
export interface ThreadOwner {
  readonly organizationId: string;
  readonly documentId: string;
  readonly userId: string;
}

export type NewThreadMessage = Omit<ThreadMessage, 'id' | 'created_at'>;
export type StoredThread = ThreadSummary & { working_state: WorkingState };

/** The threads of one person on one document of one organization. A malformed or foreign id finds nothing. */
export interface ThreadRepository {
  create(thread: { title?: string | undefined; working_state: WorkingState }): Promise<StoredThread>;
  get(id: string): Promise<StoredThread | undefined>;
  /** The one last worked with first. */
  list(query: { skip: number; limit: number }): Promise<{ threads: ThreadSummary[]; total_count: number }>;
  rename(id: string, title: string): Promise<StoredThread | undefined>;
  /** Removes the thread with its messages; false where it is not there. */
  remove(id: string): Promise<boolean>;
  /** In order; with `last`, at most that many from the end. */
  messages(id: string, last?: number): Promise<ThreadMessage[]>;
  /** Stores what a person made of a call's arguments, in place of what was proposed. */
  setCallArguments(id: string, callId: string, args: string): Promise<void>;
  /** Adds messages in order. The first one of a person's names a thread that nobody has named. */
  append(id: string, messages: readonly NewThreadMessage[]): Promise<void>;
  /** Keeps the first `count` messages. */
  truncate(id: string, count: number): Promise<void>;
  setState(id: string, change: { working_state?: WorkingState; model?: string }): Promise<void>;
}

export function createThreadRepositories(connection: Connection): (owner: ThreadOwner) => ThreadRepository {
  const threads = threadModel(connection);
  const messages = threadMessageModel(connection);
  return (owner) => repositoryOf(owner, threads, messages);
}

function repositoryOf(
  { organizationId, documentId, userId }: ThreadOwner,
  threads: ReturnType<typeof threadModel>,
  messages: ReturnType<typeof threadMessageModel>,
): ThreadRepository {
  const owner = {
    organization_id: new mongoose.Types.ObjectId(organizationId),
    document_id: new mongoose.Types.ObjectId(documentId),
    user_id: new mongoose.Types.ObjectId(userId),
  };
  /** Matches the thread of that id if it is the owner's; a malformed id matches nothing. */
  const own = (id: string) => ({ ...owner, _id: { $in: objectIdsOf([id]) } });
  const record = (id: string) => threads.findOne(own(id)).lean();

  return {
    async create({ title, working_state }) {
      const now = new Date();
      const created = await threads.create({
        ...owner,
        title: title ?? untitled,
        is_named: title !== undefined,
        working_state: JSON.stringify(working_state),
        next_number: 0,
        created_at: now,
        updated_at: now,
      });
      return present(created.toObject());
    },
    async get(id) {
      const found = await record(id);
      return found ? present(found) : undefined;
    },
    async list({ skip, limit }) {
      const [found, total_count] = await Promise.all([
        threads.find(owner, { working_state: 0 }).sort({ updated_at: -1, _id: -1 }).skip(skip).limit(limit).lean(),
        threads.countDocuments(owner),
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
        .find({ thread_id: found._id }, { thread_id: 0, number: 0 })
        .sort({ number: -1 })
        .limit(last)
        .lean();
      return records.reverse().map(presentMessage);
    },
    async setCallArguments(id, callId, args) {
      const found = await record(id);
      const message = found && (await messages.findOne({ thread_id: found._id, 'tool_calls.id': callId }).lean());
      if (!message) return;
      const tool_calls = (message.tool_calls ?? []).map((call) =>
        call.id === callId ? { ...call, arguments: args } : call,
      );
      await messages.updateOne({ _id: message._id }, { $set: { tool_calls } });
    },
    async append(id, added) {
      if (added.length === 0) return;
      const change = { $inc: { next_number: added.length }, $set: { updated_at: new Date() } };
      const found = await threads.findOneAndUpdate(own(id), change).lean();
      if (!found) return;
      const created_at = new Date();
      await messages.insertMany(
        added.map((message, index) => ({
          ...message,
          thread_id: found._id,
          number: found.next_number + index,
          created_at,
        })),
      );
      const first = added.find((message) => message.role === 'user');
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
    async setState(id, { model, working_state }) {
      const change = {
        ...(model === undefined ? {} : { model }),
        ...(working_state === undefined ? {} : { working_state: JSON.stringify(working_state) }),
      };
      await threads.updateOne(own(id), { $set: { ...change, updated_at: new Date() } });
    },
  };
}

function summary(record: Omit<ThreadRecord, 'working_state'>): ThreadSummary {
  return {
    id: record._id.toHexString(),
    title: record.title,
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
    ...(record.model === undefined ? {} : { model: record.model }),
  };
}

function present(record: ThreadRecord): StoredThread {
  const working_state: WorkingState = JSON.parse(record.working_state);
  return { ...summary(record), working_state };
}

function presentMessage({
  _id,
  created_at,
  ...message
}: Omit<ThreadMessageRecord, 'thread_id' | 'number'>): ThreadMessage {
  return { id: _id.toHexString(), ...message, created_at: created_at.toISOString() };
}
