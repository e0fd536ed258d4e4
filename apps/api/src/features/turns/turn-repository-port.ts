import type { Role, TurnAnswer, TurnStatus } from '@docwright/contract';
import type { JointWrite, JointWrites } from '../../platform/database/joint-writes.ts';
import type { StoredTurn, TurnBeginning } from './stored-turn.ts';
import type { DecidedBatch } from './turn-model.ts';

export interface TurnOutcomeToStore {
  /** Set for a pending turn of an unattended run. */
  wait?: { isUnattended: boolean; runId?: string };
  status: TurnStatus;
  answer: TurnAnswer;
  eventCount: number;
  waitingUntil?: Date;
}

/** The turns of one user on one document of one organization. A malformed or foreign id finds nothing. */
export interface TurnRepository {
  /**
   * Starts a turn and returns its id, by default a new one; undefined while another turn runs in the thread. Without
   * `beginning`, no other process can resume the turn.
   */
  start(threadId: string, turn?: NewTurnRecord): Promise<string | undefined>;
  get(turnId: string): Promise<StoredTurn | undefined>;
  /** The pending turn of the thread that can still be decided. */
  pendingIn(threadId: string): Promise<StoredTurn | undefined>;
  /** The newest turn of the thread, without its decided batches. */
  latestIn(threadId: string): Promise<StoredTurn | undefined>;
  /** Atomic: only one of several concurrent decisions on the pending batch succeeds. */
  decide(turn: StoredTurn, decided: TurnDecision): Promise<boolean>;
  /**
   * Atomic: only one of the processes that find an orphaned turn resumes it, with event ids after `turn.eventBound`.
   * Also false if the turn is running.
   */
  resumeOrphan(turn: StoredTurn): Promise<boolean>;
  /** Throws `turn_taken_over` if another run has the turn now. A run that might have stalled calls this before it writes. */
  requireHeld(turnId: string, run: TurnFencingToken): Promise<void>;
  /** Allows events up to this id to be emitted; throws as `requireHeld` does. */
  reserveEvents(turnId: string, run: TurnFencingToken, bound: number): Promise<void>;
  /** Releases a running turn that this process cannot continue; the same decisions resume it. */
  release(turnId: string, run: TurnFencingToken): Promise<void>;
  /** Requests the stop of a turn that runs in another process. */
  requestStop(turnId: string): Promise<void>;
  /** Atomic: ends a pending turn; false if it is no longer pending. */
  endPending(turn: StoredTurn, outcome: TurnOutcomeToStore): Promise<boolean>;
  /**
   * Stores the outcome of a run, for the turn and for the last batch that was decided when the run started. Stores nothing
   * if another process has resumed the turn. `store` stores the write of the outcome, together with others.
   */
  finish(turnId: string, run: TurnFencingToken, outcome: TurnOutcomeToStore, store?: JointWrites): Promise<void>;
}

/** The decisions on the pending batch, and the rights with which the turn resumes. */
interface TurnDecision {
  role: Role;
  batch: Pick<DecidedBatch, 'call_ids' | 'decisions'>;
  /** The approver, if not the user of the turn. */
  approver?: string;
  /** A worker resumes the turn: its lease is free at once. */
  isForWorker?: boolean;
}

interface NewTurnRecord {
  turnId?: string;
  role?: Role;
  beginning?: TurnBeginning;
  /** Stored in the same command, before the turn. */
  before?: readonly JointWrite[];
}

/** Names one run of a turn. */
export type TurnFencingToken = Pick<StoredTurn, 'resumptions'> & { decidedCount: number };

/** A run of a turn that holds its lease, as far as its process knows. */
export interface LeasedTurn {
  organizationId: string;
  turnId: string;
  token: TurnFencingToken;
}
