import type mongoose from 'mongoose';
import type { Connection } from 'mongoose';
import { turnModel, isAwaiting, pendingCallModel, type PendingCallRecord } from '../turns/index.ts';

/** Calls of all organizations whose process died between two writes. */
export type OrphanedCallRepository = ReturnType<typeof createOrphanedCallRepository>;

const maxAtOnce = 500;

export function createOrphanedCallRepository(connection: Connection) {
  const calls = pendingCallModel(connection);
  const turns = turnModel(connection);

  async function findAwaitingTurns(turnIds: readonly mongoose.Types.ObjectId[]): Promise<Set<string>> {
    const found = await turns.find({ _id: { $in: [...turnIds] } }, { status: 1 }).lean();
    return new Set(found.filter(({ status }) => isAwaiting(status)).map(({ _id }) => _id.toHexString()));
  }

  return {
    /** The batches whose calls were all decided before `before`, although the turn is still pending. */
    async decidedBatches(before: Date): Promise<PendingCallRecord[][]> {
      const decided = await calls
        .find({ decided_at: { $lt: before } }, { turn_id: 1 })
        .limit(maxAtOnce)
        .lean();
      const ofTurns = await calls.find({ turn_id: { $in: decided.map(({ turn_id }) => turn_id) } }).lean();
      const batches = Map.groupBy(ofTurns, ({ turn_id }) => turn_id.toHexString());
      return [...batches.values()].filter((batch) =>
        batch.every(({ decision, decided_at }) => decision !== null && decided_at !== undefined && decided_at < before),
      );
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
    /** Removes calls older than `before` whose turn is no longer pending. Returns their number. */
    async removeOrphans(before: Date): Promise<number> {
      let removed = 0;
      let last: mongoose.Types.ObjectId | undefined;
      for (;;) {
        const page = await calls
          .find(
            { waiting_since: { $lt: before }, ...(last === undefined ? {} : { _id: { $gt: last } }) },
            { turn_id: 1 },
          )
          .sort({ _id: 1 })
          .limit(maxAtOnce)
          .lean();
        last = page.at(-1)?._id;
        const awaitingTurns = await findAwaitingTurns(page.map(({ turn_id }) => turn_id));
        const orphans = page.filter(({ turn_id }) => !awaitingTurns.has(turn_id.toHexString()));
        if (orphans.length > 0) {
          const { deletedCount } = await calls.deleteMany({ _id: { $in: orphans.map(({ _id }) => _id) } });
          removed += deletedCount;
        }
        if (page.length < maxAtOnce) return removed;
      }
    },
  };
}
