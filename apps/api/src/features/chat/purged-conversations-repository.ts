import { type Connection, type Types } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { storedBytesOf } from '../../platform/database/stored-bytes/stored-bytes.ts';
import { documentModel } from '../documents/index.ts';
import { documentsHeldBy, threadMessageModel, threadModel } from '../threads/index.ts';
import type { ChatRemoval } from './chat-removal-repository.ts';
import { createPurgedLooks } from './purged-look-repository.ts';

interface Found {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  documentIds: readonly string[];
}

/** Threads, and messages, that are read at a time. */
const pageSizes = { agent_threads: 500, agent_thread_messages: 100 };
/** Threads of the time before the first look: a purge has removed the older ones. */
const firstLookMs = 7 * 24 * 3_600_000;

/**
 * Removes the conversations whose document was purged, and what others hold of it: a request or a run that had begun before
 * stored it after the removal of the others. Of all processes, one reads only what is new since the last look. The first look
 * also notes which documents older messages hold.
 */
export function createPurgedConversations(
  connection: Connection,
  removal: Pick<ChatRemoval, 'ofDocument'>,
): (signal: AbortSignal) => Promise<void> {
  const threads = threadModel(connection);
  const messages = threadMessageModel(connection);
  const documents = documentModel(connection);
  const storedBytes = storedBytesOf(connection);
  const looks = createPurgedLooks(connection);

  async function threadsAfter(after: Types.ObjectId): Promise<Found[]> {
    const found = await threads
      .find({ _id: { $gt: after } }, { organization_id: 1, document_id: 1 })
      .sort({ _id: 1 })
      .limit(pageSizes.agent_threads)
      .lean();
    return found.map(({ document_id, ...thread }) => ({
      ...thread,
      // Ids of agents beside the documents have no time.
      documentIds: document_id.getTimestamp().getTime() === 0 ? [] : [document_id.toHexString()],
    }));
  }

  async function messagesAfter(after: Types.ObjectId): Promise<Found[]> {
    const found = await messages
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(pageSizes.agent_thread_messages)
      .lean();
    const presented: Found[] = [];
    for (const { _id, organization_id, document_ids, checked, ...message } of found) {
      const documentIds = document_ids ?? documentsHeldBy({ ...message, ...(checked !== undefined && { checked }) });
      if (document_ids === undefined && documentIds.length > 0)
        await messages.updateOne(
          { organization_id, thread_id: message.thread_id, _id },
          { $set: { document_ids: documentIds } },
        );
      presented.push({ _id, organization_id, documentIds });
    }
    return presented;
  }

  async function removePurged(found: readonly Found[], signal: AbortSignal): Promise<void> {
    const named = new Map(
      found.flatMap(({ organization_id, documentIds }) => documentIds.map((id) => [id, organization_id] as const)),
    );
    const present = await documents.find({ _id: { $in: objectIdsOf([...named.keys()]) } }, { _id: 1 }).lean();
    for (const { _id } of present) named.delete(_id.toHexString());
    for (const [documentId, organization_id] of named) {
      signal.throwIfAborted();
      await removal.ofDocument(organization_id.toHexString(), documentId);
      await storedBytes.forget(organization_id.toHexString(), documentId);
    }
  }

  async function look(
    name: keyof typeof pageSizes,
    first: Date,
    read: (after: Types.ObjectId) => Promise<Found[]>,
    signal: AbortSignal,
  ): Promise<void> {
    const started = new Date();
    const claim = await looks.claim(name, first);
    if (claim === undefined) return;
    try {
      for (let after = looks.firstOf(claim); !signal.aborted;) {
        const found = await read(after);
        await removePurged(found, signal);
        const last = found.at(-1);
        if (last === undefined || found.length < pageSizes[name]) return await looks.release(claim, started);
        after = last._id;
        if (!(await looks.advance(claim, after.getTimestamp()))) return;
      }
    } catch (error) {
      await looks.release(claim);
      if (!signal.aborted) throw error;
    }
    await looks.release(claim);
  }

  return async (signal) => {
    await look('agent_threads', new Date(Date.now() - firstLookMs), threadsAfter, signal);
    await look('agent_thread_messages', new Date(0), messagesAfter, signal);
  };
}
