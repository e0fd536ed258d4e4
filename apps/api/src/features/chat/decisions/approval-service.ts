import { setTimeout as sleep } from 'node:timers/promises';
import { checkDecisions, type PendingTurn, type TurnStore } from '@docwright/agent-core';
import { DomainError, type ApproveBody, type CallDecision } from '@docwright/contract';
import { lesserRole, type Actor } from '../../identity/index.ts';
import { type ThreadOwner, ownerOf } from '../../threads/index.ts';
import {
  blankAnswer,
  closedLog,
  type TurnEventRepository,
  isAwaiting,
  type DecidedTurnBatch,
  type StoredTurn,
  turnOrThrow,
} from '../../turns/index.ts';
import type { RememberedDecisions } from '../../permission-rules/index.ts';
import type { ChatServiceDependencies } from '../start-turn.ts';
import { measurableCall } from '../evidence-on-turns.ts';
import { canonicalDecisions, repeatedBatch } from './decisions.ts';
import type { LiveTurns } from '../live-turns.ts';
import { emittedEvents } from './resume-point.ts';
import type { RunDecided } from './run-decided.ts';
import type { ResumeOrphan } from '../resume/resume-orphan.ts';
import type { TurnRun } from '../turn-runner.ts';
type ApprovalServiceDependencies = Pick<ChatServiceDependencies, 'profile' | 'documentOf' | 'turnsOf' | 'evidence'> & {
  turnStore: TurnStore;
  events: TurnEventRepository;
  liveTurns: LiveTurns;
  rememberedDecisions: RememberedDecisions;
  runDecided: RunDecided;
  /** Has a worker go on with a turn that nobody watches. */
  goOn: (turnId: string) => Promise<void>;
  resumeOrphan: ResumeOrphan;
};

/** Between two looks at a run that another process has begun, or this one is about to begin. */
const pollMs = 50;

/** Takes decisions on waiting turns, each batch once. */
export interface ApprovalService {
  /**
   * Runs the decided batch and goes on with the turn. The same decisions again give the same run or its answer. Throws
   * `turn_not_found` for anybody but the turn's person, `already_decided`, `turn_superseded`, `turn_expired`; a
   * DomainError of kind `unprocessable`, or a `remember` that is not the person's to give, leaves the turn as it was.
   */
  approve(actor: Actor, documentId: string, body: ApproveBody): Promise<TurnRun>;
  /**
   * The same for somebody else's turn that nobody watches, which a worker goes on with: under the rights of its person,
   * and never with more than the approver's own. Answers once it is decided.
   */
  decideFor(approver: Actor, owner: ThreadOwner, body: ApproveBody): Promise<void>;
}

export function createApprovalService(dependencies: ApprovalServiceDependencies): ApprovalService {
  const { profile, turnStore, events, liveTurns, rememberedDecisions, runDecided, resumeOrphan } = dependencies;

  return {
    approve: (actor, documentId, body) => decide(actor, ownerOf(actor, documentId), body),
    async decideFor(approver, owner, body) {
      await decide(approver, owner, body, true);
    },
  };

  async function decide(actor: Actor, owner: ThreadOwner, body: ApproveBody, isBackground = false): Promise<TurnRun> {
    const document = await dependencies.documentOf(actor, owner.documentId);
    const turns = dependencies.turnsOf(owner);
    const decisions = { approvals: body.approvals, answers: body.answers ?? [] };

    for (;;) {
      const turn = turnOrThrow(await turns.get(body.turn_id));
      const repeated = repeatedBatch(turn, decisions);
      const run = repeated && runOf(turn, repeated);
      if (run) return run;
      if (repeated && turn.status === 'running') {
        if (isBackground) return nothingToFollow(turn.id);
        if (turn.isOrphaned && turn.beginning?.settings.unattended === undefined) await resumeOrphan(owner, turn);
        else await sleep(pollMs);
        continue;
      }
      if (repeated) throw decisionInterrupted();
      const lookup = await turnStore.find(turn.id, owner);
      if (lookup.state !== 'waiting' || !isAwaiting(turn.status)) {
        const now = turnOrThrow(await turns.get(turn.id));
        // It was decided between the two looks.
        if (now.decided.length > turn.decided.length) continue;
        throw notWaiting(now);
      }
      checkDecisions(profile.tools, lookup.turn, decisions);
      rememberedDecisions.check(actor, lookup.turn.batch, decisions.approvals);
      await requireEvidence(actor, turn.id, lookup.turn, decisions.approvals);
      const call_ids = lookup.turn.batch.calls.map(({ id }) => id);
      // Another tab may have decided since the turn was read; then its decision is looked at again from the start.
      const batch = { call_ids, decisions: canonicalDecisions(decisions) };
      const { unattended } = lookup.turn.settings;
      if (unattended !== undefined) {
        const isOwner = actor.userId === owner.userId;
        const role = turn.role === undefined ? actor.role : lesserRole(turn.role, actor.role);
        const decision = { role, batch, isForWorker: true, ...(!isOwner && { approver: actor.userId }) };
        if (!(await turns.decide(turn, decision))) continue;
        await emittedEvents(events, turn);
        await dependencies.goOn(turn.id);
        return isBackground ? nothingToFollow(turn.id) : await followedRun(owner, turn.id);
      }
      if (!(await turns.decide(turn, { role: actor.role, batch }))) continue;
      const point = { pending: lookup.turn, eventsBefore: await emittedEvents(events, turn) };
      const token = { resumptions: turn.resumptions, decidedCount: turn.decided.length + 1 };
      return runDecided({ actor, owner, document, turn, point, decisions, token, isOrphaned: false });
    }
  }

  function nothingToFollow(turnId: string): TurnRun {
    const answer = blankAnswer({ turnId, threadId: '' });
    return { ...closedLog(0, answer), answer: Promise.resolve(answer) };
  }

  /** A worker goes on with the turn: what came of it is told once it has. */
  async function followedRun(owner: ThreadOwner, turnId: string): Promise<TurnRun> {
    for (;;) {
      const turn = turnOrThrow(await dependencies.turnsOf(owner).get(turnId));
      if (turn.status !== 'running' && turn.answer) {
        return { ...closedLog(turn.eventCount - 1, turn.answer), answer: Promise.resolve(turn.answer) };
      }
      await sleep(pollMs);
    }
  }

  /** Whoever approves on the strength of a measurement approves only what was measured. */
  async function requireEvidence(actor: Actor, turn_id: string, { batch }: PendingTurn, approvals: CallDecision[]) {
    for (const { call_id, approved, arguments: edited, evaluation_id } of approvals) {
      const call = batch.calls.find(({ id }) => id === call_id);
      if (!approved || evaluation_id === undefined || !call) continue;
      const measured = measurableCall(turn_id, { ...call, arguments: edited ?? call.arguments });
      const stale = await dependencies.evidence(actor).staleness(evaluation_id, measured);
      if (stale === undefined) continue;
      const message = `${stale} Measure again, or decide without evaluation_id.`;
      throw new DomainError('conflict', 'evaluation_stale', message, { call_id, evaluation_id });
    }
  }

  /** The run that these decisions began, or its answer; undefined where this process sees neither. */
  function runOf(turn: StoredTurn, batch: DecidedTurnBatch): TurnRun | undefined {
    if (batch.answer) {
      const eventCount = batch.event_count ?? turn.eventCount;
      return { ...closedLog(eventCount - 1, batch.answer), answer: Promise.resolve(batch.answer) };
    }
    const live = liveTurns.get(turn.id);
    return live?.running && { log: live.log, after: live.running.after, answer: live.running.answer };
  }
}

function decisionInterrupted(): DomainError {
  return new DomainError(
    'conflict',
    'turn_interrupted',
    'This decision was taken, but the server stopped before it had an answer. The thread shows what was done; send a message to go on.',
  );
}

function notWaiting({ status }: StoredTurn): DomainError {
  if (isAwaiting(status)) {
    return new DomainError(
      'gone',
      'turn_expired',
      'This turn waited too long and can no longer be decided. Send a message to go on.',
    );
  }
  if (status === 'superseded') {
    return new DomainError(
      'conflict',
      'turn_superseded',
      'A new message took the place of this turn, and its calls count as rejected.',
    );
  }
  return new DomainError('conflict', 'turn_not_waiting', `This turn waits for no decision; it is ${status}.`);
}
