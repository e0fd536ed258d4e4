import type { ToolEffect } from '@docwright/contract';

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

/** Pure: the same call gets the same permission, at proposal and again right before it runs. */
export type Decide = (call: CallQuestion) => CallPermission;
