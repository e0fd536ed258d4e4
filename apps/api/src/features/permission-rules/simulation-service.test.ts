import { DomainError, type AuditEntry, type CreatePermissionRuleBody } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { createSimulation } from './simulation-service.ts';
import { createTextMatchers, type TextMatchers } from './text-matcher.ts';

/** An entry as stored in the log. */
type Entry = AuditEntry & { is_partial: boolean };

const actor = { organizationId: 'o', userId: 'u', role: 'admin' } as const;
const entry = (override: Partial<Entry> = {}): Entry =>
  ({
    call_id: 'c',
    at: 'now',
    actor: 'u',
    tool: 'create_tag',
    arguments: '{"name":"Paid"}',
    decision: 'allow',
    is_partial: false,
    ...override,
  }) as Entry;
const rule = (override: Partial<CreatePermissionRuleBody> = {}): CreatePermissionRuleBody => ({
  tool: 'create_tag',
  effect: 'deny',
  scope: 'organization',
  ...override,
});

async function simulate(
  entries: Entry[],
  body = rule(),
  {
    caller = actor,
    total = entries.length,
    matcher,
  }: { caller?: typeof actor; total?: number; matcher?: ReturnType<TextMatchers['forSimulation']> } = {},
) {
  const queries: unknown[] = [];
  const run = createSimulation({
    rulesFor: () => ({
      check: async ({ tool }) => {
        if (tool === 'nothing') throw new DomainError('invalid', 'unknown_tool', 'No.');
      },
    }),
    auditOf: (organizationId) => ({
      list: async (...query) => {
        queries.push(organizationId, ...query);
        return { entries, total_count: total };
      },
    }),
    matchers: { forSimulation: () => matcher ?? createTextMatchers().forSimulation() },
  });
  return { ...(await run(caller, body)), queries };
}

describe('a simulated rule', () => {
  it('is validated first, and compared with the calls that its author can see', async () => {
    await expect(simulate([], rule({ tool: 'nothing' }))).rejects.toMatchObject({ code: 'unknown_tool' });
    const page = { skip: 0, limit: 1000 };
    const filterOf = async (body: CreatePermissionRuleBody, role: string) =>
      (await simulate([], body, { caller: { ...actor, role: role as 'admin' } })).queries;
    const own = { kind: 'proposed', actor: 'u' };
    expect(await filterOf(rule(), 'admin')).toEqual(['o', { kind: 'proposed' }, page]);
    expect(await filterOf(rule(), 'member')).toEqual(['o', own, page]);
    const inThread = rule({ scope: 'thread', thread_id: 't' } as never);
    expect(await filterOf(inThread, 'admin')).toEqual(['o', { ...own, thread_id: 't' }, page]);
  });

  it.each([
    ['deny', { decision: 'allow' }, 'deny'],
    ['deny', { decision: 'ask' }, 'deny'],
    ['ask', { decision: 'allow' }, 'ask'],
    ['ask', { decision: 'deny' }, undefined],
    ['ask', { decision: 'ask' }, undefined],
    ['allow', { decision: 'ask' }, 'allow'],
    ['allow', { decision: 'ask', rule_id: 'r' }, undefined],
    ['allow', { decision: 'allow', rule_id: 'r' }, undefined],
    ['allow', { decision: 'deny' }, undefined],
    ['deny', { tool: 'create_schema' }, undefined],
  ])('with effect %s changes %j to %s', async (effect, over, after) => {
    const { calls } = await simulate([entry(over as Partial<Entry>)], rule({ effect: effect as 'deny' }));
    expect(calls.map((call) => call.after)).toEqual(after === undefined ? [] : [after]);
  });

  it('reports the call and its origin', async () => {
    const call = { call_id: 'c', at: 'now', actor: 'u', tool: 'create_tag', arguments: '{"name":"Paid"}' };
    const { calls } = await simulate([entry(), entry({ document_id: 'd', thread_id: 't', turn_id: 'x' })]);
    expect(calls).toStrictEqual([
      { ...call, thread_id: '', turn_id: '', before: 'allow', after: 'deny' },
      { ...call, document_id: 'd', thread_id: 't', turn_id: 'x', before: 'allow', after: 'deny' },
    ]);
  });

  it('counts undecidable calls, and skips entries that are not decisions', async () => {
    const named = rule({ when: { path: 'name', equals: 'Paid' } });
    const count = async (body: CreatePermissionRuleBody, override: Partial<Entry>) => {
      const { calls, examined, undecidable } = await simulate([entry(override)], body);
      return [calls.length, examined, undecidable];
    };
    expect(await count(named, {})).toEqual([1, 1, 0]);
    expect(await count(named, { is_partial: true })).toEqual([0, 1, 1]);
    expect(await count(rule(), { is_partial: true })).toEqual([1, 1, 0]);
    expect(await count(named, { decision: 'approved' })).toEqual([0, 0, 0]);
    const measured = rule({ when: { evaluation: { mismatches: 0 } } } as never);
    expect(await count(measured, {})).toEqual([0, 1, 1]);
    expect(await count(measured, { tool: 'create_schema' })).toEqual([0, 1, 0]);
    const labelled = rule({ when: { provenance: { path: 'name', from: 'document' } } } as never);
    expect(await count(labelled, {})).toEqual([0, 1, 1]);
    expect(await count(labelled, { provenance: { name: ['document'] } })).toEqual([1, 1, 0]);
    expect(await count(labelled, { provenance: { name: ['person'] } })).toEqual([0, 1, 0]);
  });

  it('stops at 100 calls, at 1,000 entries and when its budget is spent, and reports it', async () => {
    const many = Array.from({ length: 101 }, () => entry());
    expect(await simulate(many)).toMatchObject({ examined: 100, truncated: true });
    expect(await simulate(many.slice(1))).toMatchObject({ examined: 100, truncated: false });
    expect(await simulate([...many.slice(1), entry({ decision: 'approved' })])).toMatchObject({ truncated: false });
    expect(await simulate([entry()], rule(), { total: 2 })).toMatchObject({ examined: 1, truncated: true });
    const spent = { isSpent: () => true, matchText: () => true };
    expect(await simulate([entry()], rule(), { matcher: spent })).toMatchObject({
      calls: [],
      examined: 0,
      truncated: true,
    });
    let looks = 0;
    const spending = { isSpent: () => looks++ > 0, matchText: () => true };
    expect(await simulate([entry()], rule(), { matcher: spending })).toMatchObject({ calls: [], examined: 1 });
  });
});
