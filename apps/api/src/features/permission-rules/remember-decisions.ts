import { DomainError, type CallDecision, type ProposedCall } from '@docwright/contract';
import { requireAdmin, type Actor } from '../identity/actor.ts';
import type { PermissionRuleRepositories } from './permission-rule-repository.ts';

/** What `remember` on an approval stands for: a rule that allows the call's tool from now on. */
export interface RememberedDecisions {
  /** Throws where the person may not, or where there is nothing to allow; asked before a turn is taken. */
  check(actor: Actor, approvals: readonly CallDecision[]): void;
  remember(
    actor: Actor,
    turn: { threadId: string; documentId: string },
    calls: readonly ProposedCall[],
    approvals: readonly CallDecision[],
  ): Promise<void>;
}

export function createRememberedDecisions(rulesOf: PermissionRuleRepositories): RememberedDecisions {
  return {
    check(actor, approvals) {
      for (const { approved, remember } of approvals) {
        if (remember === undefined) continue;
        if (remember === 'organization') requireAdmin(actor);
        if (approved) continue;
        throw new DomainError(
          'invalid',
          'remember_needs_approval',
          'Only an approval can be remembered. To refuse a tool for good, add a permission rule with the effect "deny".',
        );
      }
    },
    async remember(actor, { threadId, documentId }, calls, approvals) {
      for (const { call_id, remember: scope } of approvals) {
        const call = calls.find(({ id }) => id === call_id);
        if (scope === undefined || call === undefined) continue;
        await rulesOf(actor).findOrCreate({
          tool: call.name,
          effect: 'allow',
          scope,
          ...(scope === 'thread' && { thread_id: threadId }),
          ...(scope === 'document' && { document_id: documentId }),
        });
      }
    },
  };
}
