import type { CallMeasurement, PermissionRequest } from '@docwright/agent-core';
import type { PermissionRule, Role } from '@docwright/contract';
import { expect, it } from 'vitest';
import { createTextMatchers } from './text-matcher.ts';
import { createTurnPermissions, type EvidenceOf } from './turn-permissions.ts';

type Measured = Parameters<ReturnType<EvidenceOf>['forRules']>;

const actor = { organizationId: 'o', userId: 'u', role: 'admin' } as const;
const turn = { threadId: 't', documentId: 'd', autoApprove: false, autoApprovedTools: [] };
const origin = { call_id: 'c', turn_id: 'x' };
const proposal: PermissionRequest = {
  tool: 'update_prompt',
  effect: 'read_write',
  args: { prompt_id: 'p' },
  origin,
  isProposal: true,
};
const ruleOf = (over: Partial<PermissionRule>) =>
  ({ id: 'r', tool: 'update_*', effect: 'allow', scope: 'organization', ...over }) as PermissionRule;
const measured = (limits: object = { broken_at_most: 0 }) => ruleOf({ when: { evaluation: limits } });

/** Decides a call, and lists what was measured for it. */
async function decide(
  rules: PermissionRule[],
  call: PermissionRequest = proposal,
  { role = 'admin', evidence }: { role?: Role | undefined; evidence?: CallMeasurement[] } = {},
) {
  const requests: [...Measured, Role][] = [];
  const permissions = createTurnPermissions({
    rulesOf: () => ({ applicableIn: async () => rules }) as never,
    roleOf: async () => role,
    matchers: createTextMatchers(),
    evidenceOf: (measuring) => ({
      forRules: async (...asked) => {
        requests.push([...asked, measuring.role]);
        return evidence;
      },
    }),
  });
  return { ...(await permissions(actor, turn)(call)), requests };
}

it('follows the current role, up to the role at the start, and permits nothing to a user who has left', async () => {
  expect(await decide([ruleOf({})], proposal, { role: 'viewer' })).toMatchObject({ effect: 'deny' });
  expect(await decide([ruleOf({})])).toEqual({ effect: 'allow', ruleId: 'r', requests: [] });
  const left = createTurnPermissions({
    rulesOf: () => ({ applicableIn: async () => [ruleOf({})] }) as never,
    roleOf: async () => undefined,
    matchers: createTextMatchers(),
    evidenceOf: () => ({ forRules: async () => undefined }),
  });
  expect(await left(actor, turn)(proposal)).toMatchObject({
    effect: 'deny',
    message: expect.stringContaining('no longer belongs'),
  });
});

it('measures a proposal if a rule on its effect could allow it, on as many documents as a rule requires', async () => {
  const good = [{ documents: 20, broken: 0, accuracyGain: 0 }];
  const asked = { tool: 'update_prompt', args: { prompt_id: 'p' }, ...origin };
  expect(await decide([measured()], proposal, { role: 'member', evidence: good })).toEqual({
    effect: 'allow',
    ruleId: 'r',
    requests: [[asked, { documents: 20, signal: undefined }, 'member']],
  });
  const many = await decide([measured({ documents_at_least: 30 }), measured()], proposal, { evidence: good });
  expect(many).toMatchObject({ effect: 'ask', requests: [[asked, { documents: 30 }, 'admin']] });
  expect(await decide([measured()])).toMatchObject({ effect: 'ask', requests: [[asked, { documents: 20 }, 'admin']] });
});

it('uses an earlier measurement for a call that is not being proposed', async () => {
  const { isProposal: _, ...later } = proposal;
  expect(await decide([measured()], later)).toMatchObject({ requests: [[{ call_id: 'c' }, undefined, 'admin']] });
});

it('does not measure a call that the measurement would not allow, or that no such rule is about', async () => {
  const [deny, ask] = [ruleOf({ id: 'deny', effect: 'deny' }), ruleOf({ id: 'ask', effect: 'ask' })];
  expect(await decide([measured(), deny])).toMatchObject({ effect: 'deny', requests: [] });
  expect(await decide([measured(), ask])).toMatchObject({ effect: 'ask', ruleId: 'ask', requests: [] });
  expect(await decide([measured()], { ...proposal, tool: 'create_tag' })).toEqual({ effect: 'ask', requests: [] });
  const { origin: _, ...withoutOrigin } = proposal;
  expect(await decide([measured()], withoutOrigin)).toMatchObject({ effect: 'ask', requests: [] });
});
