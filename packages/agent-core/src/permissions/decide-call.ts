import type { EvaluationCondition, PermissionEffect, ProvenanceCondition } from '@docwright/contract';
import { conditionHolds } from './argument-condition.ts';
import type { CallPermission, CallQuestion, DecidingRule, Evidence, MatchText, TurnPermissions } from './permission.ts';

/**
 * What happens to a call: the one decision, pure. A viewer's writes are denied. Of the rules that match, `deny` holds
 * before `ask` before `allow`; what the turn allows (`auto_approve`, `auto_approved_tools`) counts as one more `allow`,
 * so that neither a deny nor a rule that asks is passed by. Where nothing matches, read-only calls run and writes ask.
 * A call that `needsRuleOn` an argument is allowed by rules alone whose condition looks at that argument.
 * A write of which a document has chosen an argument is allowed by nothing here: a person is asked.
 * A rule that reads the measured effect of a call allows it where its condition holds, and asks otherwise.
 */
export function decideCall(
  rules: readonly DecidingRule[],
  call: CallQuestion,
  turn: TurnPermissions,
  matchText: MatchText,
): CallPermission {
  if (turn.role === 'viewer' && call.effect === 'read_write') return { effect: 'deny', message: viewerMessage };
  const { needsRuleOn, chosenByDocument = [] } = call;
  const first = (effect: PermissionEffect) =>
    rules.find((rule) => effectOnCall(rule, call) === effect && ruleMatches(rule, call, turn, matchText));
  const denying = first('deny');
  if (denying) return { effect: 'deny', ruleId: denying.id, message: denialMessage(denying) };
  const asking = first('ask');
  if (asking) return { effect: 'ask', ruleId: asking.id };
  const allowing =
    needsRuleOn === undefined
      ? first('allow')
      : rules.find(
          (rule) =>
            rule.effect === 'allow' && argumentOf(rule) === needsRuleOn && ruleMatches(rule, call, turn, matchText),
        );
  const isChosen = call.effect === 'read_write' && chosenByDocument.length > 0;
  if (allowing && !isChosen) return { effect: 'allow', ruleId: allowing.id };
  if (needsRuleOn !== undefined) return { effect: 'ask' };
  const allowed =
    allowing !== undefined ||
    call.effect === 'read_only' ||
    turn.autoApprove ||
    turn.autoApprovedTools.includes(call.tool);
  if (allowed && isChosen) return { effect: 'ask', because: 'chosen_by_document' };
  return { effect: allowed ? 'allow' : 'ask' };
}

/** The argument that a rule looks at. */
const argumentOf = ({ when }: DecidingRule): string | undefined => (when && 'path' in when ? when.path : undefined);

/** Whether a rule speaks of a call. */
export function ruleMatches(
  rule: DecidingRule,
  call: Pick<CallQuestion, 'tool' | 'args' | 'provenance'>,
  turn: Pick<TurnPermissions, 'threadId' | 'documentId'>,
  matchText: MatchText,
): boolean {
  const restricts = rule.effect !== 'allow';
  if (!isInScope(rule, call, turn, restricts) || !matchesTool(rule.tool, call.tool)) return false;
  const { when } = rule;
  if (when === undefined || 'evaluation' in when) return true;
  if ('provenance' in when) return cameFrom(when, call, restricts);
  return conditionHolds(when, call.args, restricts, matchText);
}

/**
 * Whether an argument came from where a condition says. A rule that restricts holds where any argument that the path
 * names did, one that allows where each of them did and none came out of a document beside that. Where nobody has looked,
 * it counts against the call, as long as the call has the argument.
 */
function cameFrom(
  { provenance: { path, from } }: ProvenanceCondition,
  { args, provenance }: Pick<CallQuestion, 'args' | 'provenance'>,
  restricts: boolean,
): boolean {
  const [top = ''] = path.split('.');
  if (provenance === undefined) return restricts && (top === '*' || Object.hasOwn(args, top));
  const named = Object.entries(provenance).filter(([each]) => isNamedBy(path, each));
  // Of a long list the labels of the whole are known, not those of each item.
  const sources =
    named.length > 0 || !restricts ? named : Object.entries(provenance).filter(([each]) => isNamedBy(top, each));
  if (restricts) return sources.some(([, labels]) => labels.includes(from));
  return (
    sources.length > 0 &&
    sources.every(
      ([, labels]) =>
        labels.includes(from) && (from === 'document' || from === 'person' || !labels.includes('document')),
    )
  );
}

/** Whether a path with `*` for any index or key names a path. */
function isNamedBy(pattern: string, path: string): boolean {
  const [wanted, keys] = [pattern.split('.'), path.split('.')];
  return wanted.length === keys.length && wanted.every((each, at) => each === '*' || each === keys[at]);
}

/** What a rule does with a call that it speaks of: one that asks for evidence asks a person where the evidence is not there. */
function effectOnCall({ effect, when }: DecidingRule, { evidence }: CallQuestion): PermissionEffect {
  if (when === undefined || !('evaluation' in when)) return effect;
  return evidence !== undefined && evidence.length > 0 && evidence.every((each) => evidenceHolds(when, each))
    ? effect
    : 'ask';
}

/** Whether a measurement shows what a condition asks for. */
function evidenceHolds({ evaluation }: EvaluationCondition, { documents, broken, accuracyGain }: Evidence): boolean {
  const { broken_at_most = Infinity, documents_at_least = 1, accuracy_gain_at_least = -Infinity } = evaluation;
  // Accuracies are quotients: what is equal may differ in the last digits.
  return broken <= broken_at_most && documents >= documents_at_least && accuracyGain >= accuracy_gain_at_least - 1e-9;
}

/** What restricts the work on a document also holds where the call of another document's turn names it. */
function isInScope(
  rule: DecidingRule,
  { args }: Pick<CallQuestion, 'args'>,
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

/** Whether a tool's name fits a pattern in which `*` stands for any characters; linear in both. */
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
