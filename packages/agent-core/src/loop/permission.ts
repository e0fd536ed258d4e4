import type { Role, ToolEffect } from '@docwright/contract';

/** A proposed call, as far as a decision may look at it. */
export interface CallQuestion {
  readonly tool: string;
  readonly effect: ToolEffect;
  readonly args: Readonly<Record<string, unknown>>;
}

/** `deny` holds over every approval; its message is given to the model. */
export type CallPermission =
  | { readonly effect: 'allow' }
  | { readonly effect: 'ask' }
  | { readonly effect: 'deny'; readonly message: string };

/** Pure: the same call gets the same permission, at its proposal and again right before it runs. */
export type Decide = (call: CallQuestion) => CallPermission;

/** Read-only calls run, writes are asked for unless this turn allows them; a viewer's never run. */
export function defaultDecide(turn: {
  readonly role: Role;
  readonly autoApprove: boolean;
  readonly autoApprovedTools: readonly string[];
}): Decide {
  return (call) => {
    if (call.effect === 'read_only') return { effect: 'allow' };
    if (turn.role === 'viewer') {
      return {
        effect: 'deny',
        message: 'This person may only read in this organization; changes need the role member.',
      };
    }
    const allowed = turn.autoApprove || turn.autoApprovedTools.includes(call.tool);
    return { effect: allowed ? 'allow' : 'ask' };
  };
}
