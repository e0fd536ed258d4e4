import type { PendingBatch } from '@docwright/agent-core';
import { DomainError, type CallDecision, type ProposedCall } from '@docwright/contract';
import { requireAdmin, type Actor } from '../identity/index.ts';
import type { PermissionRuleRepositories } from './permission-rule-repository.ts';

/** `remember` on an approval adds a rule that allows the call's tool from now on, by its exact name. */
export type RememberedDecisions = ReturnType<typeof createRememberedDecisions>;

export function createRememberedDecisions(rulesOf: PermissionRuleRepositories, toolNames: readonly string[]) {
  const known = new Set(toolNames);

  /** The call if it was pending and its name is a tool's: any other name could be read as a pattern. */
  function pendingCall({ calls, refusals }: PendingBatch, callId: string): ProposedCall | undefined {
    return calls.find(
      ({ id, name, needs_approval }) =>
        id === callId && needs_approval && refusals[id] === undefined && known.has(name),
    );
  }

  return {
    /**
     * Called before the decisions are taken. Throws if the user cannot remember it, and `remember_needs_waiting_call` for
     * a call that was not pending: its name was never shown as a tool.
     */
    check(actor: Actor, batch: PendingBatch, approvals: readonly CallDecision[]): void {
      for (const { approved, call_id, remember } of approvals) {
        if (remember === undefined) continue;
        if (remember === 'organization') requireAdmin(actor);
        if (!approved) {
          throw new DomainError(
            'invalid',
            'remember_needs_approval',
            'Only an approval can be remembered. To refuse a tool for good, add a permission rule with the effect "deny".',
          );
        }
        if (pendingCall(batch, call_id) === undefined) {
          throw new DomainError(
            'unprocessable',
            'remember_needs_waiting_call',
            `The call ${call_id} was not pending, so no approval can be remembered. Omit "remember".`,
          );
        }
      }
    },
    async remember(
      actor: Actor,
      { threadId, documentId }: { threadId: string; documentId: string },
      batch: PendingBatch,
      approvals: readonly CallDecision[],
    ): Promise<void> {
      for (const { approved, call_id, remember: scope } of approvals) {
        const call = pendingCall(batch, call_id);
        if (scope === undefined || !approved || call === undefined) continue;
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
