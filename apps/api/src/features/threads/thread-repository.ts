import type { ReasoningLevel, ThreadSummary, WorkingState } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { readPage, type PageEnd, type PageSelection } from '../../platform/database/page.ts';
import { createJointWrites, writeOf, type JointWrites } from '../../platform/database/joint-writes.ts';
import { hasInAnyCase } from '../../platform/database/name-search.ts';
import { readTogether } from '../../platform/database/joint-reads.ts';
import { storedBytesOf, type StoredBytes } from '../../platform/database/stored-bytes/stored-bytes.ts';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import {
  firstUserMessage,
  presentThread,
  stateFields,
  summary,
  titleFrom,
  untitled,
  type NewThreadMessage,
  type StoredThread,
  type ThreadStateChange,
} from './stored-thread.ts';
import { createThreadMessages } from './thread-message-repository.ts';
import { threadMessageModel, threadModel, type ThreadRecord } from './thread-model.ts';
import { presentEach } from '../../platform/records/unreadable-records.ts';

export type { NewThreadMessage, StoredThread } from './stored-thread.ts';
export type { StoringOfMessages } from './thread-message-repository.ts';

/** The owner of a thread; it is invisible to everyone else. */
export interface ThreadOwner {
  readonly organizationId: string;
  readonly documentId: string;
  readonly userId: string;
}

interface NewThread {
  title?: string | undefined;
  model?: string;
  reasoning?: ReasoningLevel | undefined;
  working_state: WorkingState;
  /** Initial messages; the first user message names a thread without a title. */
  messages?: readonly NewThreadMessage[];
}

export interface ThreadQuery extends PageSelection {
  /** A part of the title, ignoring case. */
  name_search?: string | undefined;
}

/** The threads of one user on one document of one organization. A malformed or foreign id finds nothing. */
export type ThreadRepository = ReturnType<typeof repositoryOf>;

export function createThreadRepositories(connection: Connection): (owner: ThreadOwner) => ThreadRepository {
  const threads = threadModel(connection);
  const messages = threadMessageModel(connection);
  const write = createJointWrites(connection);
  const storedBytes = storedBytesOf(connection);
  return (owner) => repositoryOf(owner, threads, messages, { write, storedBytes });
}

function repositoryOf(
  { organizationId, documentId, userId }: ThreadOwner,
  threads: ReturnType<typeof threadModel>,
  messages: ReturnType<typeof threadMessageModel>,
  { write, storedBytes }: { write: JointWrites; storedBytes: StoredBytes },
) {
  const owner = {
    organization_id: new mongoose.Types.ObjectId(organizationId),
    document_id: new mongoose.Types.ObjectId(documentId),
    user_id: new mongoose.Types.ObjectId(userId),
  };
  const visible = { ...owner, is_expired: { $exists: false } };
  /** Matches the thread of that id if it is the owner's; a malformed id matches nothing. */
  const own = (id: string) => ({ ...visible, _id: { $in: objectIdsOf([id]) } });
  const record = async (id: string) => (await readTogether(threads, own(id)))[0];
  const { firstMessages, removeAll, ...ofMessages } = createThreadMessages(
    { organizationId, ...owner },
    { threads, messages, write, storedBytes, own, record },
  );

  function prepare({ title, model, reasoning, working_state, messages: added = [] }: NewThread) {
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
    return {
      thread: presentThread(created),
      writes: [writeOf(threads, { insertOne: { document: created } }), ...firstMessages(created._id, added)],
    };
  }

  return {
    /** A new thread, and the writes that store it. */
    prepare,
    async create(created: NewThread): Promise<StoredThread> {
      const { thread, writes } = prepare(created);
      await write(writes);
      return thread;
    },
    async get(id: string): Promise<StoredThread | undefined> {
      const found = await record(id);
      return found ? presentThread(found) : undefined;
    },
    /** Last used first. */
    async list({ name_search = '', ...page }: ThreadQuery): Promise<{ threads: ThreadSummary[] } & PageEnd> {
      const filter = name_search === '' ? visible : { ...visible, title: hasInAnyCase(name_search) };
      const selection = { ...page, sort: { updated_at: -1, _id: -1 }, projection: { working_state: 0 } } as const;
      const { records, end } = await readPage(threads, filter, selection);
      return { threads: presentEach(records, summary), ...end };
    },
    async rename(id: string, title: string): Promise<StoredThread | undefined> {
      const change = { $set: { title, is_named: true, updated_at: new Date() } };
      const found = await threads.findOneAndUpdate(own(id), change, { returnDocument: 'after' }).lean();
      return found ? presentThread(found) : undefined;
    },
    /** Removes the thread with its messages; false if it does not exist. */
    async remove(id: string): Promise<boolean> {
      const found = await threads.findOneAndDelete(own(id)).lean();
      if (!found) return false;
      await removeAll(found);
      return true;
    },
    ...ofMessages,
    async setState(id: string, change: ThreadStateChange): Promise<void> {
      await threads.updateOne(own(id), { $set: stateFields(change) });
    },
  };
}
