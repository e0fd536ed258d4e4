import { setTimeout as sleep } from 'node:timers/promises';
import {
  DomainError,
  type Approval,
  type ApprovalDecision,
  type ApprovalEvent,
  type ApprovalOutcome,
  type ApprovalQuery,
  type ProposedCall,
} from '@docwright/contract';
import { pollInTurn } from '../../platform/places/polls.ts';
import { isDeepStrictEqual } from 'node:util';
import type { EvidenceOnTurns } from '../chat/index.ts';
import type { Actor } from '../identity/index.ts';
import type { CarryOut } from './carry-out-decisions.ts';
import type { CheckDecision } from './check-decision.ts';
import type { PendingCallRecord, StoredDecision } from '../turns/index.ts';
import type { ApprovalRepository, CallGroup, SettledCall, Visible } from './approval-repository.ts';
import { pageInOrder } from '../../platform/database/page.ts';

interface ApprovalInboxDependencies {
  callsOf: (organizationId: string) => ApprovalRepository;
  carryOut: CarryOut;
  /** Adds evaluations that have finished since the call was stored. */
  evidenceOnTurns: EvidenceOnTurns;
  /** Throws the DomainError that forbids a decision, before it is stored. */
  check: CheckDecision;
}

/** The pending approvals of one user, across all documents. */
export type ApprovalInbox = ReturnType<typeof inboxFor>;

const pollMs = 1_000;
const maxTextCharacters = 2_000;
/** How many turns of one request are decided concurrently. */
const maxConcurrentTurns = 6;
/** New calls in one poll beyond this are not published; the list has them all. */
const maxAddedEvents = 200;

export function createApprovalInbox(dependencies: ApprovalInboxDependencies): (actor: Actor) => ApprovalInbox {
  return (actor) => inboxFor(actor, dependencies);
}

function inboxFor(actor: Actor, { callsOf, carryOut, evidenceOnTurns, check }: ApprovalInboxDependencies) {
  const calls = callsOf(actor.organizationId);
  const visible: Visible = { userId: actor.userId, isAdmin: actor.role === 'admin' };
  /** A viewer cannot decide anything. */
  const isViewer = actor.role === 'viewer';

  async function toApprovals(found: readonly PendingCallRecord[]): Promise<Approval[]> {
    const [answers, names] = await Promise.all([
      calls.answers(found.map(({ turn_id }) => turn_id.toHexString())),
      calls.documentNames(found.map(({ document_id }) => document_id.toHexString())),
    ]);
    const approvals = found.map(async (call) => {
      const answer = answers.get(call.turn_id.toHexString());
      const stored = answer?.tool_calls.find(({ id }) => id === call.call_id);
      if (!answer || !stored) return [];
      const proposed = await withEvidence(call.turn_id.toHexString(), stored);
      const document_id = call.document_id.toHexString();
      return [
        {
          turn_id: call.turn_id.toHexString(),
          call_id: call.call_id,
          tool: call.tool,
          arguments: proposed.arguments,
          effect: proposed.effect,
          summary: proposed.summary,
          ...(proposed.preview && { preview: proposed.preview }),
          ...(proposed.provenance && { provenance: proposed.provenance }),
          ...(proposed.passages && { passages: proposed.passages }),
          ...(proposed.chosen_by_document && { chosen_by_document: proposed.chosen_by_document }),
          document_id,
          document_name: names.get(document_id) ?? null,
          thread_id: call.thread_id.toHexString(),
          ...(call.run_id !== undefined && { run_id: call.run_id }),
          requested_by: call.user_id.toHexString(),
          waiting_since: call.waiting_since.toISOString(),
          expires_at: call.expires_at.toISOString(),
          group: call.group,
          ...(answer.text !== '' && { said: answer.text.slice(0, maxTextCharacters) }),
        },
      ];
    });
    return (await Promise.all(approvals)).flat();
  }

  async function withEvidence(turn_id: string, call: ProposedCall): Promise<ProposedCall> {
    if (call.preview?.kind !== 'difference' || call.preview.evaluation === undefined) return call;
    const { tool_calls } = await evidenceOnTurns(actor, { turn_id, tool_calls: [call] });
    return tool_calls[0] ?? call;
  }

  async function listGroups(groups: readonly CallGroup[]): Promise<Approval[]> {
    const found = await toApprovals(await calls.byCallIds(groups.map(({ first }) => first)));
    return groups.flatMap(({ group, size, differs }) => {
      const first = found.find((approval) => approval.group === group);
      return first === undefined ? [] : [{ ...first, group_size: size, differs }];
    });
  }

  async function decideOne({ turn_id, call_id, ...answer }: ApprovalDecision): Promise<ApprovalOutcome> {
    const outcome = (status: ApprovalOutcome['status'], message?: string): ApprovalOutcome => ({
      turn_id,
      call_id,
      status,
      ...(message !== undefined && { message }),
    });
    const notFound = outcome('not_found', 'You have no such pending call: it does not exist, or it is not yours.');
    const call = await calls.find(turn_id, call_id);
    const mayDecide = (userId: string, isUnattended: boolean) =>
      userId === actor.userId || (visible.isAdmin && isUnattended);
    if (call === undefined) {
      const settled = await calls.settled(turn_id, call_id);
      if (settled === undefined || !mayDecide(settled.userId, settled.isUnattended)) return notFound;
      const { decidedBy } = settled;
      return {
        ...outcome('conflict', settledMessage(settled, actor.userId)),
        ...(decidedBy && { decided_by: decidedBy }),
      };
    }
    if (!mayDecide(call.user_id.toHexString(), call.is_unattended)) return notFound;
    if (call.expires_at <= new Date())
      return outcome('expired', 'This call waited too long and can no longer be decided.');
    const decision = { ...answer, by: actor.userId, role: actor.role };
    // The call may have run since: its own write is no change by somebody else.
    const isRepeated = call.decision !== null && isSame(call.decision, decision);
    try {
      if (!isRepeated) await check(actor, call, answer);
      if (!isRepeated && !(await calls.store(call_id, decision))) {
        const now = await calls.find(turn_id, call_id);
        if (!now?.decision || !isSame(now.decision, decision)) {
          const by = now?.decision?.by;
          const who = by === actor.userId ? 'You have' : 'Another user has';
          return {
            ...outcome('conflict', `${who} just decided this call. Reload the list.`),
            ...(by !== undefined && { decided_by: by }),
          };
        }
      }
      await carryOut(actor, await calls.ofTurn(turn_id));
      return outcome('decided');
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code === 'already_decided') return outcome('conflict', error.message);
      if (!isRepeated) await calls.reopen(call_id, decision);
      return outcome(statusOf(error), error.message);
    }
  }

  async function* events(signal: AbortSignal): AsyncGenerator<ApprovalEvent> {
    let published = new Map<string, string>();
    let lastFingerprint = '';
    let lastCount = '';
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      // The minute makes the list be read again although nothing was written, since calls expire.
      const written = await pollInTurn(actor, () => calls.fingerprint());
      const fingerprint = `${written} ${isFirst ? '' : Math.floor(Date.now() / 60_000)}`;
      if (fingerprint !== lastFingerprint) {
        lastFingerprint = fingerprint;
        const found = isViewer ? [] : await pollInTurn(actor, () => calls.listAll(visible, {}));
        const current = new Map(found.map((call) => [call.call_id, call.turn_id.toHexString()]));
        const count = { total_count: found.length, total_groups: new Set(found.map(({ group }) => group)).size };
        if (JSON.stringify(count) !== lastCount) {
          lastCount = JSON.stringify(count);
          yield { type: 'count', ...count };
        }
        if (!isFirst) {
          for (const [call_id, turn_id] of published)
            if (!current.has(call_id)) yield { type: 'removed', turn_id, call_id };
          const added = found.filter(({ call_id }) => !published.has(call_id)).slice(0, maxAddedEvents);
          for (const approval of await toApprovals(added)) yield { type: 'added', approval };
        }
        published = current;
      }
      await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    async list({ by, skip, limit, cursor, ...filter }: ApprovalQuery) {
      if (isViewer) return { approvals: [], total_count: 0, total_groups: 0, skip, limit };
      const page = { skip, limit, cursor };
      const counting = calls.groups(visible, filter);
      const count = async () => ({ total_count: (await counting).reduce((sum, { size }) => sum + size, 0) });
      const [groups, single] = await Promise.all([
        counting,
        by === 'call' ? calls.listPage(visible, filter, page, count) : undefined,
      ]);
      const total_groups = groups.length;
      if (single) return { approvals: await toApprovals(single.records), ...single.end, total_groups, skip, limit };
      const { items, end } = pageInOrder(groups, page, { expires: 1, group: 1 });
      return { approvals: await listGroups(items), ...end, ...(await count()), total_groups, skip, limit };
    },
    /** Yields outcomes as they arrive. A turn resumes once all calls of its batch are decided. */
    async *decide(decisions: readonly ApprovalDecision[]) {
      // The calls of one turn are decided one after the other, so that the last of them resumes the turn.
      const turns = [...Map.groupBy(decisions, ({ turn_id }) => turn_id).values()];
      const outcomes: ApprovalOutcome[] = [];
      let nextOutcome = Promise.withResolvers<void>();
      let isFinished = false;
      const decideTurns = async () => {
        for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) {
          for (const decision of turn) {
            outcomes.push(await decideOne(decision));
            nextOutcome.resolve();
          }
        }
      };
      const deciding = Promise.all(Array.from({ length: maxConcurrentTurns }, decideTurns)).finally(() => {
        isFinished = true;
        nextOutcome.resolve();
      });
      // An error is thrown by `await deciding` below, after the outcomes before it were sent.
      deciding.catch(() => undefined);
      try {
        for (;;) {
          yield* outcomes.splice(0);
          if (isFinished) break;
          await nextOutcome.promise;
          nextOutcome = Promise.withResolvers();
        }
        yield* outcomes.splice(0);
        await deciding;
      } finally {
        // The client has disconnected: decisions in progress finish, and no other starts.
        turns.length = 0;
      }
    },
    events,
  };
}

/** Why a call is no longer pending, for the user who wants to decide it. */
function settledMessage({ status, isDecided, decidedBy }: SettledCall, userId: string): string {
  if (isDecided) {
    const who = decidedBy === userId ? 'You have' : 'Another user has';
    return `${who} already decided this call. Reload the list.`;
  }
  if (status === 'superseded') return 'A newer message in the conversation has superseded this call.';
  if (status === 'stopped') return 'The call was withdrawn: its turn or run was stopped or undone.';
  return 'The call is no longer pending: its turn has ended. Reload the list.';
}

/** Whether two decisions are equal; their users can differ. */
function isSame(
  { by: _byA, role: _roleA, ...a }: StoredDecision,
  { by: _byB, role: _roleB, ...b }: StoredDecision,
): boolean {
  return isDeepStrictEqual(a, b);
}

/** Sorts the outcomes in the order of their decisions. */
export function inOrderOf(
  decisions: readonly ApprovalDecision[],
  outcomes: readonly ApprovalOutcome[],
): ApprovalOutcome[] {
  const places = new Map(decisions.map(({ turn_id, call_id }, at) => [`${turn_id} ${call_id}`, at]));
  const placeOf = ({ turn_id, call_id }: ApprovalOutcome) => places.get(`${turn_id} ${call_id}`) ?? 0;
  return outcomes.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function statusOf({ kind, code }: DomainError): ApprovalOutcome['status'] {
  if (code === 'turn_expired') return 'expired';
  if (kind === 'forbidden') return 'forbidden';
  if (kind === 'not_found') return 'not_found';
  return kind === 'invalid' || kind === 'unprocessable' ? 'invalid' : 'conflict';
}
