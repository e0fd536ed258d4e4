import type { Decide } from '@docwright/agent-core';
import type { Actor } from '../identity/actor.ts';
import type { DecideForTurn } from '../permission-rules/turn-permissions.ts';

/** What may run of collections: a rule that denies holds, and what a rule wants asked is not done, since no page shows it. */
export function createCollectionPermissions(decideFor: DecideForTurn): (actor: Actor) => Decide {
  return (actor) => {
    const unasked = { autoApprove: false, autoApprovedTools: [] };
    const decide = decideFor(actor, { threadId: '', documentId: '', ...unasked });
    return async (call) => {
      const permission = await decide(call);
      return permission.effect === 'ask' ? { ...permission, effect: 'deny', message: cannotAsk } : permission;
    };
  };
}

const cannotAsk =
  'This call is not permitted here: a permission rule wants the person asked, which cannot be done for collections. Tell them to search on the page of the collection themselves.';
