import { decideCall } from './decide-call.ts';
import type { Decide, TurnPermissions } from './permission.ts';

/** The decision where there are no rules. */
export function defaultDecide(turn: Pick<TurnPermissions, 'role' | 'autoApprove' | 'autoApprovedTools'>): Decide {
  const nowhere = { ...turn, threadId: '', documentId: '' };
  return (call) => decideCall([], call, nowhere, () => false);
}
