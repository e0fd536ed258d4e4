import type { EvaluationCondition, PermissionEffect, ProvenanceSource } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { generatePermissions } from '../testing/generated-permissions.ts';
import { referenceDecision } from '../testing/reference-decision.ts';
import { decideCall, matchesTool } from './decide-call.ts';
import { defaultDecide } from './default-decide.ts';
import type { CallMeasurement, PermissionRequest, DecidingRule, MatchText, TurnPermissions } from './permission.ts';

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

  it('lets no approval of all tools cover a call that a user is responsible for, but one that names its tool', () => {
    const call = { ...write(), tool: 'release_result', needsUser: true as const };
    expect(effectOf([], call, { autoApprove: true })).toBe('ask');
    expect(effectOf([allow!, rule({ tool: 'release_*', effect: 'allow' })], call, { autoApprove: true })).toBe('ask');
    expect(effectOf([], call, { autoApprovedTools: ['release_result'] })).toBe('allow');
    expect(effectOf([rule({ tool: 'release_result', effect: 'allow' })], call)).toBe('allow');
    expect(effectOf([deny!, rule({ tool: 'release_result', effect: 'allow' })], call)).toBe('deny');
  });

  it('follows the role and the auto-approvals where no rules exist', async () => {
    const decide = defaultDecide({ role: 'member', autoApprove: false, autoApprovedTools: ['create_tag'] });
    expect(await decide(write())).toEqual({ effect: 'allow' });
    expect(await decide({ ...write(), tool: 'update_tag' })).toEqual({ effect: 'ask' });
    expect(await decide(read)).toEqual({ effect: 'allow' });
    const viewer = defaultDecide({ role: 'viewer', autoApprove: true, autoApprovedTools: [] });
    expect(await viewer(write())).toMatchObject({ effect: 'deny', message: expect.stringContaining('may only read') });
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

  it('allows a guarded whole list by a rule on what stands in it', () => {
    const within = rule({ effect: 'allow', when: { path: 'tag_ids.*', matches: '^a$' } });
    const call = (tag_ids: string[]) => ({ ...write({ tag_ids }), needsRuleOn: 'tag_ids' });
    expect([['a'], ['a', 'b'], []].map((tags) => effectOf([within], call(tags)))).toEqual(['allow', 'ask', 'ask']);
    expect(effectOf([within], { ...call(['a']), needsRuleOn: 'tag_ids and metadata' })).toBe('ask');
  });

  it('lets no rule on one member of a list or on one key allow the whole', () => {
    const on = (path: string, equals: string) => rule({ effect: 'allow', when: { path, equals } });
    const tags = { ...write({ tag_ids: ['a'] }), needsRuleOn: 'tag_ids' };
    const metadata = { ...write({ metadata: { status: 'paid' } }), needsRuleOn: 'metadata' };
    expect(effectOf([on('tag_ids.0', 'a')], tags)).toBe('ask');
    expect(effectOf([on('metadata.status', 'paid')], metadata)).toBe('ask');
    expect(effectOf([on('metadata.*', 'paid')], metadata)).toBe('allow');
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
    expect(decideCall([allow!], call, turn, matchText)).toEqual({ effect: 'ask', because: 'chosen_by_document' });
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
    const on = (effect: DecidingRule['effect'], path: string, from: ProvenanceSource) =>
      effectOf([rule({ effect, when: { provenance: { path, from } } })], call);
    expect([
      on('deny', 'name', 'document'),
      on('deny', 'tag_ids.*', 'model'),
      on('deny', 'tag_ids.0', 'model'),
      on('allow', 'name', 'person'),
      on('allow', 'tag_ids', 'catalog'),
      on('allow', 'tag_ids.0', 'catalog'),
      on('allow', '*.0', 'catalog'),
      on('allow', 'tag_ids.*', 'catalog'),
      on('allow', 'color', 'person'),
    ]).toEqual(['deny', 'deny', 'ask', 'allow', 'allow', 'allow', 'allow', 'ask', 'ask']);
  });

  it('allows an argument that also comes from a document only by a rule on documents or on the person', () => {
    const call = {
      ...write({ name: 'a' }),
      provenance: { name: ['catalog', 'person', 'document'] as ProvenanceSource[] },
    };
    const allowedFrom = (from: ProvenanceSource) =>
      effectOf([rule({ effect: 'allow', when: { provenance: { path: 'name', from } } })], call);
    expect([allowedFrom('catalog'), allowedFrom('person'), allowedFrom('document')]).toEqual(['ask', 'allow', 'allow']);
  });

  it('restricts by the sources of a whole list if its items have none, and allows nothing by them', () => {
    const call = (source: ProvenanceSource) => ({
      ...write({ name: 'a', tag_ids: ['x'] }),
      provenance: { name: ['document'] as ProvenanceSource[], tag_ids: [source] },
    });
    const on = (effect: DecidingRule['effect'], source: ProvenanceSource) =>
      effectOf([rule({ effect, when: { provenance: { path: 'tag_ids.*', from: 'document' } } })], call(source));
    expect([on('deny', 'document'), on('deny', 'catalog'), on('allow', 'document')]).toEqual(['deny', 'ask', 'ask']);
  });

  it('counts unknown sources against the call', () => {
    const when = { provenance: { path: 'name', from: 'document' as const } };
    expect(effectOf([rule({ when })], write({ name: 'a' }))).toBe('deny');
    expect(effectOf([rule({ when })], write({}), { autoApprove: true })).toBe('allow');
    expect(effectOf([rule({ when: { provenance: { path: '*', from: 'document' } } })], write({}))).toBe('deny');
    expect(effectOf([rule({ when, effect: 'allow' })], write({ name: 'a' }))).toBe('ask');
  });

  const measured = { documents: 5, broken: 0, accuracyGain: 0.1 };
  it.each<[string, PermissionEffect, readonly CallMeasurement[] | undefined, EvaluationCondition['evaluation']?]>([
    ['is at the limits', 'allow', [measured]],
    ['is better', 'allow', [{ documents: 9, broken: 0, accuracyGain: 0.2 }]],
    ['differs from a limit in the last digits', 'allow', [{ ...measured, accuracyGain: 0.3 - 0.2 }]],
    ['gains less', 'ask', [{ ...measured, accuracyGain: 0.09 }]],
    ['breaks a document', 'ask', [{ ...measured, broken: 1 }]],
    ['has few documents', 'ask', [{ ...measured, documents: 4 }]],
    ['meets the condition for one prompt of two', 'ask', [measured, { ...measured, broken: 1 }]],
    ['is for no prompt', 'ask', []],
    ['is absent', 'ask', undefined],
    [
      'has one document, and only damage is limited',
      'allow',
      [{ documents: 1, broken: 7, accuracyGain: -1 }],
      { broken_at_most: 7 },
    ],
    [
      'has no document, and only damage is limited',
      'ask',
      [{ documents: 0, broken: 0, accuracyGain: 0 }],
      { broken_at_most: 7 },
    ],
  ])('lets a measured effect decide if it %s: %s', (_, effect, evidence, evaluation) => {
    const limits = { broken_at_most: 0, documents_at_least: 5, accuracy_gain_at_least: 0.1 };
    const onEffect = rule({ id: 'measured', effect: 'allow', when: { evaluation: evaluation ?? limits } });
    const call = { ...write(), ...(evidence && { evidence }) };
    expect(decideCall([onEffect], call, turn, matchText)).toEqual({ effect, ruleId: 'measured' });
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
    [
      'the entries of an object in another order',
      { path: 'box', equals: { x: 1, y: ['Café'] } },
      { box: { y: ['Cafe\u0301'], x: 1 } },
    ],
    ['text beyond the maximum length', matches, { name: 'x'.repeat(200_001) }],
    ['a pattern that cannot be used', { path: 'name', matches: '(' }, { name: 'x' }],
    ['nesting beyond the stack', matches, { name: nested(50_000) }],
  ])('do not bypass a rule that denies: %s', (_, when, args) => {
    expect(effectOf([rule({ when: when! })], write(args))).toBe('deny');
    expect(effectOf([rule({ when: when!, effect: 'allow' })], write(args))).not.toBe('deny');
  });

  it.each<[string, DecidingRule['when'], Record<string, unknown>]>([
    ['text beyond the maximum length', matches, { name: `secret${'x'.repeat(300_000)}` }],
    ['another Unicode form', equals, { name: 'Cafe\u0301' }],
    ['an object with another entry', { path: 'box', equals: { x: 1, y: 2 } }, { box: { x: 1, z: 2 } }],
    ['a list around the value', matches, { name: ['secret'] }],
    ['one value of several', { path: 'tag_ids.*', equals: 'x' }, { tag_ids: ['y', 'x'] }],
    ['a path that names nothing', { path: 'tag_ids.*', equals: 'x' }, { tag_ids: [] }],
    ['a pattern that cannot be used', { path: 'name', matches: '(' }, { name: 'x' }],
    ['an inherited property', { path: 'constructor.name', equals: 'Object' }, {}],
  ])('do not match a rule that allows: %s', (_, when, args) => {
    expect(effectOf([rule({ when: when!, effect: 'allow' })], write(args))).toBe('ask');
  });

  it('can have the maximum length of text', () => {
    expect(effectOf([rule({ when: matches })], write({ name: 'x'.repeat(200_000) }))).toBe('ask');
  });

  it('do not bypass a rule of a document from the conversation of another one', () => {
    const otherDocument = rule({ scope: 'document', document_id: 'other' });
    expect(effectOf([otherDocument], write({ document_id: 'other' }))).toBe('deny');
    expect(effectOf([{ ...otherDocument, effect: 'allow' }], write({ document_id: 'other' }))).toBe('ask');
    expect(effectOf([otherDocument], write())).toBe('ask');
  });
});

it.each([
  ['a*b', 'ab', true],
  ['a*b', 'abc', false],
  ['write_*_note', 'write_a_note', true],
  ['write_*_note', 'write_note', false],
  ['*_note*_note*', 'write_note', false],
  ['*_note*_note*', 'write_note_and_note', true],
])('the pattern %s names the tool %s: %s', (pattern, name, isNamed) => {
  expect(matchesTool(pattern, name)).toBe(isNamed);
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
