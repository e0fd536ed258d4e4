import type { PendingBatch } from '@docwright/agent-core';
import { DomainError, type CallDecision, type ProposedCall } from '@docwright/contract';
import { requireAdmin, type Actor } from '../identity/index.ts';
import type { PermissionRuleRepositories } from './permission-rule-repository.ts';

/** `remember` on an approval adds a rule that allows the call's tool from now on, by its exact name. */
export interface RememberedDecisions {
  /**
   * Asked before a turn is taken. Throws where the person may not remember it, and `remember_needs_waiting_call` for a call
   * that waited for nobody: what the model named it was never shown as a tool.
   */
  check(actor: Actor, batch: PendingBatch, approvals: readonly CallDecision[]): void;
  remember(
    actor: Actor,
    turn: { threadId: string; documentId: string },
    batch: PendingBatch,
    approvals: readonly CallDecision[],
  ): Promise<void>;
}

export function createRememberedDecisions(
  rulesOf: PermissionRuleRepositories,
  toolNames: readonly string[],
): RememberedDecisions {
  const known = new Set(toolNames);

  /** The call, where it waited for this decision and its name is a tool's: anything else could be read as a pattern. */
  function waitedFor({ calls, refusals }: PendingBatch, callId: string): ProposedCall | undefined {
    return calls.find(
      ({ id, name, needs_approval }) =>
        id === callId && needs_approval && refusals[id] === undefined && known.has(name),
    );
  }

  return {
    check(actor, batch, approvals) {
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
        if (waitedFor(batch, call_id) === undefined) {
          throw new DomainError(
            'unprocessable',
            'remember_needs_waiting_call',
            `The call ${call_id} did not wait for an approval, so there is nothing to remember. Leave "remember" out.`,
          );
        }
      }
    },
    async remember(actor, { threadId, documentId }, batch, approvals) {
      for (const { approved, call_id, remember: scope } of approvals) {
        const call = waitedFor(batch, call_id);
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
