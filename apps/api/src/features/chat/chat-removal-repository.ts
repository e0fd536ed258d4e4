import mongoose, { type Connection, type Types } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { namedOrUnnamed } from '../../platform/database/unnamed-organization.ts';
import { storedBytesOf, threadOwner } from '../../platform/database/stored-bytes/stored-bytes.ts';
import { threadMessageModel, threadModel } from '../threads/index.ts';
import { createHeldDocuments } from './held-document-repository.ts';
import { programReadModel } from './program-read-model.ts';
import { pendingTurnModel, turnEventsModel, turnModel } from '../turns/index.ts';

interface ExpiredThread {
  id: string;
  userId: string;
}

/** The removal of conversations, with their messages and turns. */
export type ChatRemoval = ReturnType<typeof createChatRemoval>;

/** How many threads are read at a time. */
const pageSize = 500;

export function createChatRemoval(connection: Connection) {
  const threads = threadModel(connection);
  const storedBytes = storedBytesOf(connection);
  const messages = threadMessageModel(connection);
  const turns = turnModel(connection);
  const events = turnEventsModel(connection);
  const pendingTurns = pendingTurnModel(connection);
  const reads = programReadModel(connection);
  const objectId = (id: string) => new mongoose.Types.ObjectId(id);

  async function removeTurns(filter: { organization_id: Types.ObjectId; [field: string]: unknown }): Promise<void> {
    const turnIds = (await turns.find(filter, { _id: 1 }).lean()).map((turn) => turn._id);
    await events.deleteMany({ organization_id: namedOrUnnamed(filter.organization_id), turn_id: { $in: turnIds } });
    const waiting = { organization_id: filter.organization_id.toHexString(), _id: { $in: turnIds.map(String) } };
    await pendingTurns.deleteMany(waiting);
    await turns.deleteMany(filter);
  }

  /** Threads in which a turn runs, or can still be decided. */
  async function active(organization_id: Types.ObjectId, ids: readonly Types.ObjectId[]): Promise<Set<string>> {
    const found = await turns
      .find(
        {
          organization_id,
          thread_id: { $in: ids },
          $or: [{ status: 'running' }, { waiting_until: { $gt: new Date() } }],
        },
        { thread_id: 1 },
      )
      .lean();
    return new Set(found.map(({ thread_id }) => thread_id.toHexString()));
  }

  const withdraw = createHeldDocuments(connection, removeTurns);

  return {
    /**
     * Removes all threads and turns of a purged document, and what other threads hold of it. A turn that still runs leaves no
     * record.
     */
    async ofDocument(organizationId: string, documentId: string): Promise<void> {
      const filter = { organization_id: objectId(organizationId), document_id: objectId(documentId) };
      const threadIds = (await threads.find(filter, { _id: 1 }).lean()).map((thread) => thread._id);
      await messages.deleteMany({
        organization_id: namedOrUnnamed(filter.organization_id),
        thread_id: { $in: threadIds },
      });
      await threads.deleteMany(filter);
      await removeTurns(filter);
      await reads.deleteMany({ organization_id: filter.organization_id, document_ids: documentId });
      await withdraw(organizationId, documentId);
    },
    /** Threads that have not been used since, and in which no turn runs or waits for a user. At most `limit`. */
    async unusedSince(organizationId: string, before: Date, limit: number): Promise<ExpiredThread[]> {
      const unused: ExpiredThread[] = [];
      let after: Types.ObjectId | undefined;
      while (unused.length < limit) {
        const found = await threads
          .find(
            {
              organization_id: objectId(organizationId),
              updated_at: { $lt: before },
              ...(after && { _id: { $gt: after } }),
            },
            { user_id: 1 },
          )
          .sort({ _id: 1 })
          .limit(pageSize)
          .lean();
        const used = await active(
          objectId(organizationId),
          found.map(({ _id }) => _id),
        );
        for (const { _id, user_id } of found) {
          if (!used.has(_id.toHexString())) unused.push({ id: _id.toHexString(), userId: user_id.toHexString() });
        }
        after = found.at(-1)?._id;
        if (found.length < pageSize) break;
      }
      return unused.slice(0, limit);
    },
    /** Removes a thread unless it has been used since. A removal that was interrupted is finished by the next one. */
    async removeUnused(organizationId: string, threadId: string, before: Date): Promise<void> {
      const which = { _id: { $in: objectIdsOf([threadId]) }, organization_id: objectId(organizationId) };
      const unused = { ...which, updated_at: { $lt: before } };
      const expired = await threads.findOneAndUpdate(unused, { $set: { is_expired: true } }).lean();
      if (expired === null) return;
      // The thread goes last: without it nothing would find what an interrupted removal left.
      await messages.deleteMany({
        organization_id: namedOrUnnamed(which.organization_id),
        thread_id: objectId(threadId),
      });
      await removeTurns({ organization_id: which.organization_id, thread_id: objectId(threadId) });
      await storedBytes.forget(
        organizationId,
        threadOwner(expired.document_id.toHexString(), expired._id.toHexString()),
      );
      await threads.deleteOne({ ...which, is_expired: true });
    },
  };
}
