import { decideCall } from './decide-call.ts';
import type { Decide, TurnPermissions } from './permission.ts';

/**
 * A decision without permission rules: only the role and the turn's auto-approvals count.
 *
 * @example
 * import { defaultDecide } from '@docwright/agent-core';
 *
 * const decide = defaultDecide({ role: 'member', autoApprove: false, autoApprovedTools: ['create_tag'] });
 * await decide({ tool: 'create_tag', effect: 'read_write', args: { name: 'Freight' } }); // { effect: 'allow' }
 */
export function defaultDecide(turn: Pick<TurnPermissions, 'role' | 'autoApprove' | 'autoApprovedTools'>): Decide {
  const permissions = { ...turn, threadId: '', documentId: '' };
  return (call) => decideCall([], call, permissions, () => false);
}
