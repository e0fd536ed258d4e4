import type { PermissionRule, Schema, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatOf, invoiceFields, right, type EvaluationTestBench } from '../../testing/evaluation-test-bench.ts';
import {
  contentOf,
  evaluationOn,
  proposal,
  propose,
  improvementRequest,
  createScene,
  startEvidenceTestBench,
  turnPath,
} from '../../testing/evidence-test-bench.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvidenceTestBench();
});
afterAll(() => bench.stop());

describe('a rule with a condition on an evaluation', () => {
  const rule = (evaluation: object, more: object = {}) => ({
    tool: 'update_prompt',
    effect: 'allow',
    scope: 'organization',
    when: { evaluation },
    ...more,
  });
  const nothingBroken = rule({ broken_at_most: 0, documents_at_least: 3, accuracy_gain_at_least: 0 });

  it('allows a call that breaks nothing, and requires approval for one that does, with the evaluation on its card', async () => {
    const scene = await createScene();
    expect((await scene.client.post<PermissionRule>('./permission_rules', nothingBroken)).status).toBe(201);
    const { prompt_id } = scene.prompt;
    const bad = await propose(scene, 'update_prompt', { prompt_id, content: 'Read badly.' });
    expect(bad.status).toBe('awaiting_approval');
    expect(evaluationOn(bad)?.evaluation).toMatchObject({ state: 'completed', totals: { broken: 3 } });
    expect(await contentOf(scene)).toBe('Read.');
    const good = await propose(scene, 'update_prompt', { prompt_id, content: 'Read well.' });
    expect(good.status).toBe('completed');
    expect(good.executed_rounds[0]!.tool_calls[0]).toMatchObject({ name: 'update_prompt', success: true });
    expect(await contentOf(scene)).toBe('Read well.');
  });

  it.each<[string, object, object?]>([
    ['too few documents', rule({ broken_at_most: 0, documents_at_least: 4 })],
    ['too little is gained', rule({ accuracy_gain_at_least: 0.01 })],
    ['the budget is too small', nothingBroken, { evaluation_budget_spu: 2 }],
    ['there is no budget', nothingBroken, { evaluation_budget_spu: 0 }],
  ])('requires approval if %s', async (_, body, settings) => {
    const scene = await createScene();
    if (settings) await scene.client.patch(`/v0/orgs/${scene.client.organizationId}`, settings);
    await scene.client.post('./permission_rules', body);
    const args = { prompt_id: scene.prompt.prompt_id, content: 'Read well.' };
    expect((await propose(scene, 'update_prompt', args)).status).toBe('awaiting_approval');
    expect(await contentOf(scene)).toBe('Read.');
  });

  it('requires approval even with automatic approval, and a deny rule overrides it', async () => {
    const scene = await createScene();
    await scene.client.post('./permission_rules', nothingBroken);
    const args = { prompt_id: scene.prompt.prompt_id, content: 'Read badly.' };
    bench.scriptChat(...proposal('update_prompt', args));
    const all = { ...improvementRequest, auto_approved_tools: ['update_prompt'] };
    expect((await scene.client.post<TurnAnswer>(scene.chat, all)).body.status).toBe('awaiting_approval');
    await scene.client.post('./permission_rules', { tool: 'update_*', effect: 'deny', scope: 'organization' });
    const requestCount = bench.requests.length;
    await propose(scene, 'update_prompt', { ...args, content: 'Read well.' });
    expect(await contentOf(scene)).toBe('Read.');
    expect(bench.requests).toHaveLength(requestCount);
  });

  it('requires evidence for each prompt of a schema', async () => {
    const scene = await createScene();
    const schema_id = scene.prompt.schema_id!;
    await scene.client.post('./prompts', { name: 'Unmeasured', content: 'Read too.', schema_id });
    await scene.client.post('./permission_rules', rule({ broken_at_most: 0 }, { tool: 'update_schema' }));
    const fields = { ...invoiceFields, note: { type: ['string', 'null'] } };
    const turn = await propose(scene, 'update_schema', { schema_id, response_format: formatOf(fields) });
    expect(turn.status).toBe('awaiting_approval');
    const { body } = await scene.client.get<{ schemas: Schema[] }>(`./schemas/${schema_id}/versions`);
    expect(body.schemas).toHaveLength(1);
  });

  it('is not satisfied if a schema has more prompts than can be measured', async () => {
    const scene = await createScene();
    const schema_id = scene.prompt.schema_id!;
    for (let at = 0; at < 20; at += 1)
      await scene.client.post('./prompts', { name: `P${at}`, content: 'x', schema_id });
    await scene.client.post('./permission_rules', rule({ broken_at_most: 0 }, { tool: 'update_schema' }));
    const fields = { ...invoiceFields, note: { type: ['string', 'null'] } };
    bench.answer(right);
    const turn = await propose(scene, 'update_schema', { schema_id, response_format: formatOf(fields) });
    expect(turn.status).toBe('awaiting_approval');
    expect(bench.requests).toEqual([]);
    const path = `${turnPath(scene, turn)}/calls/${turn.tool_calls[0]!.id}/evaluate`;
    expect((await scene.client.post(path)).error?.code).toBe('not_measurable');
  });

  it.each<[string, object]>([
    ['another tool', rule({ broken_at_most: 0 }, { tool: 'create_tag' })],
    ['a pattern with other tools', rule({ broken_at_most: 0 }, { tool: 'update_*' })],
    ['a rule that denies', rule({ broken_at_most: 0 }, { effect: 'deny' })],
  ])('is refused on %s', async (_, body) => {
    const refused = await bench.admin.post('./permission_rules', body);
    expect([refused.status, refused.error?.code]).toEqual([400, 'evaluation_condition_misplaced']);
  });
});

describe('the agent', () => {
  it('measures a change before it proposes it, within the organization’s budget', async () => {
    const scene = await createScene();
    const { prompt_id } = scene.prompt;
    bench.scriptChat(
      { calls: [{ name: 'evaluate_change', args: { prompt_id, content: 'Read badly.' } }] },
      { text: 'That would break totals.' },
    );
    const { executed_rounds } = (await scene.client.post<TurnAnswer>(scene.chat, improvementRequest)).body;
    expect(executed_rounds[0]!.tool_calls[0]).toMatchObject({
      success: true,
      result: {
        state: 'completed',
        documents: { done: 3 },
        totals: { broken: 3, fixed: 0 },
        worst_differences: [{ kind: 'broken', path: 'total', after: 0 }, {}, {}],
        spu_used: 3,
      },
    });
    expect(await contentOf(scene)).toBe('Read.');
    await scene.client.patch(`/v0/orgs/${scene.client.organizationId}`, { evaluation_budget_spu: 0 });
    bench.scriptChat({ calls: [{ name: 'evaluate_change', args: { prompt_id } }] }, { text: 'No.' });
    const refused = (await scene.client.post<TurnAnswer>(scene.chat, improvementRequest)).body;
    expect(refused.executed_rounds[0]!.tool_calls[0]).toMatchObject({ success: false });
  });
});
