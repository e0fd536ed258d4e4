import type { TurnStore } from '@docwright/agent-core';
import type { JointWrites } from '../../platform/database/joint-writes.ts';
import type { ThreadOwner } from '../threads/index.ts';
import type { PendingTurnStore } from './pending-turn-repository.ts';
import type { StoredTurn } from './stored-turn.ts';
import type { TurnRepository } from './turn-repository-port.ts';

/** Lets a worker resume parked turns, which wait for a decision in the inbox. */
export interface ParkedTurns {
  turnsOf: (owner: ThreadOwner) => TurnRepository;
  /** The store of parked turns, which outlive their process. */
  parkedStore: Pick<TurnStore, 'save'>;
  /** How long a turn stays parked. */
  parkedMs: number;
  /** Resumes in this process a turn whose lease is free. */
  resumeOrphan: (owner: ThreadOwner, turn: StoredTurn) => Promise<void>;
  /** Ends a pending turn and rejects its calls; false if it was decided meanwhile. */
  endPendingTurn: (owner: ThreadOwner, turn: StoredTurn, status: 'superseded' | 'stopped') => Promise<boolean>;
  /** Stops a turn that this process runs at its next safe point. */
  stopTurn: (turnId: string) => void;
  /** Calls the listener with each decided turn that a worker has to resume. */
  onDecided: (listener: (turnId: string) => Promise<void>) => void;
}

/** Turns in memory are lost with their process; unattended turns must survive it and use the lasting store. */
export function withParkedTurns(store: TurnStore, lasting: PendingTurnStore, write: JointWrites): PendingTurnStore {
  return {
    async save(turn, before = []) {
      if (turn.settings.unattended !== undefined) return await lasting.save(turn, before);
      await write(before);
      await store.save(turn);
    },
    async remove(turnId, owner, before) {
      await lasting.remove(turnId, owner, before);
      await store.take(turnId, owner);
    },
    async find(turnId, owner) {
      const found = await store.find(turnId, owner);
      return found.state === 'missing' ? await lasting.find(turnId, owner) : found;
    },
    async take(turnId, owner) {
      const taken = await store.take(turnId, owner);
      return taken.state === 'missing' ? await lasting.take(turnId, owner) : taken;
    },
  };
}
