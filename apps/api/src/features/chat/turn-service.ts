import { setTimeout as sleep } from 'node:timers/promises';
import {
  DomainError,
  type CallEvaluationStarted,
  type EvaluateCallBody,
  type LatestTurn,
  type TurnAnswer,
} from '@docwright/contract';
import type { CallEvaluations } from '../evaluations/index.ts';
import { measurableCall, type EvidenceOnTurns } from './decisions/evidence-on-turns.ts';
import type { Actor } from '../identity/index.ts';
import { turnInterrupted, type ActorOf } from './resume/resume-orphan.ts';
import { type ThreadOwner, ownerOf } from '../threads/index.ts';
import type { DocumentOfTurn } from './running/document-of-turn.ts';
import type { EndPendingTurn } from './running/end-pending-turn.ts';
import {
  followTurn,
  type TurnEvents,
  type TurnStanding,
  blankAnswer,
  type TurnEventRepository,
  isAwaiting,
  turnOrThrow,
  isPending,
  type createPendingCallWriter,
  type StoredTurn,
  type TurnRepository,
} from '../turns/index.ts';
import type { LiveTurns } from './running/live-turns.ts';

/** The current state of a turn: its answer at the last pause or end, plus progress since then if this process runs it. */
export type TurnState = Omit<TurnAnswer, 'status'> & { status: TurnAnswer['status'] | 'running' };

interface TurnServiceDependencies {
  liveTurns: LiveTurns;
  storedEvents: TurnEventRepository;
  turnsOf: (owner: ThreadOwner) => TurnRepository;
  endPendingTurn: EndPendingTurn;
  pendingCalls: Pick<ReturnType<typeof createPendingCallWriter>, 'turnsAbout'>;
  documentOfTurn: DocumentOfTurn;
  actorOf: ActorOf;
  evidence: (actor: Actor) => CallEvaluations;
  withEvidence: EvidenceOnTurns;
}

/** How long a stop waits for the process that runs the turn, and how often it polls. */
const stopWithinMs = 10_000;
const pollMs = 100;

/** Started turns. Only the user who started a turn can read it; others get `turn_not_found`. */
export type TurnService = ReturnType<typeof createTurnService>;

export function createTurnService(dependencies: TurnServiceDependencies) {
  const { liveTurns, storedEvents, turnsOf, endPendingTurn, documentOfTurn, evidence, withEvidence } = dependencies;
  const { pendingCalls, actorOf } = dependencies;

  async function find(actor: Actor, documentId: string, turnId: string): Promise<StoredTurn> {
    const owner = ownerOf(actor, documentId);
    await documentOfTurn(actor, owner, turnId);
    return turnOrThrow(await turnsOf(owner).get(turnId));
  }

  return {
    async state(actor: Actor, documentId: string, turnId: string): Promise<TurnState> {
      const turn = await find(actor, documentId, turnId);
      const soFar = turn.status === 'running' ? liveTurns.get(turn.id)?.running?.progress.soFar() : undefined;
      return await withEvidence(actor, { ...stateOf(turn), ...soFar });
    },
    /** Measures the effect of a pending call. Throws `turn_not_waiting`, `call_not_found`, `not_measurable`. */
    async evaluate(
      actor: Actor,
      documentId: string,
      turnId: string,
      callId: string,
      body: EvaluateCallBody,
    ): Promise<CallEvaluationStarted> {
      const turn = await find(actor, documentId, turnId);
      if (!isPending(turn)) {
        throw new DomainError(
          'conflict',
          'turn_not_waiting',
          'This turn is not waiting for a decision, so there is nothing to measure. Read the turn again.',
        );
      }
      const call = stateOf(turn).tool_calls.find(({ id, needs_approval }) => id === callId && needs_approval);
      if (!call)
        throw new DomainError(
          'not_found',
          'call_not_found',
          'This turn has no such pending call. Read the turn again.',
        );
      return await evidence(actor).start(measurableCall(turnId, call), body);
    },
    /** Ends a running turn at the next safe point. A pending turn ends with its calls rejected. */
    async stop(actor: Actor, documentId: string, turnId: string): Promise<TurnState> {
      const turn = await find(actor, documentId, turnId);
      const running = liveTurns.get(turn.id)?.running;
      if (running) {
        running.stop.abort();
        await running.finished;
      } else if (isPending(turn)) {
        await endPendingTurn(ownerOf(actor, documentId), turn, 'stopped');
      } else if (turn.status === 'running') {
        await turnsOf(ownerOf(actor, documentId)).requestStop(turn.id);
        const deadline = Date.now() + stopWithinMs;
        while (Date.now() < deadline && (await find(actor, documentId, turnId)).status === 'running') {
          await sleep(pollMs);
        }
      }
      return stateOf(await find(actor, documentId, turnId));
    },
    /** Ends the turns that wait for a decision about documents in the trash: nobody could decide or stop them. */
    async withdraw(organizationId: string, documentIds: readonly string[]): Promise<void> {
      const waiting = await pendingCalls.turnsAbout(organizationId, documentIds);
      const end = async ({ owner, id }: (typeof waiting)[number]) => {
        const turn = await turnsOf(owner).get(id);
        if (turn !== undefined && isPending(turn)) await endPendingTurn(owner, turn, 'stopped');
      };
      // A damaged one waits on, and holds up neither the others nor the trash.
      await Promise.allSettled(waiting.map(end));
    },
    /** As `withdraw`, of a turn that began to wait while its document went to the trash. */
    async withdrawLeft(owner: ThreadOwner, turnId: string): Promise<void> {
      const [turn, actor] = await Promise.all([turnsOf(owner).get(turnId), actorOf(owner, 'admin')]);
      if (turn === undefined || !isPending(turn) || actor === undefined) return;
      try {
        // A turn that has moved its own document to the trash can be decided further.
        await documentOfTurn(actor, owner, turnId);
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'document_not_found') throw error;
        await endPendingTurn(owner, turn, 'stopped');
      }
    },
    /** The past and future events of the turn, whichever process emits them. */
    async events(actor: Actor, documentId: string, turnId: string): Promise<TurnEvents> {
      const turn = await find(actor, documentId, turnId);
      return followTurn(turn, {
        stored: storedEvents,
        live: () => liveTurns.get(turn.id)?.log,
        standing: async () => standingOf(turnOrThrow(await turnsOf(ownerOf(actor, documentId)).get(turn.id))),
      });
    },
  };
}

function standingOf(turn: StoredTurn): TurnStanding {
  const { status, ...answer } = stateOf(turn);
  if (status === 'running' || isPending(turn)) return { ended: undefined };
  return { ended: { answer: { ...answer, status }, closingId: closingIdOf(turn, status) } };
}

/** The id of the closing event. If none was emitted, the first id that no process can have used. */
function closingIdOf({ answer, eventCount, eventBound }: StoredTurn, status: TurnAnswer['status']): number {
  if (answer?.status === status) return eventCount;
  return (status === 'failed' ? eventBound : eventCount) + 1;
}

function answerOf(turn: StoredTurn): TurnAnswer {
  return turn.answer ?? blankAnswer({ turnId: turn.id, threadId: turn.threadId });
}

/** A short form of the state of a turn. */
export function latestTurnOf(turn: StoredTurn): LatestTurn {
  const { status, usage, context, error } = stateOf(turn);
  const known = turn.answer === undefined ? {} : { usage, ...(context && { context }) };
  return { turn_id: turn.id, status, event_count: turn.eventCount, ...known, ...(error && { error }) };
}

function stateOf(turn: StoredTurn): TurnState {
  const answer = answerOf(turn);
  const { status } = turn;
  if (status === 'running') return { ...answer, status, tool_calls: [] };
  if (status === 'failed' && !answer.error) return { ...answer, status, tool_calls: [], error: turnInterrupted };
  if (isAwaiting(status) && !isPending(turn)) {
    return { ...answer, status: 'stopped', tool_calls: [], error: expired };
  }
  return { ...answer, status };
}

const expired = {
  code: 'turn_expired',
  message: 'This turn waited too long and can no longer be decided. Send a message to continue.',
};
