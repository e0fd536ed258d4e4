import type { TurnOwner, TurnStore } from '@docwright/agent-core';
import { DomainError, type Role } from '@docwright/contract';
import { isDatabaseUnavailable } from '../../../platform/database/connection.ts';
import type { Actor } from '../../identity/index.ts';
import type { ThreadOwner, ThreadRepository } from '../../threads/index.ts';
import { parseDecisions } from './stored-decisions.ts';
import type { DocumentOfTurn } from '../running/document-of-turn.ts';
import type { LiveTurns } from '../running/live-turns.ts';
import { resumePointOf, startingPointOf, type ResumePoint } from './resume-point.ts';
import type { RunDecided } from './run-decided.ts';
import {
  type StoredTurn,
  blankAnswer,
  closingOf,
  frameOf,
  type TurnEventRepository,
  type TurnRepository,
} from '../../turns/index.ts';

/** The user of a turn with their current role, but at most `maxRole`, the role with which they started the turn. */
export type ActorOf = (owner: { organizationId: string; userId: string }, maxRole: Role) => Promise<Actor | undefined>;

/** The error of an orphaned turn that no process can resume. */
export const turnInterrupted = {
  code: 'turn_interrupted',
  message: 'The server stopped while this turn ran. The thread shows what was done; send a message to continue.',
};

interface ResumeOrphanDependencies {
  turnStore: TurnStore;
  /** Whether checkpoints outlive the process that stored them. */
  isStoreLasting: boolean;
  events: TurnEventRepository;
  liveTurns: LiveTurns;
  threadsOf: (owner: ThreadOwner) => ThreadRepository;
  turnsOf: (owner: ThreadOwner) => TurnRepository;
  /** Throws if the document no longer exists. */
  documentOfTurn: DocumentOfTurn;
  actorOf: ActorOf;
  runDecided: RunDecided;
  log: { error(fields: object, message: string): void };
}

/**
 * Resumes an orphaned turn from its last checkpoint. A turn that cannot be resumed ends with `turn_interrupted`. Does
 * nothing if another process is faster.
 */
export type ResumeOrphan = (owner: ThreadOwner, turn: StoredTurn) => Promise<void>;

export function createResumeOrphan(dependencies: ResumeOrphanDependencies): ResumeOrphan {
  const { turnStore, isStoreLasting, events, liveTurns, threadsOf, turnsOf, runDecided, log } = dependencies;

  async function pointOf(owner: TurnOwner, turn: StoredTurn): Promise<ResumePoint | undefined> {
    const threads = threadsOf(owner);
    const batch = turn.decided.at(-1);
    const lookup = await turnStore.find(turn.id, owner);
    if (lookup.state === 'waiting') return resumePointOf({ events, threads }, turn, batch, lookup.turn);
    const hasNoCheckpoint = lookup.state === 'missing' && batch === undefined && isStoreLasting;
    return hasNoCheckpoint ? startingPointOf(threads, owner, turn) : undefined;
  }

  /** Returns false if the turn cannot be resumed. */
  async function resume(owner: ThreadOwner, turn: StoredTurn): Promise<boolean> {
    const actor = turn.isOrphaned && turn.role && (await dependencies.actorOf(owner, turn.role));
    if (!actor) return false;
    const document = await dependencies.documentOfTurn(actor, owner, turn.id);
    const point = await pointOf(owner, turn);
    if (!point) return false;
    const decided = turn.decided.at(-1)?.decisions;
    const decisions = decided === undefined ? { approvals: [], answers: [] } : parseDecisions(decided);
    const token = tokenOf(turn);
    await runDecided({ actor, owner, document, turn, point, decisions, token, isOrphaned: true });
    return true;
  }

  async function endAsInterrupted(owner: ThreadOwner, turn: StoredTurn): Promise<void> {
    const before = turn.answer ?? blankAnswer({ turnId: turn.id, threadId: turn.threadId });
    const answer = { ...before, status: 'failed' as const, tool_calls: [], error: turnInterrupted };
    const id = turn.eventBound + 1;
    await events.append(turn, [{ first: id, last: id, frames: frameOf(id, closingOf(answer)) }]);
    await turnsOf(owner).finish(turn.id, tokenOf(turn), { status: 'failed', answer, eventCount: id });
  }

  return async (owner, turn) => {
    // This process runs the turn and was only too busy to renew its lease.
    if (liveTurns.get(turn.id)?.running) return;
    const turns = turnsOf(owner);
    if (!(await turns.resumeOrphan(turn))) return;
    liveTurns.forget(turn.id);
    try {
      if (!(await resume(owner, turn))) await endAsInterrupted(owner, turn);
    } catch (error) {
      if (isDatabaseUnavailable(error)) return turns.release(turn.id, tokenOf(turn));
      if (!(error instanceof DomainError)) log.error({ err: error, turn_id: turn.id }, 'a turn could not be resumed');
      await endAsInterrupted(owner, turn);
    }
  };
}

/** The fencing token of the run that resumes an orphaned turn. */
function tokenOf({ resumptions, decided }: StoredTurn) {
  return { resumptions: resumptions + 1, decidedCount: decided.length };
}
