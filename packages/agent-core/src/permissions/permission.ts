import type { PermissionRule, Provenance, Role, ToolEffect } from '@docwright/contract';

/** A call, as far as a decision may look at it. */
export interface CallQuestion {
  readonly tool: string;
  readonly effect: ToolEffect;
  /** As the tool's schema read them and as they will be executed, what is implied by leaving it out filled in. */
  readonly args: Readonly<Record<string, unknown>>;
  /**
   * The argument that a rule has to look at to allow this call, since the call would replace what a person made right.
   * Neither an auto-approval nor a wider rule covers it.
   */
  readonly needsRuleOn?: string;
  /** What it would replace, where it `needsRuleOn` an argument. */
  readonly guardReason?: 'result_verified' | 'result_edited';
  /** Which call of which turn it is. */
  readonly origin?: { readonly call_id: string; readonly turn_id?: string };
  /** It is being proposed: what a rule needs to know of its effect is measured now. */
  readonly isProposal?: true;
  readonly signal?: AbortSignal;
  /** Where each argument came from; absent where nobody has looked. */
  readonly provenance?: Provenance;
  /** Paths of arguments that choose and came out of a document: whatever allows the tool, a person is asked. */
  readonly chosenByDocument?: readonly string[];
  /** What measurements of the call have shown, one for each prompt that it changes; absent where there is none. */
  readonly evidence?: readonly Evidence[];
}

/** What a measurement of a call on verified documents has shown. */
export interface Evidence {
  readonly documents: number;
  readonly broken: number;
  readonly accuracyGain: number;
}

/** `deny` holds over every approval; its message is given to the model. `ruleId` names the rule, where one decided. */
export type CallPermission = { readonly ruleId?: string } & (
  | { readonly effect: 'allow' }
  /** `because` says so where something would have allowed the call: a document chose what it works on. */
  | { readonly effect: 'ask'; readonly because?: 'chosen_by_document' }
  | { readonly effect: 'deny'; readonly message: string }
);

/** The permission of a call as the rules stand now: asked at its proposal and again right before it runs. */
export type Decide = (call: CallQuestion) => CallPermission | Promise<CallPermission>;

/** What a decision needs of a rule. */
export type DecidingRule = Pick<
  PermissionRule,
  'id' | 'tool' | 'when' | 'effect' | 'scope' | 'thread_id' | 'document_id'
>;

/** For whom a turn runs, where, and what was allowed for it. */
export interface TurnPermissions {
  readonly role: Role;
  readonly threadId: string;
  readonly documentId: string;
  readonly autoApprove: boolean;
  readonly autoApprovedTools: readonly string[];
}

/**
 * Whether a regular expression is found in a text, in time linear in the text, since both may come from anyone. Throws
 * where the pattern cannot be used.
 */
export type MatchText = (pattern: string, text: string) => boolean;
