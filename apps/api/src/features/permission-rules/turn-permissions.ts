import {
  decideCall,
  matchesTool,
  type PermissionRequest,
  type Decide,
  type DecidingRule,
  type CallMeasurement,
} from '@docwright/agent-core';
import type { Role } from '@docwright/contract';
import { lesserRole, type Actor } from '../identity/index.ts';
import type { PermissionRuleRepositories } from './permission-rule-repository.ts';
import type { TextMatchers } from './text-matcher.ts';

interface TurnPermissionDependencies {
  rulesOf: PermissionRuleRepositories;
  /** The user's current role; undefined if the user has left the organization. */
  roleOf: (organizationId: string, userId: string) => Promise<Role | undefined>;
  matchers: Pick<TextMatchers, 'forDecision'>;
  evidenceOf: EvidenceOf;
}

/** The measured evidence for a call; measured now if `measure` is given. */
export type EvidenceOf = (actor: Actor) => {
  forRules(
    call: { tool: string; args: PermissionRequest['args']; call_id: string; turn_id: string },
    measure: { documents: number; signal: AbortSignal | undefined } | undefined,
  ): Promise<CallMeasurement[] | undefined>;
};

/** Documents measured unless a rule requires more. */
const defaultDocuments = 20;

/** Where a turn runs, and its approvals at the start. */
interface DecidedTurn {
  readonly threadId: string;
  readonly documentId: string;
  readonly autoApprove: boolean;
  readonly autoApprovedTools: readonly string[];
}

export type DecideForTurn = (actor: Pick<Actor, 'organizationId' | 'userId' | 'role'>, turn: DecidedTurn) => Decide;

/**
 * Decides the calls of a turn. Role and rules are read for each decision, so changes apply to the next call of a
 * pending or running turn; the user's role at the start is the maximum.
 */
export function createTurnPermissions({
  rulesOf,
  roleOf,
  matchers,
  evidenceOf,
}: TurnPermissionDependencies): DecideForTurn {
  return (actor, turn) => async (call) => {
    const [role, rules] = await Promise.all([
      roleOf(actor.organizationId, actor.userId),
      rulesOf(actor).applicableIn(turn.threadId),
    ]);
    if (role === undefined) return { effect: 'deny', message: notMemberMessage };
    const { matchText } = matchers.forDecision();
    const rights = { ...turn, role: lesserRole(role, actor.role) };
    const documents = documentsToMeasure(rules, call);
    if (documents === undefined || !call.origin) return decideCall(rules, call, rights, matchText);
    // Calls that are denied or asked whatever the evidence need no measurement.
    const atBest = decideCall(rules, { ...call, evidence: [perfect] }, rights, matchText);
    if (atBest.effect !== 'allow') return atBest;
    const { call_id, turn_id = '' } = call.origin;
    const evidence = await evidenceOf({ ...actor, role: rights.role }).forRules(
      { tool: call.tool, args: call.args, call_id, turn_id },
      call.isProposal ? { documents, signal: call.signal } : undefined,
    );
    return decideCall(rules, { ...call, ...(evidence && { evidence }) }, rights, matchText);
  };
}

const perfect: CallMeasurement = { documents: Infinity, broken: 0, accuracyGain: 1 };

/** The number of documents to measure a call on; undefined if no rule requires a measurement. */
function documentsToMeasure(rules: readonly DecidingRule[], { tool }: PermissionRequest): number | undefined {
  const conditions = rules.flatMap(({ tool: pattern, when }) =>
    when && 'evaluation' in when && matchesTool(pattern, tool) ? [when.evaluation] : [],
  );
  if (conditions.length === 0) return undefined;
  return Math.max(defaultDocuments, ...conditions.map(({ documents_at_least = 1 }) => documents_at_least));
}

const notMemberMessage = 'This call is not permitted: the user no longer belongs to this organization.';
