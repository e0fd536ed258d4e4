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

/** Decides as `decide` does, but denies with this message what it would ask for, where no user can be asked. */
export function denyInsteadOfAsking(decide: Decide, message: string): Decide {
  return async (call) => {
    const permission = await decide(call);
    return permission.effect === 'ask' ? { ...permission, effect: 'deny', message } : permission;
  };
}

const chosenByDocument =
  'The user did not name the target of this call, and a document can have chosen it, so a user must decide, and none is present. Continue without it, and report at the end that it remains to be done.';

const noUserDecides =
  'This call needs a decision, and no user is present. Continue without it, or report at the end that it remains to be done.';

/** Why a corrected result is kept. */
export const keptResultMessages = {
  result_verified: 'A user has verified the result of this document, so it is kept.',
  result_edited: 'A user has edited the result of this document, so it is kept.',
} as const;

const listShortened =
  'The whole list would take away what stands there, and no user is present to decide. Name what to add, set or remove instead (add_tag_ids, remove_tag_ids, set_metadata, remove_metadata).';

const noAnswers =
  'No user is present to answer questions. Choose sensibly yourself, and report your choice at the end.';

function deniedFor({ ruleId, ...permission }: CallPermission, { guardReason }: PermissionRequest): CallPermission {
  const isChosen = permission.effect === 'ask' && permission.because === 'chosen_by_document';
  const message = isChosen ? chosenByDocument : messageOf(guardReason);
  return { effect: 'deny', message, ...(ruleId === undefined ? {} : { ruleId }) };
}

function messageOf(reason: PermissionRequest['guardReason']): string {
  if (reason === undefined || reason === 'many_model_calls') return noUserDecides;
  return reason === 'list_shortened' ? listShortened : `${keptResultMessages[reason]} Continue without the call.`;
}
