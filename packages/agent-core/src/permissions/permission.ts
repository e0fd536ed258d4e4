import type { PermissionRule, Provenance, Role, ToolEffect } from '@docwright/contract';

/** The input of a permission decision: a call and the facts that rules can refer to. */
export interface PermissionRequest {
  readonly tool: string;
  readonly effect: ToolEffect;
  /** The parsed arguments as they will run, with defaults and implied arguments filled in. */
  readonly args: Readonly<Record<string, unknown>>;
  /** A user is responsible for the call: only an approval that names the tool covers it, not one of all tools. */
  readonly needsUser?: true;
  /**
   * Set if the call would replace values that a user corrected, take away by a whole list, or cost many model calls: only a rule whose condition names
   * this argument can allow the call. Neither an auto-approval nor a broader rule does.
   */
  readonly needsRuleOn?: string;
  /** Why the call needs such a rule; set together with `needsRuleOn`. */
  readonly guardReason?: 'result_verified' | 'result_edited' | 'many_model_calls' | 'list_shortened';
  readonly origin?: { readonly call_id: string; readonly turn_id?: string };
  /** The call is being proposed: rules with an evaluation condition measure its effect now. */
  readonly isProposal?: true;
  readonly signal?: AbortSignal;
  /** The sources of each argument; absent if unknown. */
  readonly provenance?: Provenance;
  /** Paths of choosing arguments that came from a document: the user is asked even if a rule allows the tool. */
  readonly chosenByDocument?: readonly string[];
  /** Measurements of the call, one for each prompt that it changes. */
  readonly evidence?: readonly CallMeasurement[];
}

/** A measurement of a call's effect on verified documents. */
export interface CallMeasurement {
  readonly documents: number;
  readonly broken: number;
  readonly accuracyGain: number;
}

/** A permission decision. `deny` overrides every approval; its message goes to the model. `ruleId` is the deciding rule. */
export type CallPermission = { readonly ruleId?: string } & (
  | { readonly effect: 'allow' }
  /** `because` is set if the call would be allowed, but a document chose one of its arguments. */
  | { readonly effect: 'ask'; readonly because?: 'chosen_by_document' }
  | { readonly effect: 'deny'; readonly message: string }
);

/** Decides on a call by the current rules. The loop asks at the proposal and again right before the call runs. */
export type Decide = (call: PermissionRequest) => CallPermission | Promise<CallPermission>;

/** The fields of a rule that a decision uses. */
export type DecidingRule = Pick<
  PermissionRule,
  'id' | 'tool' | 'when' | 'effect' | 'scope' | 'thread_id' | 'document_id'
>;

/** The facts about a turn that a decision uses. */
export interface TurnPermissions {
  readonly role: Role;
  readonly threadId: string;
  readonly documentId: string;
  readonly autoApprove: boolean;
  readonly autoApprovedTools: readonly string[];
}

/**
 * Whether a regular expression matches anywhere in a text. It must run in linear time, because pattern and text are
 * untrusted. Throws if the pattern is invalid.
 */
export type MatchText = (pattern: string, text: string) => boolean;
