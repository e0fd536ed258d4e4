import type { PendingTurn, TurnLookup, TurnOwner, TurnStore } from '@docwright/agent-core';
import type { Connection } from 'mongoose';
import { readTogether } from '../../platform/database/joint-reads.ts';
import { createJointWrites, writeOf, type JointWrite } from '../../platform/database/joint-writes.ts';
import { pendingTurnModel } from './pending-turn-model.ts';

/** Of a turn: a larger one does not fit into a record. */
const maxBytes = 15 * 1024 * 1024;

/** A store of pending turns that also stores what belongs to them. */
export interface PendingTurnStore extends TurnStore {
  /** `before` is stored in the same command, before the turn. */
  save(turn: PendingTurn, before?: readonly JointWrite[]): Promise<void>;
  /** Removes a turn, if there is one. `before` is stored in the same command, before that. */
  remove(turnId: string, owner: TurnOwner, before: readonly JointWrite[]): Promise<void>;
}

/** Stores pending turns in the database: they survive a restart, and any process can resume them. */
export function createMongoTurnStore(
  connection: Connection,
  { ttlMs, parkedTtlMs = ttlMs, now = Date.now }: { ttlMs: number; parkedTtlMs?: number; now?: () => number },
): PendingTurnStore {
  const model = pendingTurnModel(connection);
  const write = createJointWrites(connection);
  const ownBy = (turnId: string, { organizationId, documentId, userId }: TurnOwner) => ({
    _id: turnId,
    organization_id: organizationId,
    document_id: documentId,
    user_id: userId,
  });
  const alive = () => ({ expires_at: { $gt: new Date(now()) } });

  async function expiredOrMissing(turnId: string, owner: TurnOwner): Promise<TurnLookup> {
    const found = await model.findOne(ownBy(turnId, owner), { expires_at: 1 }).lean();
    return { state: found && found.expires_at.getTime() <= now() ? 'expired' : 'missing' };
  }

  return {
    async save(turn, before = []) {
      const waitMs = turn.settings.unattended === undefined ? ttlMs : parkedTtlMs;
      const text = JSON.stringify(turn);
      if (Buffer.byteLength(text) > maxBytes) {
        await write(before);
        throw new RangeError('The turn is too large to be stored.');
      }
      const update = { $set: { turn: text, expires_at: new Date(now() + waitMs) } };
      await write([
        ...before,
        writeOf(model, { updateOne: { filter: ownBy(turn.turnId, turn.owner), update, upsert: true } }),
      ]);
    },
    async find(turnId, owner) {
      const [found] = await readTogether(model, { ...ownBy(turnId, owner), ...alive() });
      return found ? { state: 'waiting', turn: readTurn(found.turn) } : expiredOrMissing(turnId, owner);
    },
    async remove(turnId, owner, before) {
      await write([...before, writeOf(model, { deleteOne: { filter: ownBy(turnId, owner) } })]);
    },
    async take(turnId, owner) {
      const taken = await model.findOneAndDelete({ ...ownBy(turnId, owner), ...alive() }).lean();
      return taken ? { state: 'waiting', turn: readTurn(taken.turn) } : expiredOrMissing(turnId, owner);
    },
  };
}

function readTurn(json: string): PendingTurn {
  const turn: PendingTurn = JSON.parse(json);
  return turn;
}
