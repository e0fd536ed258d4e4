import type { CallPermission, PermissionRequest } from '@docwright/agent-core';
import { expect, it } from 'vitest';
import { decideUnattended } from './unattended-permissions.ts';

const ask: CallPermission = { effect: 'ask' };
const allow: CallPermission = { effect: 'allow' };
const deny = (message: string): CallPermission => ({ effect: 'deny', message });

it.each<[string, Partial<PermissionRequest>, CallPermission, CallPermission | undefined, 'deny' | 'park', object]>([
  ['an allowed call', {}, allow, undefined, 'deny', allow],
  ['a call that the own rules deny', { tool: 'ask_questions' }, deny('Own.'), deny('Theirs.'), 'deny', deny('Own.')],
  [
    'a question',
    { tool: 'ask_questions' },
    allow,
    undefined,
    'park',
    { effect: 'deny', message: expect.stringMatching(/^No user is present to answer/u) },
  ],
  ["a call that the approver's rights deny", {}, allow, deny('Theirs.'), 'deny', deny('Theirs.')],
  ["a call that the approver's rules ask about", {}, allow, ask, 'deny', allow],
  ['a parked call', {}, { ...ask, ruleId: 'r' }, undefined, 'park', { ...ask, ruleId: 'r' }],
  [
    'a call that needs a decision',
    {},
    ask,
    undefined,
    'deny',
    { effect: 'deny', message: expect.stringMatching(/^This call needs a decision/u) },
  ],
  [
    'a call that a rule asks about',
    {},
    { ...ask, ruleId: 'r' },
    undefined,
    'deny',
    { effect: 'deny', ruleId: 'r', message: expect.stringMatching(/^This call needs/u) },
  ],
  [
    'a call whose target a document chose',
    { guardReason: 'result_verified' },
    { ...ask, because: 'chosen_by_document' },
    undefined,
    'deny',
    { effect: 'deny', message: expect.stringMatching(/^The user did not name the target/u) },
  ],
  [
    'a verified result',
    { guardReason: 'result_verified' },
    ask,
    undefined,
    'deny',
    {
      effect: 'deny',
      message: 'A user has verified the result of this document, so it is kept. Continue without the call.',
    },
  ],
  [
    'an edited result',
    { guardReason: 'result_edited' },
    ask,
    undefined,
    'deny',
    {
      effect: 'deny',
      message: 'A user has edited the result of this document, so it is kept. Continue without the call.',
    },
  ],
])('without a user: %s', async (_, over, own, approvers, onAsk, expected) => {
  const decide = decideUnattended(async () => own, approvers && (async () => approvers), {
    onAsk,
    awaitsAnswers: (tool) => tool === 'ask_questions',
  });
  const call = { tool: 'create_tag', effect: 'read_write', args: {}, ...over } as Parameters<typeof decide>[0];
  expect(await decide(call)).toStrictEqual(expected);
});
