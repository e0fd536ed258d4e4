import type { CallPermission, PermissionRequest, Decide } from '@docwright/agent-core';
import type { OnAsk } from '@docwright/contract';

/**
 * Decides calls in a turn without a user. A call that needs approval is denied or parked, depending on `onAsk`;
 * questions are denied. If another user approved, their rights can deny the call too.
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
    return permission.effect === 'ask' && onAsk === 'deny' ? deniedFor(permission, call) : permission;
  };
}

const chosenByDocument =
  'What this call works on was named by a document and not by the person, so a person has to decide, and nobody is there. Go on without it, and say in the end that the document asked for it.';

const noUserDecides =
  'This call needs a decision, and nobody is there to take it. Go on without it, or say in the end that it is left to do.';

/** Why a corrected result is kept. */
export const keptResultMessages = {
  result_verified: 'A person has verified the result of this document, so it stays as it is.',
  result_edited: 'A person has edited the result of this document, so it stays as it is.',
} as const;

const noAnswers = 'Nobody is there to answer questions. Choose sensibly yourself, and say in the end what you chose.';

function deniedFor({ ruleId, ...permission }: CallPermission, { guardReason }: PermissionRequest): CallPermission {
  const isChosen = permission.effect === 'ask' && permission.because === 'chosen_by_document';
  const message = isChosen
    ? chosenByDocument
    : guardReason === undefined
      ? noUserDecides
      : `${keptResultMessages[guardReason]} Go on without the call.`;
  return { effect: 'deny', message, ...(ruleId === undefined ? {} : { ruleId }) };
}
