import mongoose, { type Connection, type Types } from 'mongoose';
import { isDatabaseUnavailable } from '../../platform/database/connection.ts';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { storedBytesOf } from '../../platform/database/stored-bytes/stored-bytes.ts';
import { documentModel } from '../documents/index.ts';
import { documentsHeldBy, threadMessageModel, threadModel } from '../threads/index.ts';
import type { ChatRemoval } from './chat-removal-repository.ts';
import { createPurgedLooks } from './purged-look-repository.ts';

/** What is stored can be damaged. */
interface Found {
  _id: Types.ObjectId;
  organization_id: unknown;
  documentIds: readonly string[];
}

const isObjectId = (id: unknown): id is Types.ObjectId => id instanceof mongoose.Types.ObjectId;

/** Threads, and messages, that are read at a time. */
const pageSizes = { agent_threads: 500, agent_thread_messages: 100 };
/** Threads of the time before the first look: a purge has removed the older ones. */
const firstLookMs = 7 * 24 * 3_600_000;

/**
 * Removes the conversations whose document was purged, and what others hold of it: a request or a run that had begun before
 * stored it after the removal of the others. Of all processes, one reads only what is new since the last look. The first look
 * also notes which documents older messages hold. What cannot be removed holds up nothing else, and is tried again for a week.
 */
export function createPurgedConversations(
  connection: Connection,
  removal: Pick<ChatRemoval, 'ofDocument'>,
  log: { error(fields: object, message: string): void },
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
      documentIds:
        isObjectId(document_id) && document_id.getTimestamp().getTime() > 0 ? [document_id.toHexString()] : [],
    }));
  }

  async function messagesAfter(after: Types.ObjectId): Promise<Found[]> {
    const found = await messages
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(pageSizes.agent_thread_messages)
      .lean();
    const presented: Found[] = [];
    for (const { _id, organization_id, thread_id, document_ids, role, content, success, checked } of found) {
      const isNamed = isObjectId(organization_id) && isObjectId(thread_id);
      const isSound = isNamed && typeof content === 'string' && typeof (checked ?? '') === 'string';
      const noted = Array.isArray(document_ids) ? document_ids : undefined;
      const documentIds = noted ?? (isSound ? documentsHeldBy({ role, content, success, checked }) : []);
      if (noted === undefined && documentIds.length > 0)
        await messages.updateOne({ organization_id, thread_id, _id }, { $set: { document_ids: documentIds } });
      presented.push({ _id, organization_id, documentIds });
    }
    return presented;
  }

  /** Returns the first of what was found that could not be removed. */
  async function removePurged(found: readonly Found[], signal: AbortSignal): Promise<Found | undefined> {
    const named = found.flatMap((of) => of.documentIds.map((documentId) => ({ of, documentId })));
    const ids = objectIdsOf([...new Set(named.map(({ documentId }) => documentId))]);
    const present = new Set(
      (await documents.find({ _id: { $in: ids } }, { _id: 1 }).lean()).map(({ _id }) => _id.toHexString()),
    );
    const done = new Set<string>();
    let failed: Found | undefined;
    for (const { of, documentId } of named) {
      if (present.has(documentId) || !isObjectId(of.organization_id)) continue;
      const organizationId = of.organization_id.toHexString();
      if (done.has(`${organizationId} ${documentId}`)) continue;
      signal.throwIfAborted();
      done.add(`${organizationId} ${documentId}`);
      try {
        await removal.ofDocument(organizationId, documentId);
        await storedBytes.forget(organizationId, documentId);
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
        log.error(
          { err: error, document_id: documentId },
          'what conversations hold of a purged document was not removed',
        );
        failed ??= of;
      }
    }
    return failed;
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
      const retriedSince = new Date(Date.now() - firstLookMs);
      let failedAt: Date | undefined;
      for (let after = looks.firstOf(claim); !signal.aborted;) {
        const found = await read(after);
        const failed = await removePurged(found, signal);
        if (failed && failed._id.getTimestamp() > retriedSince) failedAt ??= failed._id.getTimestamp();
        const last = found.at(-1);
        if (last === undefined || found.length < pageSizes[name])
          return await looks.release(claim, failedAt ?? started);
        after = last._id;
        if (!(await looks.advance(claim, failedAt ?? after.getTimestamp()))) return;
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
