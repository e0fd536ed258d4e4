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
import type { ChatServiceDependencies } from '../running/start-turn.ts';
import { measurableCall } from './evidence-on-turns.ts';
import { canonicalDecisions, findRepeatedBatch } from '../resume/stored-decisions.ts';
import type { DocumentOfTurn } from '../running/document-of-turn.ts';
import type { LiveTurns } from '../running/live-turns.ts';
import { storeClosingEvent } from '../resume/resume-point.ts';
import type { RunDecided } from '../resume/run-decided.ts';
import type { ResumeOrphan } from '../resume/resume-orphan.ts';
import type { RunningTurn } from '../running/turn-runner.ts';

type ApprovalServiceDependencies = Pick<ChatServiceDependencies, 'profileOf' | 'turnsOf' | 'evidence'> & {
  documentOfTurn: DocumentOfTurn;
  turnStore: TurnStore;
  events: TurnEventRepository;
  liveTurns: LiveTurns;
  rememberedDecisions: RememberedDecisions;
  runDecided: RunDecided;
  /** Makes a worker resume a decided unattended turn. */
  notifyDecided: (turnId: string) => Promise<void>;
  resumeOrphan: ResumeOrphan;
};

/** How often to poll for a run that another process has started or that this process is about to start. */
const pollMs = 50;

/** Decides pending turns, each batch once. */
export type ApprovalService = ReturnType<typeof createApprovalService>;

export function createApprovalService(dependencies: ApprovalServiceDependencies) {
  const { profileOf, turnStore, events, liveTurns, rememberedDecisions, runDecided, resumeOrphan } = dependencies;

  return {
    /**
     * Runs the decided batch and resumes the turn. Repeated decisions return the same run or its answer. Throws
     * `turn_not_found` for everyone except the user of the turn, `already_decided`, `turn_superseded`, `turn_expired`. A
     * DomainError of kind `unprocessable`, or a `remember` that the user is not allowed to set, leaves the turn pending.
     */
    approve: (actor: Actor, documentId: string, body: ApproveBody): Promise<RunningTurn> =>
      decide(actor, ownerOf(actor, documentId), body),
    /** Reads what `approve` needs. `isRepeated`: these decisions are stored already, so that it starts nothing. */
    async prepare(
      actor: Actor,
      documentId: string,
      body: ApproveBody,
    ): Promise<{ isRepeated: boolean; approve: () => Promise<RunningTurn> }> {
      const owner = ownerOf(actor, documentId);
      const found = await read(actor, owner, body.turn_id);
      return {
        isRepeated: findRepeatedBatch(found.turn, decisionsOf(body)) !== undefined,
        approve: () => decide(actor, owner, body, { found }),
      };
    },
    /**
     * Decides another user's unattended turn. A worker resumes it with the lesser of that user's and the approver's
     * rights. Resolves once the decision is stored.
     */
    async decideFor(approver: Actor, owner: ThreadOwner, body: ApproveBody): Promise<void> {
      await decide(approver, owner, body, { isBackground: true });
    },
  };

  async function read(actor: Actor, owner: ThreadOwner, turnId: string) {
    const [document, turn, lookup, lastId] = await Promise.all([
      dependencies.documentOfTurn(actor, owner, turnId),
      dependencies.turnsOf(owner).get(turnId),
      turnStore.find(turnId, owner),
      events.lastId({ organizationId: owner.organizationId, id: turnId }),
    ]);
    return { document, turn: turnOrThrow(turn), lookup, lastId };
  }

  /** `found`: what was read before; what changed since then is read again. */
  async function decide(
    actor: Actor,
    owner: ThreadOwner,
    body: ApproveBody,
    { isBackground = false, found }: { isBackground?: boolean; found?: Awaited<ReturnType<typeof read>> } = {},
  ): Promise<RunningTurn> {
    const turns = dependencies.turnsOf(owner);
    const decisions = decisionsOf(body);

    for (let known = found; ; known = undefined) {
      const { document, turn, lookup, lastId } = known ?? (await read(actor, owner, body.turn_id));
      const repeated = findRepeatedBatch(turn, decisions);
      const run = repeated && startedRun(turn, repeated);
      if (run) return run;
      if (repeated && turn.status === 'running') {
        if (isBackground) return emptyRun(turn.id);
        if (turn.isOrphaned && turn.beginning?.settings.unattended === undefined) await resumeOrphan(owner, turn);
        else await sleep(pollMs);
        continue;
      }
      if (repeated) throw decisionInterrupted();
      if (lookup.state !== 'waiting' || !isAwaiting(turn.status)) {
        const now = turnOrThrow(await turns.get(turn.id));
        // Another request decided it between the two reads.
        if (now.decided.length > turn.decided.length) continue;
        throw notWaiting(now);
      }
      checkDecisions(profileOf(owner.documentId).tools, lookup.turn, decisions);
      rememberedDecisions.check(actor, lookup.turn.batch, decisions.approvals);
      await requireEvidence(actor, turn.id, lookup.turn, decisions.approvals);
      const call_ids = lookup.turn.batch.calls.map(({ id }) => id);
      // If another request decides first, `turns.decide` returns false and the loop reads that decision.
      const batch = { call_ids, decisions: canonicalDecisions(decisions) };
      const { unattended } = lookup.turn.settings;
      if (unattended !== undefined) {
        const isOwner = actor.userId === owner.userId;
        const role = turn.role === undefined ? actor.role : lesserRole(turn.role, actor.role);
        const decision = { role, batch, isForWorker: true, ...(!isOwner && { approver: actor.userId }) };
        if (!(await turns.decide(turn, decision))) continue;
        await storeClosingEvent(events, turn, lastId);
        await dependencies.notifyDecided(turn.id);
        return isBackground ? emptyRun(turn.id) : await waitForWorker(owner, turn.id);
      }
      if (!(await turns.decide(turn, { role: actor.role, batch }))) continue;
      const point = { pending: lookup.turn, eventsBefore: await storeClosingEvent(events, turn, lastId) };
      const token = { resumptions: turn.resumptions, decidedCount: turn.decided.length + 1 };
      return runDecided({ actor, owner, document, turn, point, decisions, token, isOrphaned: false });
    }
  }

  function emptyRun(turnId: string): RunningTurn {
    const answer = blankAnswer({ turnId, threadId: '' });
    return { ...closedLog(0, answer), answer: Promise.resolve(answer) };
  }

  /** Waits until a worker has resumed the turn and reached its next pause or end. */
  async function waitForWorker(owner: ThreadOwner, turnId: string): Promise<RunningTurn> {
    for (;;) {
      const turn = turnOrThrow(await dependencies.turnsOf(owner).get(turnId));
      if (turn.status !== 'running' && turn.answer) {
        return { ...closedLog(turn.eventCount - 1, turn.answer), answer: Promise.resolve(turn.answer) };
      }
      await sleep(pollMs);
    }
  }

  /** An approval that names an evaluation approves only the call that was measured. */
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

  /** The run that these decisions started, or its answer. Undefined if this process has neither. */
  function startedRun(turn: StoredTurn, batch: DecidedTurnBatch): RunningTurn | undefined {
    if (batch.answer) {
      const eventCount = batch.event_count ?? turn.eventCount;
      return { ...closedLog(eventCount - 1, batch.answer), answer: Promise.resolve(batch.answer) };
    }
    const live = liveTurns.get(turn.id);
    return live?.running && { log: live.log, after: live.running.after, answer: live.running.answer };
  }
}

const decisionsOf = ({ approvals, answers = [] }: ApproveBody) => ({ approvals, answers });

function decisionInterrupted(): DomainError {
  return new DomainError(
    'conflict',
    'turn_interrupted',
    'The server stored this decision but stopped before it had an answer. The thread shows what was done; send a message to continue.',
  );
}

function notWaiting({ status }: StoredTurn): DomainError {
  if (isAwaiting(status)) {
    return new DomainError(
      'gone',
      'turn_expired',
      'This turn waited too long and can no longer be decided. Send a message to continue.',
    );
  }
  if (status === 'superseded') {
    return new DomainError(
      'conflict',
      'turn_superseded',
      'A new message superseded this turn, and its calls were rejected. Read the thread for the newest turn.',
    );
  }
  return new DomainError('conflict', 'turn_not_waiting', `This turn is not waiting for a decision: it is ${status}.`);
}
