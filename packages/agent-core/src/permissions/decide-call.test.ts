import { describe, expect, it } from 'vitest';
import { generatePermissions } from '../testing/generated-permissions.ts';
import { referenceDecision } from '../testing/reference-decision.ts';
import { decideCall } from './decide-call.ts';
import type { PermissionRequest, DecidingRule, MatchText, TurnPermissions } from './permission.ts';

const matchText: MatchText = (pattern, text) => new RegExp(pattern, 'u').test(text);
const turn: TurnPermissions = {
  role: 'member',
  threadId: 'thread',
  documentId: 'document',
  autoApprove: false,
  autoApprovedTools: [],
};
const write = (args: Record<string, unknown> = {}): PermissionRequest => ({
  tool: 'create_tag',
  effect: 'read_write',
  args,
});
const read: PermissionRequest = { tool: 'list_tags', effect: 'read_only', args: {} };
const rule = (over: Partial<DecidingRule>): DecidingRule => ({
  id: 'r',
  tool: '*',
  effect: 'deny',
  scope: 'organization',
  ...over,
});
const effectOf = (rules: DecidingRule[], call: PermissionRequest, over: Partial<TurnPermissions> = {}) =>
  decideCall(rules, call, { ...turn, ...over }, matchText).effect;

describe('the decision', () => {
  const [allow, ask, deny] = (['allow', 'ask', 'deny'] as const).map((effect) => rule({ id: effect, effect }));

  it('follows deny rules before ask rules before allow rules before the defaults', () => {
    expect(decideCall([allow!, ask!, deny!], write(), turn, matchText)).toMatchObject({
      effect: 'deny',
      ruleId: 'deny',
    });
    expect(decideCall([allow!, ask!], read, turn, matchText)).toEqual({ effect: 'ask', ruleId: 'ask' });
    expect(decideCall([allow!], write(), turn, matchText)).toEqual({ effect: 'allow', ruleId: 'allow' });
    expect([effectOf([], read), effectOf([], write())]).toEqual(['allow', 'ask']);
  });

  it('applies the auto-approvals of a turn only to calls that no rule matches', () => {
    for (const over of [{ autoApprove: true }, { autoApprovedTools: ['create_tag'] }]) {
      expect([effectOf([], write(), over), effectOf([ask!], write(), over), effectOf([deny!], write(), over)]).toEqual([
        'allow',
        'ask',
        'deny',
      ]);
    }
    expect(effectOf([], write(), { autoApprovedTools: ['create_schema'] })).toBe('ask');
  });

  it('never lets a viewer write', () => {
    const over = { role: 'viewer', autoApprove: true, autoApprovedTools: ['create_tag'] } as const;
    expect([effectOf([allow!], write(), over), effectOf([], read, over)]).toEqual(['deny', 'allow']);
  });

  it('allows a guarded call only by a rule on its guarded argument', () => {
    const call = { ...write({ replace: 'edited' }), needsRuleOn: 'replace' };
    const named = rule({ effect: 'allow', when: { path: 'replace', equals: 'edited' } });
    const other = rule({ effect: 'allow', when: { path: 'replace', equals: 'verified' } });
    const wide = rule({ effect: 'allow', when: { path: '*', matches: '' } });
    expect(effectOf([allow!, wide, other], call, { autoApprove: true, autoApprovedTools: ['create_tag'] })).toBe('ask');
    expect(effectOf([allow!, named], call)).toBe('allow');
    expect([effectOf([named, ask!], call), effectOf([named, deny!], call)]).toEqual(['ask', 'deny']);
  });

  it('asks about a write with an argument that a document chose, whatever allows it', () => {
    const call = {
      ...write({ tag_id: 'x' }),
      chosenByDocument: ['tag_id'],
      provenance: { tag_id: ['document' as const] },
    };
    const from = rule({ effect: 'allow', when: { provenance: { path: 'tag_id', from: 'document' } } });
    for (const over of [{ autoApprove: true }, { autoApprovedTools: ['create_tag'] }]) {
      expect(decideCall([], call, { ...turn, ...over }, matchText)).toEqual({
        effect: 'ask',
        because: 'chosen_by_document',
      });
    }
    expect([effectOf([allow!], call), effectOf([from], call), effectOf([deny!, allow!], call)]).toEqual([
      'ask',
      'ask',
      'deny',
    ]);
    expect(effectOf([], { ...read, chosenByDocument: ['x'] })).toBe('allow');
  });

  it('checks the provenance of an argument: any source for a restricting rule, every source for an allowing one', () => {
    const call = {
      ...write({ name: 'a', tag_ids: ['x', 'y'] }),
      provenance: {
        name: ['person' as const, 'document' as const],
        tag_ids: ['catalog' as const, 'model' as const],
        'tag_ids.0': ['catalog' as const],
        'tag_ids.1': ['model' as const],
      },
    };
    const on = (effect: DecidingRule['effect'], path: string, from: 'person' | 'catalog' | 'document' | 'model') =>
      effectOf([rule({ effect, when: { provenance: { path, from } } })], call);
    expect([on('deny', 'name', 'document'), on('ask', 'tag_ids.*', 'model'), on('deny', 'tag_ids.0', 'model')]).toEqual(
      ['deny', 'ask', 'ask'],
    );
    expect([
      on('allow', 'name', 'person'),
      on('allow', 'tag_ids.0', 'catalog'),
      on('allow', 'tag_ids.*', 'catalog'),
    ]).toEqual(['allow', 'allow', 'ask']);
    expect(on('allow', 'color', 'person')).toBe('ask');
  });

  it('counts unknown sources against the call', () => {
    const when = { provenance: { path: 'name', from: 'document' as const } };
    expect(effectOf([rule({ when })], write({ name: 'a' }))).toBe('deny');
    expect(effectOf([rule({ when })], write({}), { autoApprove: true })).toBe('allow');
    expect(effectOf([rule({ when, effect: 'allow' })], write({ name: 'a' }))).toBe('ask');
  });

  it('tells the model that the call is not permitted', () => {
    expect(decideCall([deny!], write(), turn, matchText)).toMatchObject({
      message: expect.stringContaining('not permitted'),
    });
  });
});

describe('arguments that try to bypass a rule', () => {
  const equals = { path: 'name', equals: 'Café' };
  const matches = { path: 'name', matches: '^secret' };
  it.each<[string, DecidingRule['when'], Record<string, unknown>]>([
    ['another Unicode form', equals, { name: 'Cafe\u0301' }],
    ['compatible characters', matches, { name: 'ｓｅｃｒｅｔ' }],
    ['a list around the value', matches, { name: ['secret'] }],
    ['an object around the value', matches, { name: { value: 'secret' } }],
    ['the value as a key', matches, { name: { secret: 1 } }],
    ['a number in place of text', { path: 'name', matches: '^42$' }, { name: 42 }],
    ['minus zero', { path: 'name', equals: 0 }, { name: -0 }],
    ['a key with a dot', { path: 'meta.a.b', equals: 1 }, { meta: { 'a.b': 1 } }],
    ['another index', { path: 'tag_ids.*', equals: 'x' }, { tag_ids: ['y', 'x'] }],
    ['text beyond the maximum length', matches, { name: 'x'.repeat(300_000) }],
    ['a pattern that cannot be used', { path: 'name', matches: '(' }, { name: 'x' }],
    ['nesting beyond the stack', matches, { name: nested(50_000) }],
  ])('do not bypass a rule that denies: %s', (_, when, args) => {
    expect(effectOf([rule({ when: when! })], write(args))).toBe('deny');
    expect(effectOf([rule({ when: when!, effect: 'allow' })], write(args))).not.toBe('deny');
  });

  it.each<[string, DecidingRule['when'], Record<string, unknown>]>([
    ['text beyond the maximum length', matches, { name: `secret${'x'.repeat(300_000)}` }],
    ['another Unicode form', equals, { name: 'Cafe\u0301' }],
    ['a list around the value', matches, { name: ['secret'] }],
    ['one value of several', { path: 'tag_ids.*', equals: 'x' }, { tag_ids: ['y', 'x'] }],
    ['a path that names nothing', { path: 'tag_ids.*', equals: 'x' }, { tag_ids: [] }],
    ['a pattern that cannot be used', { path: 'name', matches: '(' }, { name: 'x' }],
    ['an inherited property', { path: 'constructor.name', equals: 'Object' }, {}],
  ])('do not match a rule that allows: %s', (_, when, args) => {
    expect(effectOf([rule({ when: when!, effect: 'allow' })], write(args))).toBe('ask');
  });

  it('do not bypass a rule of a document from the conversation of another one', () => {
    const otherDocument = rule({ scope: 'document', document_id: 'other' });
    expect(effectOf([otherDocument], write({ document_id: 'other' }))).toBe('deny');
    expect(effectOf([{ ...otherDocument, effect: 'allow' }], write({ document_id: 'other' }))).toBe('ask');
    expect(effectOf([otherDocument], write())).toBe('ask');
  });
});

it('agrees with the reference implementation on generated rules, calls and turns', () => {
  const counts = { allow: 0, ask: 0, deny: 0 };
  for (let seed = 0; seed < 20_000; seed++) {
    const generated = generatePermissions(seed);
    const [rules, call, given] = [generated.rules(), generated.call(), generated.turn()];
    const { effect } = decideCall(rules, call, given, matchText);
    counts[effect]++;
    if (effect === referenceDecision(rules, call, given)) continue;
    throw new Error(
      `seed ${seed}: ${effect}, not ${referenceDecision(rules, call, given)}\n${JSON.stringify({ rules, call, given }, null, 1)}`,
    );
  }
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(1_000);
}, 60_000);

function nested(depth: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}
