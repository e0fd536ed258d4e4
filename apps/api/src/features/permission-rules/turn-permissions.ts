import { decideCall, type Decide } from '@docwright/agent-core';
import type { Role } from '@docwright/contract';
import { lesserRole, type Actor } from '../identity/actor.ts';
import type { PermissionRuleRepositories } from './permission-rule-repository.ts';
import type { TextMatchers } from './text-matcher.ts';

export interface TurnPermissionDependencies {
  rulesOf: PermissionRuleRepositories;
  /** The person's role now; undefined for one who no longer belongs to the organization. */
  roleOf: (organizationId: string, userId: string) => Promise<Role | undefined>;
  matchers: Pick<TextMatchers, 'forDecision'>;
}

/** Where a turn runs, and what was allowed when it was started. */
export interface DecidedTurn {
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
export function createTurnPermissions({ rulesOf, roleOf, matchers }: TurnPermissionDependencies): DecideForTurn {
  return (actor, turn) => async (call) => {
    const [role, rules] = await Promise.all([
      roleOf(actor.organizationId, actor.userId),
      rulesOf(actor).holdingIn(turn.threadId),
    ]);
    if (role === undefined) return { effect: 'deny', message: noMember };
    const { matchText } = matchers.forDecision();
    return decideCall(rules, call, { ...turn, role: lesserRole(role, actor.role) }, matchText);
  };
}

const noMember = 'This call is not permitted: the person no longer belongs to this organization.';
