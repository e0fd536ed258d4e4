import type { Decide } from '@docwright/agent-core';
import { DomainError } from '@docwright/contract';
import type { Actor } from '../identity/index.ts';
import { denyInsteadOfAsking, type DecideForTurn } from '../permission-rules/index.ts';

/**
 * Decides calls in a conversation with the pipeline agent. Building proposals runs without approval. Deny rules hold;
 * calls that a rule would ask for are denied. Only the user applies a pipeline, whatever a rule allows, and the agent
 * cannot even ask while `requireApplicable` throws.
 */
export function createAgentPermissions(
  decideFor: DecideForTurn,
): (actor: Actor, threadId: string, requireApplicable: () => Promise<unknown>) => Decide {
  return (actor, threadId, requireApplicable) => {
    const allowed = { autoApprove: false, autoApprovedTools: ['build_pipeline'] };
    const decide = decideFor(actor, { threadId, documentId: '', ...allowed });
    const decideUnasked = denyInsteadOfAsking(decide, cannotAskMessage);
    return async (call) => {
      if (call.tool !== 'apply_pipeline') return decideUnasked(call);
      const permission = await decide(call);
      if (permission.effect === 'deny') return permission;
      try {
        await requireApplicable();
      } catch (error) {
        if (error instanceof DomainError) return { effect: 'deny', message: error.message };
        throw error;
      }
      return { effect: 'ask' };
    };
  };
}

const cannotAskMessage =
  'This call is not permitted here: a permission rule requires approval, and this conversation cannot ask for it.';
