import type { Decide } from '@docwright/agent-core';
import { DomainError } from '@docwright/contract';
import type { Actor } from '../identity/index.ts';
import type { DecideForTurn } from '../permission-rules/index.ts';

/**
 * What may run in a conversation with the pipeline agent. Proposals are kept unasked; a rule that denies holds, and what
 * a rule wants asked is not done. Applying is always the person's, whatever a rule allows; it is not even asked for while
 * `mayApply` throws.
 */
export function createAgentPermissions(
  decideFor: DecideForTurn,
): (actor: Actor, threadId: string, mayApply: () => Promise<unknown>) => Decide {
  return (actor, threadId, mayApply) => {
    const allowed = { autoApprove: false, autoApprovedTools: ['build_pipeline'] };
    const decide = decideFor(actor, { threadId, documentId: '', ...allowed });
    return async (call) => {
      const permission = await decide(call);
      if (call.tool !== 'apply_pipeline') {
        return permission.effect === 'ask' ? { ...permission, effect: 'deny', message: cannotAsk } : permission;
      }
      if (permission.effect === 'deny') return permission;
      try {
        await mayApply();
      } catch (error) {
        if (error instanceof DomainError) return { effect: 'deny', message: error.message };
        throw error;
      }
      return { effect: 'ask' };
    };
  };
}

const cannotAsk =
  'This call is not permitted here: a permission rule wants the person asked, which this conversation cannot do.';
