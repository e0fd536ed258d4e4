import type { EvaluationCondition, PermissionEffect, ProvenanceCondition } from '@docwright/contract';
import { conditionHolds } from './argument-condition.ts';
import type {
  CallPermission,
  PermissionRequest,
  DecidingRule,
  CallMeasurement,
  MatchText,
  TurnPermissions,
} from './permission.ts';

/**
 * Decides whether a call runs, needs approval or is denied. Pure, and the only place that decides.
 *
 * - A viewer's writes are denied.
 * - Among matching rules, `deny` takes precedence over `ask`, and `ask` over `allow`. The turn's auto-approvals
 *   (`auto_approve`, `auto_approved_tools`) count as `allow`, so they override neither `deny` nor `ask`.
 * - If no rule matches, read-only calls run and writes ask.
 * - A call with `needsUser` is allowed only by a rule or an auto-approval that names its tool: `*`, another pattern and
 *   `auto_approve` do not.
 * - A call with `needsRuleOn` is allowed only by a rule whose condition names that argument, or all values in it (`tag_ids.*`).
 * - A write with an argument that a document chose always asks.
 * - A rule with an evaluation condition allows the call if the measured effect meets the condition, and asks otherwise.
 *
 * @example
 * import { decideCall, type DecidingRule, type TurnPermissions } from '@docwright/agent-core';
 *
 * declare const turn: TurnPermissions;
 * const rule: DecidingRule = { id: 'r1', tool: 'delete_*', effect: 'deny', scope: 'organization' };
 * const call = { tool: 'delete_tag', effect: 'read_write' as const, args: {} };
 * decideCall([rule], call, turn, () => false).effect; // 'deny'
 */
export function decideCall(
  rules: readonly DecidingRule[],
  call: PermissionRequest,
  turn: TurnPermissions,
  matchText: MatchText,
): CallPermission {
  if (turn.role === 'viewer' && call.effect === 'read_write') return { effect: 'deny', message: viewerMessage };
  const { needsRuleOn, chosenByDocument = [] } = call;
  const covers = ({ tool }: DecidingRule) => call.needsUser !== true || tool === call.tool;
  const firstRuleWith = (effect: PermissionEffect, argument?: string) =>
    rules.find(
      (rule) =>
        effectOnCall(rule, call) === effect &&
        (effect !== 'allow' || covers(rule)) &&
        (argument === undefined || isOn(argument, rule)) &&
        ruleMatches(rule, call, turn, matchText),
    );
  const denyRule = firstRuleWith('deny');
  if (denyRule) return { effect: 'deny', ruleId: denyRule.id, message: denialMessage(denyRule) };
  const askRule = firstRuleWith('ask');
  if (askRule) return { effect: 'ask', ruleId: askRule.id };
  const allowRule = firstRuleWith('allow', needsRuleOn);
  const isChosenByDocument = call.effect === 'read_write' && chosenByDocument.length > 0;
  if (allowRule && !isChosenByDocument) return { effect: 'allow', ruleId: allowRule.id };
  if (needsRuleOn !== undefined) return { effect: 'ask' };
  const allowed =
    allowRule !== undefined ||
    call.effect === 'read_only' ||
    (turn.autoApprove && call.needsUser !== true) ||
    turn.autoApprovedTools.includes(call.tool);
  if (allowed && isChosenByDocument) return { effect: 'ask', because: 'chosen_by_document' };
  return { effect: allowed ? 'allow' : 'ask' };
}

/** Whether a rule's condition is on this argument, or on all values in it. One member says nothing of what else is in the whole. */
function isOn(argument: string, { when }: DecidingRule): boolean {
  return when !== undefined && 'path' in when && (when.path === argument || when.path === `${argument}.*`);
}

/**
 * Whether a rule applies to a call: scope, tool and condition match.
 *
 * @example
 * import { ruleMatches, type DecidingRule, type MatchText } from '@docwright/agent-core';
 *
 * declare const matchText: MatchText;
 * const rule: DecidingRule = { id: 'r1', tool: 'delete_*', effect: 'deny', scope: 'organization' };
 * ruleMatches(rule, { tool: 'delete_tag', args: {} }, { threadId: '', documentId: '' }, matchText); // true
 */
export function ruleMatches(
  rule: DecidingRule,
  call: Pick<PermissionRequest, 'tool' | 'args' | 'provenance'>,
  turn: Pick<TurnPermissions, 'threadId' | 'documentId'>,
  matchText: MatchText,
): boolean {
  const restricts = rule.effect !== 'allow';
  if (!isInScope(rule, call, turn, restricts) || !matchesTool(rule.tool, call.tool)) return false;
  const { when } = rule;
  if (when === undefined || 'evaluation' in when) return true;
  if ('provenance' in when) return provenanceHolds(when, call, restricts);
  return conditionHolds(when, call.args, restricts, matchText);
}

/**
 * Whether a provenance condition holds. A restricting rule matches if any argument that the path names has the source. An
 * allowing rule matches if all of them have it and none also comes from a document. Unknown provenance counts against the
 * call if the call has the argument.
 */
function provenanceHolds(
  { provenance: { path, from } }: ProvenanceCondition,
  { args, provenance }: Pick<PermissionRequest, 'args' | 'provenance'>,
  restricts: boolean,
): boolean {
  const [top = ''] = path.split('.');
  if (provenance === undefined) return restricts && (top === '*' || Object.hasOwn(args, top));
  const named = Object.entries(provenance).filter(([labelled]) => pathMatches(path, labelled));
  // A long list has labels for the whole list only, not for each item.
  const sources =
    named.length > 0 || !restricts
      ? named
      : Object.entries(provenance).filter(([labelled]) => pathMatches(top, labelled));
  if (restricts) return sources.some(([, labels]) => labels.includes(from));
  return (
    sources.length > 0 &&
    sources.every(
      ([, labels]) =>
        labels.includes(from) && (from === 'document' || from === 'person' || !labels.includes('document')),
    )
  );
}

/** Whether a path matches a pattern, in which `*` is any index or key. */
function pathMatches(pattern: string, path: string): boolean {
  const [segments, keys] = [pattern.split('.'), path.split('.')];
  return segments.length === keys.length && segments.every((segment, at) => segment === '*' || segment === keys[at]);
}

/** The effect of a matching rule. A rule with an evaluation condition asks if the evidence does not meet it. */
function effectOnCall({ effect, when }: DecidingRule, { evidence }: PermissionRequest): PermissionEffect {
  if (when === undefined || !('evaluation' in when)) return effect;
  return evidence !== undefined && evidence.length > 0 && evidence.every((each) => evidenceHolds(when, each))
    ? effect
    : 'ask';
}

/** Whether a measurement meets an evaluation condition. */
function evidenceHolds(
  { evaluation }: EvaluationCondition,
  { documents, broken, accuracyGain }: CallMeasurement,
): boolean {
  const { broken_at_most = Infinity, documents_at_least = 1, accuracy_gain_at_least = -Infinity } = evaluation;
  // Accuracies are quotients: equal values can differ in the last digits.
  return broken <= broken_at_most && documents >= documents_at_least && accuracyGain >= accuracy_gain_at_least - 1e-9;
}

/** Whether the scope of a rule covers a call. A restricting rule of a document also covers calls that name the document. */
function isInScope(
  rule: DecidingRule,
  { args }: Pick<PermissionRequest, 'args'>,
  turn: Pick<TurnPermissions, 'threadId' | 'documentId'>,
  restricts: boolean,
): boolean {
  switch (rule.scope) {
    case 'organization':
      return true;
    case 'thread':
      return rule.thread_id === turn.threadId;
    case 'document':
      return rule.document_id === turn.documentId || (restricts && rule.document_id === args['document_id']);
  }
}

const viewerMessage =
  'This call is not permitted: this person may only read in this organization; changes need the role member.';

function denialMessage({ tool, scope }: DecidingRule): string {
  return `This call is not permitted: a rule of the ${scope} denies ${tool}. Do not try to reach the same in another way; tell the person that a permission rule stands against it.`;
}

/**
 * Whether a tool's name matches a pattern in which `*` stands for any characters. Linear in both lengths.
 *
 * @example
 * import { matchesTool } from '@docwright/agent-core';
 *
 * matchesTool('delete_*', 'delete_tag'); // true
 */
export function matchesTool(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}
