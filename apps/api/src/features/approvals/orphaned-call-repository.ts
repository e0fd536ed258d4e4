import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { documentModel } from '../documents/index.ts';
import type { ThreadOwner } from '../threads/index.ts';
import { turnModel, isAwaiting, pendingCallModel, type PendingCallRecord } from '../turns/index.ts';

/** Calls of all organizations whose process died between two writes. */
export type OrphanedCallRepository = ReturnType<typeof createOrphanedCallRepository>;

const maxAtOnce = 500;

export function createOrphanedCallRepository(connection: Connection) {
  const calls = pendingCallModel(connection);
  const turns = turnModel(connection);
  const documents = documentModel(connection);

  async function findAwaitingTurns(turnIds: readonly mongoose.Types.ObjectId[]): Promise<Set<string>> {
    const found = await turns.find({ _id: { $in: [...turnIds] } }, { status: 1 }).lean();
    return new Set(found.filter(({ status }) => isAwaiting(status)).map(({ _id }) => _id.toHexString()));
  }

  /** The turns of calls, without those that are damaged. */
  async function* pages(filter: QueryFilter<PendingCallRecord>) {
    for (let last: mongoose.Types.ObjectId | undefined; ;) {
      const later = last === undefined ? {} : { _id: { $gt: last } };
      const page = await calls
        .find({ ...filter, ...later }, { turn_id: 1, organization_id: 1, document_id: 1, user_id: 1 })
        .sort({ _id: 1 })
        .limit(maxAtOnce)
        .lean();
      last = page.at(-1)?._id;
      yield page.filter(({ turn_id }) => turn_id instanceof mongoose.Types.ObjectId);
      if (page.length < maxAtOnce) return;
    }
  }

  return {
    /**
     * The batches whose calls were all decided before `before`, although the turn is still pending. Others, of which a part is
     * decided, can be many: all are looked at.
     */
    async *decidedBatches(before: Date): AsyncGenerator<PendingCallRecord[]> {
      const seen = new Set<string>();
      for await (const decided of pages({ decided_at: { $lt: before } })) {
        const fresh = decided.filter(({ turn_id }) => !seen.has(turn_id.toHexString()));
        for (const { turn_id } of fresh) seen.add(turn_id.toHexString());
        const ofTurns = await calls.find({ turn_id: { $in: fresh.map(({ turn_id }) => turn_id) } }).lean();
        for (const batch of Map.groupBy(ofTurns, ({ turn_id }) => turn_id.toHexString()).values()) {
          const isDecided = batch.every(
            ({ decision, decided_at }) => decision !== null && decided_at !== undefined && decided_at < before,
          );
          if (isDecided) yield batch;
        }
      }
    },
    /** The waits of calls that nobody decided until they expired, each once. */
    async takeExpiredWaits(now: Date): Promise<{ startTime: Date; endTime: Date }[]> {
      const expired = await calls
        .find(
          { expires_at: { $lt: now }, decision: null, wait_traced_at: { $exists: false } },
          { waiting_since: 1, expires_at: 1 },
        )
        .limit(maxAtOnce)
        .lean();
      if (expired.length > 0)
        await calls.updateMany({ _id: { $in: expired.map(({ _id }) => _id) } }, { $set: { wait_traced_at: now } });
      return expired.map(({ waiting_since, expires_at }) => ({ startTime: waiting_since, endTime: expires_at }));
    },
    /** The turns of users that wait for decisions about documents in the trash. */
    async *inTrash(): AsyncGenerator<{ owner: ThreadOwner; turnId: string }> {
      for await (const page of pages({ is_unattended: false })) {
        const ids = page.map(({ document_id }) => document_id).filter((id) => id instanceof mongoose.Types.ObjectId);
        const found = await documents.find({ _id: { $in: ids }, deleted_at: { $ne: null } }, { _id: 1 }).lean();
        const trashed = new Set(found.map(({ _id }) => _id.toHexString()));
        for (const { turn_id, organization_id, document_id, user_id } of page) {
          const [documentId, userId] = [document_id?.toHexString(), user_id?.toHexString()];
          if (documentId === undefined || userId === undefined || !trashed.has(documentId)) continue;
          const owner = { organizationId: organization_id.toHexString(), documentId, userId };
          yield { owner, turnId: turn_id.toHexString() };
        }
      }
    },
    /** Removes calls older than `before` whose turn is no longer pending. Returns their number. */
    async removeOrphans(before: Date): Promise<number> {
      let removed = 0;
      for await (const page of pages({ waiting_since: { $lt: before } })) {
        const awaitingTurns = await findAwaitingTurns(page.map(({ turn_id }) => turn_id));
        const orphans = page.filter(({ turn_id }) => !awaitingTurns.has(turn_id.toHexString()));
        if (orphans.length === 0) continue;
        const { deletedCount } = await calls.deleteMany({ _id: { $in: orphans.map(({ _id }) => _id) } });
        removed += deletedCount;
      }
      return removed;
    },
  };
}
