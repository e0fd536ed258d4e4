import type { PendingBatch } from '@docwright/agent-core';
import type { CallDecision, Role } from '@docwright/contract';
import { expect, it } from 'vitest';
import { createRememberedDecisions } from './remember-decisions.ts';

const batch = {
  calls: [
    { id: 'waiting', name: 'create_tag', needs_approval: true },
    { id: 'run', name: 'create_tag', needs_approval: false },
    { id: 'refused', name: 'create_tag', needs_approval: true },
    { id: 'pattern', name: '*', needs_approval: true },
  ],
  refusals: { refused: 'The arguments are invalid.' },
} as unknown as PendingBatch;
const actorOf = (role: Role) => ({ organizationId: 'o', userId: 'u', role });
const approval = (call_id: string, remember?: CallDecision['remember'], approved = true) =>
  ({ call_id, approved, ...(remember && { remember }) }) as CallDecision;

const created: object[] = [];
const decisions = createRememberedDecisions(
  () => ({ findOrCreate: async (rule: object) => void created.push(rule) }) as never,
  ['create_tag'],
);

it.each(['run', 'refused', 'pattern', 'unknown'])('does not remember an approval of the call “%s”', async (call) => {
  const check = () => decisions.check(actorOf('member'), batch, [approval(call, 'thread')]);
  expect(check).toThrow(
    expect.objectContaining({
      kind: 'unprocessable',
      code: 'remember_needs_waiting_call',
      message: expect.stringContaining(call),
    }),
  );
  await decisions.remember(actorOf('member'), { threadId: 't', documentId: 'd' }, batch, [approval(call, 'thread')]);
  expect(created).toEqual([]);
});

it('checks only decisions to remember: an approval, and an admin’s for the organization', () => {
  const check = (role: Role, ...decided: CallDecision[]) => decisions.check(actorOf(role), batch, decided);
  expect(() => check('member', approval('unknown'), approval('waiting', 'document'))).not.toThrow();
  expect(() => check('admin', approval('waiting', 'organization'))).not.toThrow();
  expect(() => check('member', approval('waiting', 'organization'))).toThrow(/admin/u);
  expect(() => check('admin', approval('waiting', 'thread', false))).toThrow(/Only an approval/u);
});

it('adds a rule with the ids of its scope alone', async () => {
  const decided = [
    approval('waiting'),
    approval('waiting', 'thread', false),
    ...(['thread', 'document', 'organization'] as const).map((scope) => approval('waiting', scope)),
  ];
  await decisions.remember(actorOf('admin'), { threadId: 't', documentId: 'd' }, batch, decided);
  const rule = { tool: 'create_tag', effect: 'allow' };
  expect(created).toStrictEqual([
    { ...rule, scope: 'thread', thread_id: 't' },
    { ...rule, scope: 'document', document_id: 'd' },
    { ...rule, scope: 'organization' },
  ]);
});
