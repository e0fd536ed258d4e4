import type { CallPermission, Decide } from '@docwright/agent-core';
import type { OnAsk } from '@docwright/contract';

/**
 * What may run in a turn that nobody watches. A call that would have to ask is denied or waits, as `onAsk` says; nobody
 * answers questions. Where somebody else approved, nothing runs that their rights deny.
 */
export function decideUnattended(
  own: Decide,
  approvers: Decide | undefined,
  { onAsk, awaitsAnswers }: { onAsk: OnAsk; awaitsAnswers: (tool: string) => boolean },
): Decide {
  return async (call) => {
    const permission = await own(call);
    if (permission.effect === 'deny') return permission;
    if (awaitsAnswers(call.tool)) return { effect: 'deny', message: noAnswers };
    const theirs = await approvers?.(call);
    if (theirs?.effect === 'deny') return theirs;
    return permission.effect === 'ask' && onAsk === 'deny' ? deniedFor(permission) : permission;
  };
}

const noAnswers = 'Nobody is there to answer questions. Choose sensibly yourself, and say in the end what you chose.';

function deniedFor({ ruleId }: CallPermission): CallPermission {
  const message =
    'This call needs a decision, and nobody is there to take it. Go on without it, or say in the end that it is left to do.';
  return { effect: 'deny', message, ...(ruleId === undefined ? {} : { ruleId }) };
}
