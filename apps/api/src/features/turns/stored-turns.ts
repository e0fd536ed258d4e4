import type { Role, TurnAnswer, TurnStatus } from '@docwright/contract';
import type { StoredTurn, TurnBeginning } from './stored-turn.ts';
import type { DecidedBatch } from './turn-model.ts';

export interface TurnOutcomeToStore {
  /** Of a turn that nobody watches, where it waits. */
  wait?: { isUnattended: boolean; runId?: string };
  status: TurnStatus;
  answer: TurnAnswer;
  eventCount: number;
  waitingUntil?: Date;
}

/** The turns of one person on one document of one organization. A malformed or foreign id finds nothing. */
export interface TurnRepository {
  /**
   * The new turn's id, made here unless it is given; undefined where another turn runs in the thread. Without a
   * beginning no other process can go on with it.
   */
  begin(threadId: string, turn?: NewTurnRecord): Promise<string | undefined>;
  get(turnId: string): Promise<StoredTurn | undefined>;
  /** The turn that waits in the thread and can still be decided. */
  waitingIn(threadId: string): Promise<StoredTurn | undefined>;
  /** The newest turn of the thread, without its decided batches. */
  latestIn(threadId: string): Promise<StoredTurn | undefined>;
  /** Atomic: of all who decide the batch that waits, one may run it. */
  decide(turn: StoredTurn, decided: TurnDecision): Promise<boolean>;
  /**
   * Atomic: of all who find a turn left by its process, one may go on with it, its events after `turn.eventBound`. False
   * as well where the turn, as it was read, runs.
   */
  resumeOrphan(turn: StoredTurn): Promise<boolean>;
  /** Throws `turn_taken_over` where the turn is no longer this run's: whoever stood still for long asks before it writes. */
  requireHeld(turnId: string, run: TurnFencingToken): Promise<void>;
  /** Lets events be told up to this id; throws as `requireHeld` does. */
  reserveEvents(turnId: string, run: TurnFencingToken, bound: number): Promise<void>;
  /** Gives up a running turn that this process cannot go on with; the same decisions take it up again. */
  release(turnId: string, run: TurnFencingToken): Promise<void>;
  /** Asks for the end of a turn that runs in another process. */
  askToStop(turnId: string): Promise<void>;
  /** Atomic: ends a turn that waits; false where it waits no longer. */
  endWaiting(turn: StoredTurn, outcome: TurnOutcomeToStore): Promise<boolean>;
  /**
   * Stores what a run came to, for the turn and for the last of the batches that were decided when it began. Nothing is
   * stored for a run whose turn somebody else has taken up.
   */
  finish(turnId: string, run: TurnFencingToken, outcome: TurnOutcomeToStore): Promise<void>;
}

/** What was decided on the batch that waits, and with which rights it goes on. */
export interface TurnDecision {
  role: Role;
  batch: Pick<DecidedBatch, 'call_ids' | 'decisions'>;
  /** Somebody other than the turn's person. */
  approver?: string;
  /** A worker goes on with it: its lease is free at once. */
  isForWorker?: boolean;
}

export interface NewTurnRecord {
  turnId?: string;
  role?: Role;
  beginning?: TurnBeginning;
}

/** Which of a turn's runs something is about. */
export type TurnFencingToken = Pick<StoredTurn, 'resumptions'> & { decidedCount: number };
