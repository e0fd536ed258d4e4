import { sentPartsOf, type LlmMessage, type SentParts } from '@docwright/agent-core';
import type { ThreadMessage } from '@docwright/contract';
import mongoose, { type QueryFilter, type Types } from 'mongoose';
import { ignoreDuplicateKey } from '../../platform/database/connection.ts';
import { readTogether } from '../../platform/database/joint-reads.ts';
import { writeOf, type JointWrite, type JointWrites } from '../../platform/database/joint-writes.ts';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { recordBytes, threadOwner, type StoredBytes } from '../../platform/database/stored-bytes/stored-bytes.ts';
import { namedOrUnnamed } from '../../platform/database/unnamed-organization.ts';
import {
  documentsHeldBy,
  firstUserMessage,
  presentMessage,
  stateFields,
  storedCall,
  storedMessage,
  titleFrom,
  untitled,
  type NewThreadMessage,
  type ThreadStateChange,
} from './stored-thread.ts';
import type { threadMessageModel, threadModel, ThreadMessageRecord, ThreadRecord } from './thread-model.ts';

/** Of one message, in characters; larger parts are not stored. */
const maxSentParts = 200_000;

/** How messages are stored. */
export interface StoringOfMessages {
  /** Nothing is stored if it rejects; it is read together with the thread. */
  isAllowed?: Promise<void>;
  /** Stores the writes, together with others; it is called again if their numbers were taken meanwhile. */
  store?: JointWrites;
}

interface Stores {
  threads: ReturnType<typeof threadModel>;
  messages: ReturnType<typeof threadMessageModel>;
  write: JointWrites;
  storedBytes: StoredBytes;
  /** Matches the thread of that id if it is the owner's. */
  own: (id: string) => QueryFilter<ThreadRecord>;
  record: (id: string) => Promise<ThreadRecord | undefined>;
}

/** The messages of an owner's threads, their numbers and what they store of the organization's bytes. */
export function createThreadMessages(
  {
    organizationId,
    ...owner
  }: { organizationId: string } & Pick<ThreadRecord, 'organization_id' | 'document_id' | 'user_id'>,
  { threads, messages, write, storedBytes, own, record }: Stores,
) {
  /** The messages of a thread. */
  const within = ({ _id }: Pick<ThreadRecord, '_id'>) => ({
    organization_id: namedOrUnnamed(owner.organization_id),
    thread_id: _id,
  });

  const bytesOwner = (threadId: string) => threadOwner(owner.document_id.toHexString(), threadId.toLowerCase());
  /** Counts messages that were added, or removed with -1. */
  function countBytes(threadId: Types.ObjectId, changed: readonly object[], sign: 1 | -1 = 1): void {
    const bytes = changed.reduce((sum: number, message) => sum + recordBytes(message), 0);
    storedBytes.add(organizationId, bytesOwner(threadId.toHexString()), sign * bytes);
  }

  /** Without the document of the conversation, which goes with it. */
  function heldOf(message: ReturnType<typeof storedMessage>): Pick<ThreadMessageRecord, 'document_ids'> {
    const document_ids = documentsHeldBy(message).filter((id) => id !== owner.document_id.toHexString());
    return document_ids.length === 0 ? {} : { document_ids };
  }

  function insertions(thread_id: Types.ObjectId, first: number, added: readonly NewThreadMessage[]) {
    const created_at = new Date();
    return added.map(storedMessage).map((message, index) => ({
      insertOne: {
        document: {
          ...message,
          ...heldOf(message),
          ...(message.tool_calls && { tool_calls: message.tool_calls.map(storedCall) }),
          _id: new mongoose.Types.ObjectId(),
          organization_id: owner.organization_id,
          thread_id,
          number: first + index,
          created_at,
          // Fields without a value are not stored.
        } as ThreadMessageRecord,
      },
    }));
  }

  return {
    /** The writes that store the first messages of a new thread. */
    firstMessages: (thread_id: Types.ObjectId, added: readonly NewThreadMessage[]): JointWrite[] => {
      const insertion = insertions(thread_id, 0, added);
      countBytes(thread_id, documentsOf(insertion));
      return insertion.map((operation) => writeOf(messages, operation));
    },
    /** Removes the messages of a removed thread. */
    removeAll: async (thread: Pick<ThreadRecord, '_id'>): Promise<void> => {
      await messages.deleteMany(within(thread));
      await storedBytes.forget(organizationId, bytesOwner(thread._id.toHexString()));
    },
    /** In order; with `last`, at most that many from the end. */
    async messages(id: string, last: number = 0): Promise<ThreadMessage[]> {
      const found = await record(id);
      if (!found) return [];
      const records = await messages
        .find(within(found), { organization_id: 0, thread_id: 0, number: 0, sent: 0, document_ids: 0 })
        .sort({ number: -1 })
        .limit(last)
        .lean();
      return records.reverse().map(presentMessage);
    },
    /** As `messages`, with the parts that are sent back to the model that wrote them. */
    async history(id: string, last: number): Promise<(ThreadMessage & { sent?: SentParts })[]> {
      const found = await record(id);
      if (!found) return [];
      const records = await messages
        .find(within(found), { organization_id: 0, thread_id: 0, number: 0, document_ids: 0 })
        .sort({ number: -1 })
        .limit(last)
        .lean();
      return records.reverse().map(({ sent, ...message }) => ({
        ...presentMessage(message),
        ...(typeof sent === 'string' && { sent: JSON.parse(sent) as SentParts }),
      }));
    },
    /** The writes that store the sent parts of the messages that a turn added to its thread. */
    sentParts(id: string, added: readonly LlmMessage[]): JointWrite[] {
      const [thread_id] = objectIdsOf([id]);
      return added.flatMap((message) => {
        const first = message.role === 'assistant' ? message.toolCalls?.[0] : undefined;
        const sent = message.role === 'assistant' ? sentPartsOf(message) : undefined;
        const text = JSON.stringify(sent);
        if (first === undefined || sent === undefined || text.length > maxSentParts) return [];
        const filter = { ...within({ _id: thread_id! }), 'tool_calls.id': first.id };
        return [writeOf(messages, { updateOne: { filter, update: { $set: { sent: text } } } })];
      });
    },
    /** The number of messages in the thread. */
    async countMessages(id: string): Promise<number> {
      const found = await record(id);
      return found ? await messages.countDocuments(within(found)) : 0;
    },
    /** Replaces the proposed arguments of a call by those that the user edited. */
    async setCallArguments(id: string, callId: string, args: string): Promise<void> {
      const found = await record(id);
      const message = found && (await messages.findOne({ ...within(found), 'tool_calls.id': callId }).lean());
      if (!message) return;
      const tool_calls = (message.tool_calls ?? []).map((call) =>
        call.id === callId ? { id: call.id, name: call.name, arguments: args } : call,
      );
      await messages.updateOne({ ...within(found), _id: message._id }, { $set: { tool_calls } });
    },
    /**
     * Adds messages in order, and changes the thread's state in the same command. The first user message names a thread
     * without a title. Nothing of it is stored if the thread does not exist.
     */
    async append(
      id: string,
      added: readonly NewThreadMessage[],
      change: ThreadStateChange = {},
      { isAllowed, store = write }: StoringOfMessages = {},
    ): Promise<void> {
      const projection = { next_number: 1, is_named: 1, title: 1 };
      const first = firstUserMessage(added);
      for (;;) {
        const [[found]] = await Promise.all([readTogether(threads, own(id), { projection }), isAllowed]);
        if (!found) return await store([]);
        const { _id, next_number } = found;
        const update = { $max: { next_number: next_number + added.length }, $set: stateFields(change) };
        const insertion = insertions(_id, next_number, added);
        const stored = [
          writeOf(threads, { updateOne: { filter: { ...owner, _id }, update } }),
          ...insertion.map((operation) => writeOf(messages, operation)),
        ];
        if (!found.is_named && found.title === untitled && first) {
          const named = { $set: { title: titleFrom(first.content) } };
          stored.push(writeOf(threads, { updateOne: { filter: { ...owner, _id, is_named: false }, update: named } }));
        }
        try {
          await store(stored);
          return countBytes(_id, documentsOf(insertion));
        } catch (error) {
          // Somebody else has added messages meanwhile, and has their numbers.
          ignoreDuplicateKey(error);
        }
      }
    },
    /** Removes all messages after the first `count`. */
    async truncate(id: string, count: number): Promise<void> {
      const found = await record(id);
      if (!found) return;
      const cut = await messages.findOne(within(found)).sort({ number: 1 }).skip(count).lean();
      if (!cut) return;
      const rest = { ...within(found), number: { $gte: cut.number } };
      const removed = await messages.find(rest).lean();
      await messages.deleteMany(rest);
      countBytes(found._id, removed, -1);
    },
  };
}

const documentsOf = <Inserted>(inserted: readonly { insertOne: { document: Inserted } }[]): Inserted[] =>
  inserted.map(({ insertOne }) => insertOne.document);
