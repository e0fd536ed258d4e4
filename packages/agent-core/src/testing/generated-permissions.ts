import type { PermissionCondition, PermissionEffect, Role } from '@docwright/contract';
import type { PermissionRequest, DecidingRule, TurnPermissions } from '../permissions/permission.ts';
import { seededRandom } from './generated-transcripts.ts';

const places = ['a'.repeat(24), 'b'.repeat(24)];
const patterns = ['*', 'write_*', 'write_note', '*_note', 'read_*', '*e_n*', 'delete_note', 'w*e', 'other'];
const keys = ['text', 'meta', 'list', 'a', 'a.b', '0', 'ｔext', '*', '__proto__', 'toString'];
const texts = ['secret', 'ｓｅｃｒｅｔ', 'Café', 'Cafe\u0301', '', 'x', '0', '\u{1d54f}', '\ud800', 'a\nb'];
const paths = ['text', 'meta', 'meta.a', 'meta.a.b', 'meta.*', 'list.0', 'list.*', 'list.*.a', '*', '', 'document_id'];
const expressions = ['secret', '^secret$', 'Café', '^$', '^.$', '.', '[0-9]', 'a|x', '\\p{L}'];

/** Generates rules, calls and turns from a seed. About every second rule matches a call. */
export function generatePermissions(seed: number) {
  const below = seededRandom(seed);
  const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const maybe = (chance: number) => below(chance) === 0;

  function value(depth = 0): unknown {
    const kind = below(depth > 2 ? 5 : 8);
    if (kind < 3) return oneOf(texts);
    if (kind === 3) return oneOf([0, -0, 1, 1e21, 0.5]);
    if (kind === 4) return oneOf([true, false, null]);
    if (kind === 5) return Array.from({ length: below(3) }, () => value(depth + 1));
    return record(depth + 1);
  }

  /** Built with JSON.parse, so that `__proto__` is an ordinary key. */
  function record(depth = 0): Record<string, unknown> {
    const pairs = Array.from(
      { length: below(4) },
      () => `${JSON.stringify(oneOf(keys))}:${JSON.stringify(value(depth))}`,
    );
    return JSON.parse(`{${pairs.join(',')}}`) as Record<string, unknown>;
  }

  function condition(): PermissionCondition {
    const path = oneOf(paths);
    if (maybe(2)) return { path, matches: oneOf(expressions) };
    return { path, equals: JSON.parse(JSON.stringify(value(1))) as never };
  }

  function rule(effect: PermissionEffect = oneOf(['allow', 'allow', 'ask', 'deny'])): DecidingRule {
    const scope = oneOf(['organization', 'organization', 'thread', 'document'] as const);
    return {
      id: `rule-${below(1_000_000)}`,
      tool: oneOf(patterns),
      effect,
      scope,
      ...(!maybe(3) && { when: condition() }),
      ...(scope === 'thread' && { thread_id: oneOf(places) }),
      ...(scope === 'document' && { document_id: oneOf(places) }),
    };
  }

  const call = (): PermissionRequest => ({
    tool: oneOf(['write_note', 'read_note', 'delete_note']),
    effect: oneOf(['read_only', 'read_write']),
    ...(maybe(3) && { needsUser: true as const }),
    args: { ...record(), ...(maybe(2) && { text: value() }), ...(maybe(4) && { document_id: oneOf(places) }) },
  });

  const turn = (): TurnPermissions => ({
    role: oneOf<Role>(['member', 'member', 'admin', 'viewer']),
    threadId: places[0]!,
    documentId: places[0]!,
    autoApprove: maybe(3),
    autoApprovedTools: maybe(3) ? ['write_note'] : [],
  });

  return {
    below,
    oneOf,
    maybe,
    value,
    record,
    rule,
    call,
    turn,
    rules: () => Array.from({ length: below(5) }, () => rule()),
  };
}
