import { editedArguments, type Decisions, type TurnOwner } from '@docwright/agent-core';
import type { Document } from '@docwright/contract';
import type { Actor } from '../../identity/index.ts';
import type { RememberedDecisions } from '../../permission-rules/index.ts';
import { turnInput, type ChatServiceDependencies } from '../running/start-turn.ts';
import type { ResumePoint } from './resume-point.ts';
import type { StoredTurn, TurnFencingToken } from '../../turns/index.ts';
import type { RunningTurn } from '../running/turn-runner.ts';

type RunDecidedDependencies = Omit<ChatServiceDependencies, 'endPendingTurn' | 'chooseModel' | 'startingState'> & {
  rememberedDecisions: RememberedDecisions;
};

interface TurnToResume {
  actor: Actor;
  owner: TurnOwner;
  document: Document;
  turn: StoredTurn;
  point: ResumePoint;
  decisions: Decisions;
  token: TurnFencingToken;
  /** The process that ran the turn has died. */
  isOrphaned: boolean;
}

/**
 * Resumes a turn. Its checkpoint stays in the store until it ends, so that another process can resume it if this one
 * dies. The call id prevents a second write of the same call.
 */
export type RunDecided = (toResume: TurnToResume) => Promise<RunningTurn>;

export function createRunDecided(dependencies: RunDecidedDependencies): RunDecided {
  return async ({ actor, owner, document, turn, point: { pending, eventsBefore }, decisions, token, isOrphaned }) => {
    const threads = dependencies.threadsOf(owner);
    for (const decision of decisions.approvals) {
      const { call_id, approved } = decision;
      const call = pending.batch.calls.find(({ id }) => id === call_id);
      const edited = call && editedArguments(call, decision);
      if (approved && edited !== undefined) await threads.setCallArguments(turn.threadId, call_id, edited);
    }
    const place = { threadId: turn.threadId, documentId: owner.documentId };
    await dependencies.rememberedDecisions.remember(actor, place, pending.batch, decisions.approvals);
    const services = dependencies.servicesFor(actor, document, pending.settings);
    return dependencies.runInBackground({
      turnId: turn.id,
      threadId: turn.threadId,
      eventsBefore,
      token,
      threads,
      turns: dependencies.turnsOf(owner),
      input: turnInput(dependencies, actor, services, { pending, ...decisions, isOrphaned }, turn.approver),
    });
  };
}
