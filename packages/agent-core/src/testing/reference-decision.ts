import type { ArgumentCondition, PermissionEffect, ProvenanceCondition } from '@docwright/contract';
import type { PermissionRequest, DecidingRule, TurnPermissions } from '../permissions/permission.ts';

/**
 * A reference implementation of the permission decision, written from its description as simply as possible; tests compare
 * the real one with it. It uses JavaScript's patterns, which agree with the linear engine on the generated patterns.
 */
export function referenceDecision(
  rules: readonly DecidingRule[],
  call: PermissionRequest,
  turn: TurnPermissions,
): PermissionEffect {
  const counts = ({ effect, tool }: DecidingRule) => effect !== 'allow' || !call.needsUser || tool === call.tool;
  const applying = rules.filter((rule) => counts(rule) && ruleApplies(rule, call, turn));
  const effects = new Set(applying.map((rule) => rule.effect));
  if (call.effect === 'read_write' && turn.role === 'viewer') return 'deny';
  if (effects.has('deny')) return 'deny';
  if (effects.has('ask')) return 'ask';
  if (call.effect === 'read_write' && (call.chosenByDocument ?? []).length > 0) return 'ask';
  if (effects.has('allow')) return 'allow';
  if (call.effect === 'read_only') return 'allow';
  return (turn.autoApprove && !call.needsUser) || turn.autoApprovedTools.some((name) => name === call.tool)
    ? 'allow'
    : 'ask';
}

function ruleApplies(
  rule: DecidingRule,
  { tool, args, provenance }: PermissionRequest,
  turn: TurnPermissions,
): boolean {
  const isNamed = new RegExp(
    `^${rule.tool
      .split('*')
      .map((part) => RegExp.escape(part))
      .join('[^]*')}$`,
  ).test(tool);
  const isHere = {
    organization: true,
    thread: rule.thread_id === turn.threadId,
    document:
      rule.document_id === turn.documentId || (rule.effect !== 'allow' && args['document_id'] === rule.document_id),
  }[rule.scope];
  if (!isNamed || !isHere) return false;
  const { when } = rule;
  if (when && 'evaluation' in when) throw new Error('The reference does not support evaluations.');
  if (when === undefined) return true;
  if ('provenance' in when) return provenanceMatches(rule.effect !== 'allow', args, provenance, when);
  const named = nodesOf(args, []).filter(({ keys }) => patternsNaming(keys).includes(when.path));
  if (rule.effect === 'allow') return named.length > 0 && named.every(({ value }) => matchesAsWritten(value, when));
  return named.some(({ value }) => matchesInAnyForm(value, when));
}

/** A restricting rule matches if any named argument has the source, an allowing one if all have it. */
function provenanceMatches(
  restricts: boolean,
  args: PermissionRequest['args'],
  labels: PermissionRequest['provenance'],
  { provenance: { path, from } }: ProvenanceCondition,
): boolean {
  const keys = path.split('.');
  if (labels === undefined) return restricts && (keys[0] === '*' || Object.keys(args).includes(keys[0]!));
  const namedBy = (pattern: string) =>
    Object.keys(labels).filter((labelled) => patternsNaming(labelled.split('.')).includes(pattern));
  const named = namedBy(path);
  if (!restricts) {
    return (
      named.length > 0 &&
      named.every(
        (each) =>
          labels[each]!.includes(from) &&
          (from === 'person' || from === 'document' || !labels[each]!.includes('document')),
      )
    );
  }
  return (named.length > 0 ? named : namedBy(keys[0]!)).some((each) => labels[each]!.includes(from));
}

interface Node {
  keys: string[];
  value: unknown;
  /** The last key is an index. */
  isListed: boolean;
}

/** All nodes below a value. */
function nodesOf(value: unknown, keys: string[]): Node[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const path = [...keys, key];
    return [{ keys: path, value: child, isListed: Array.isArray(value) }, ...nodesOf(child, path)];
  });
}

/** All paths that name a node: each key is itself or `*`. */
function patternsNaming(keys: readonly string[]): string[] {
  const [first, ...rest] = keys;
  if (first === undefined) return [''];
  const tails = rest.length === 0 ? [''] : patternsNaming(rest).map((tail) => `.${tail}`);
  return tails.flatMap((tail) => [`${first}${tail}`, `*${tail}`]);
}

function matchesAsWritten(value: unknown, when: ArgumentCondition): boolean {
  if ('equals' in when) return canonical(value) === canonical(when.equals);
  return (typeof value !== 'object' || value === null) && new RegExp(when.matches, 'u').test(String(value));
}

function matchesInAnyForm(value: unknown, when: ArgumentCondition): boolean {
  if ('equals' in when) return canonical(value).normalize('NFKC') === canonical(when.equals).normalize('NFKC');
  const pattern = new RegExp(when.matches, 'u');
  const nodes = [{ keys: [], value, isListed: true }, ...nodesOf(value, [])];
  const scalars = nodes.filter((node) => typeof node.value !== 'object' || node.value === null);
  const names = nodes.flatMap(({ keys, isListed }) => (isListed ? [] : keys.slice(-1)));
  return [...scalars.map((node) => String(node.value)), ...names].some(
    (text) => pattern.test(text) || pattern.test(text.normalize('NFKC')),
  );
}

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
