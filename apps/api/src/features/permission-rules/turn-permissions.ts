import {
  decideCall,
  matchesTool,
  type PermissionRequest,
  type Decide,
  type DecidingRule,
  type Evidence,
} from '@docwright/agent-core';
import type { Role } from '@docwright/contract';
import { lesserRole, type Actor } from '../identity/index.ts';
import type { PermissionRuleRepositories } from './permission-rule-repository.ts';
import type { TextMatchers } from './text-matcher.ts';

interface TurnPermissionDependencies {
  rulesOf: PermissionRuleRepositories;
  /** The person's role now; undefined for one who no longer belongs to the organization. */
  roleOf: (organizationId: string, userId: string) => Promise<Role | undefined>;
  matchers: Pick<TextMatchers, 'forDecision'>;
  evidenceOf: EvidenceOf;
}

/** What measurements of a call have shown; measured now where `measure` is given. */
export type EvidenceOf = (actor: Actor) => {
  forRules(
    call: { tool: string; args: PermissionRequest['args']; call_id: string; turn_id: string },
    measure: { documents: number; signal: AbortSignal | undefined } | undefined,
  ): Promise<Evidence[] | undefined>;
};

/** As many documents are measured for a rule that does not say more. */
const usualDocuments = 20;

/** Where a turn runs, and what was allowed when it was started. */
interface DecidedTurn {
  readonly threadId: string;
  readonly documentId: string;
  readonly autoApprove: boolean;
  readonly autoApprovedTools: readonly string[];
}

export type DecideForTurn = (actor: Pick<Actor, 'organizationId' | 'userId' | 'role'>, turn: DecidedTurn) => Decide;

/**
 * Decides on the calls of a turn. Role and rules are read at every question, so that what was changed while the turn
 * waited or ran holds for its next call; no more than the role that the person came with is ever granted.
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
      rulesOf(actor).holdingIn(turn.threadId),
    ]);
    if (role === undefined) return { effect: 'deny', message: noMember };
    const { matchText } = matchers.forDecision();
    const rights = { ...turn, role: lesserRole(role, actor.role) };
    const asked = documentsAskedFor(rules, call);
    if (asked === undefined || !call.origin) return decideCall(rules, call, rights, matchText);
    // What is refused or asked about whatever a measurement shows need not be measured.
    const atBest = decideCall(rules, { ...call, evidence: [perfect] }, rights, matchText);
    if (atBest.effect !== 'allow') return atBest;
    const { call_id, turn_id = '' } = call.origin;
    const evidence = await evidenceOf({ ...actor, role: rights.role }).forRules(
      { tool: call.tool, args: call.args, call_id, turn_id },
      call.isProposal ? { documents: asked, signal: call.signal } : undefined,
    );
    return decideCall(rules, { ...call, ...(evidence && { evidence }) }, rights, matchText);
  };
}

const perfect: Evidence = { documents: Infinity, broken: 0, accuracyGain: 1 };

/** On how many documents a call has to be measured; undefined where no rule asks for a measurement of it. */
function documentsAskedFor(rules: readonly DecidingRule[], { tool }: PermissionRequest): number | undefined {
  const conditions = rules.flatMap(({ tool: pattern, when }) =>
    when && 'evaluation' in when && matchesTool(pattern, tool) ? [when.evaluation] : [],
  );
  if (conditions.length === 0) return undefined;
  return Math.max(usualDocuments, ...conditions.map(({ documents_at_least = 1 }) => documents_at_least));
}

const noMember = 'This call is not permitted: the person no longer belongs to this organization.';
