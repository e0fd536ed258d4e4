import type { PendingTurn, TurnLookup, TurnOwner, TurnStore } from '@docwright/agent-core';
import type { Connection } from 'mongoose';
import { readTogether } from '../../platform/database/joint-reads.ts';
import { pendingTurnModel } from './pending-turn-model.ts';

/** Stores pending turns in the database: they survive a restart, and any process can resume them. */
export function createMongoTurnStore(
  connection: Connection,
  { ttlMs, parkedTtlMs = ttlMs, now = Date.now }: { ttlMs: number; parkedTtlMs?: number; now?: () => number },
): TurnStore {
  const model = pendingTurnModel(connection);
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
    async save(turn) {
      const waitMs = turn.settings.unattended === undefined ? ttlMs : parkedTtlMs;
      await model.replaceOne(
        { _id: turn.turnId },
        { ...ownBy(turn.turnId, turn.owner), turn: JSON.stringify(turn), expires_at: new Date(now() + waitMs) },
        { upsert: true },
      );
    },
    async find(turnId, owner) {
      const [found] = await readTogether(model, { ...ownBy(turnId, owner), ...alive() });
      return found ? { state: 'waiting', turn: readTurn(found.turn) } : expiredOrMissing(turnId, owner);
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
