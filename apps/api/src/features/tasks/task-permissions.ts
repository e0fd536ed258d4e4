import { taskAgentTools, type Decide } from '@docwright/agent-core';
import type { Actor } from '../identity/actor.ts';
import type { DecideForTurn } from '../permission-rules/turn-permissions.ts';

const toolNames = taskAgentTools.tools.map(({ name }) => name);

/**
 * What may run in a conversation about tasks. Writes to one's own list run unasked; a rule that denies holds, a viewer
 * writes nothing, and what a rule wants asked is not done: the answer is one complete JSON, in which nobody can be asked.
 */
export function createTaskPermissions(decideFor: DecideForTurn): (actor: Actor, threadId: string) => Decide {
  return (actor, threadId) => {
    const allowed = { autoApprove: false, autoApprovedTools: toolNames };
    const decide = decideFor(actor, { threadId, documentId: '', ...allowed });
    return async (call) => {
      const permission = await decide(call);
      if (permission.effect !== 'ask') return permission;
      return { ...permission, effect: 'deny', message: cannotAsk };
    };
  };
}

const cannotAsk =
  'This call is not permitted here: a permission rule wants the person asked, which this conversation cannot do. Tell them to make the change themselves on the page Tasks.';
