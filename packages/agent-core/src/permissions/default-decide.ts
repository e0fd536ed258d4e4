import { decideCall } from './decide-call.ts';
import type { Decide, TurnPermissions } from './permission.ts';

/** A decision without permission rules: only the role and the turn's auto-approvals count. */
export function defaultDecide(turn: Pick<TurnPermissions, 'role' | 'autoApprove' | 'autoApprovedTools'>): Decide {
  const permissions = { ...turn, threadId: '', documentId: '' };
  return (call) => decideCall([], call, permissions, () => false);
}
