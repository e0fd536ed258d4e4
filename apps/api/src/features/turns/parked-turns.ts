import type { TurnStore } from '@docwright/agent-core';
import type { ThreadOwner } from '../threads/index.ts';
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
