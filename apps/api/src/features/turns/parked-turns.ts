import type { TurnStore } from '@docwright/agent-core';
import type { ThreadOwner } from '../threads/thread-repository.ts';
import type { StoredTurn } from './stored-turn.ts';
import type { TurnRepository } from './stored-turns.ts';

/** What a worker needs of conversations to go on with turns that wait for a decision without a person watching. */
export interface ParkedTurns {
  turnsOf: (owner: ThreadOwner) => TurnRepository;
  /** Where such turns are kept: they outlive their process. */
  lastingStore: Pick<TurnStore, 'save'>;
  /** How long they wait. */
  parkedMs: number;
  /** Goes on with a turn that nobody holds, in this process. */
  resumeOrphan: (owner: ThreadOwner, turn: StoredTurn) => Promise<void>;
  /** Ends a turn that waits, its calls counting as rejected; false where somebody has decided it. */
  endWaitingTurn: (owner: ThreadOwner, turn: StoredTurn, status: 'superseded' | 'stopped') => Promise<boolean>;
  /** Stops a turn at its next safe point, where this process runs it. */
  stopTurn: (turnId: string) => void;
  /** Told of each turn that was decided and is to go on in a worker. */
  onDecided: (listener: (turnId: string) => Promise<void>) => void;
}
