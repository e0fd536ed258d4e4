import type { ApprovalList, Evaluation, Prompt, Thread, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatOf, invoiceFields, trueResult, type EvaluationTestBench } from '../../testing/evaluation-test-bench.ts';
import {
  approve,
  contentOf,
  waitForEvaluation,
  evaluationOn,
  measure,
  propose,
  createScene,
  startEvidenceTestBench,
  turnPath,
  type Scene,
} from '../../testing/evidence-test-bench.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvidenceTestBench();
});
afterAll(() => bench.stop());

describe('the card of a changed prompt', () => {
  it('shows the number of documents and the cost of an evaluation, and its results', async () => {
    const scene = await createScene();
    const turn = await propose(scene, 'update_prompt', { prompt_id: scene.prompt.prompt_id, content: 'Read badly.' });
    expect(turn.status).toBe('awaiting_approval');
    expect(evaluationOn(turn)).toEqual({ verified_documents: 3, spu_estimated: 3 });
    const evaluation = await measure(scene, turn, { max_documents: 2 });
    expect(evaluation).toMatchObject({
      documents: { done: 2 },
      totals: { broken: 2 },
      call: { turn_id: turn.turn_id },
    });
    const shown = { verified_documents: 3, evaluation: { id: evaluation.id, totals: { broken: 2, fixed: 0 } } };
    const state = (await scene.client.get<TurnAnswer>(turnPath(scene, turn))).body;
    expect(evaluationOn(state)).toMatchObject(shown);
    expect(evaluationOn(state)).not.toHaveProperty('stale');
    const thread = (await scene.client.get<Thread>(`${scene.chat}/threads/${turn.thread_id}`)).body;
    expect(evaluationOn(thread.pending_turn!)).toMatchObject(shown);
    expect((await approve(scene, turn, { evaluation_id: evaluation.id })).body.status).toBe('completed');
    expect(await contentOf(scene)).toBe('Read badly.');
  });

  it.each<[string, (scene: Scene) => Promise<unknown>, object?]>([
    [
      'the prompt has another revision',
      ({ client, prompt }) => client.put(`./prompts/${prompt.prompt_id}`, { content: 'Other.' }),
    ],
    [
      'a result is no longer verified',
      ({ client, prompt, documents }) =>
        client.put(`./documents/${documents[1]}/extractions/${prompt.prompt_revid}/verification`, {
          is_verified: false,
        }),
    ],
    [
      'a verified result was corrected',
      async ({ client, prompt, documents }) => {
        const url = `./documents/${documents[1]}/extractions/${prompt.prompt_revid}`;
        await client.patch(url, { path: 'total', value: 5, base_version: 1 });
        await client.put(`${url}/verification`, { is_verified: true });
      },
    ],
    [
      'a document was verified since',
      ({ client, prompt }) => bench.addVerifiedDocument(client, prompt, '103', trueResult('103')),
    ],
    ['a document was deleted', ({ client, documents }) => client.delete(`./documents/${documents[2]}`)],
    ['the arguments were edited', async () => undefined, { content: 'Read otherwise.' }],
  ])('cannot be approved with an evaluation that is no longer valid: %s', async (_, change, edited) => {
    const scene = await createScene();
    const args = { prompt_id: scene.prompt.prompt_id, content: 'Read well.' };
    const turn = await propose(scene, 'update_prompt', args);
    const { id } = await measure(scene, turn);
    await change(scene);
    const before = await contentOf(scene);
    const stale = await approve(scene, turn, {
      evaluation_id: id,
      ...(edited && { arguments: JSON.stringify({ ...args, ...edited }) }),
    });
    expect([stale.status, stale.error?.code]).toEqual([409, 'evaluation_stale']);
    expect(await contentOf(scene)).toBe(before);
    const state = (await scene.client.get<TurnAnswer>(turnPath(scene, turn))).body;
    expect(state.status).toBe('awaiting_approval');
    if (!edited) expect(evaluationOn(state)?.stale).toBe(true);
  });

  it('cannot be approved with an evaluation of another organization', async () => {
    const [scene, other] = [await createScene(), await createScene()];
    const args = { prompt_id: scene.prompt.prompt_id, content: 'Read well.' };
    const turn = await propose(scene, 'update_prompt', args);
    const theirs = await propose(other, 'update_prompt', { prompt_id: other.prompt.prompt_id, content: 'Read well.' });
    const foreign = await measure(other, theirs);
    expect((await approve(scene, turn, { evaluation_id: foreign.id })).error?.code).toBe('evaluation_stale');
    const path = `${turnPath(scene, turn)}/calls/${turn.tool_calls[0]!.id}/evaluate`;
    expect((await other.client.post(path)).status).toBe(404);
    expect((await scene.client.post(`${turnPath(scene, turn)}/calls/none/evaluate`)).error?.code).toBe(
      'call_not_found',
    );
    // An evaluation of the same change that the user started directly is valid as well.
    const byHand = await scene.client.post<Evaluation>('./evaluations', args);
    await waitForEvaluation(scene.client, byHand.body.id);
    expect((await approve(scene, turn, { evaluation_id: byHand.body.id })).body.status).toBe('completed');
  });

  it('shows no evaluation if the organization turned them off, and starts one if the mode is auto', async () => {
    const scene = await createScene();
    const args = { prompt_id: scene.prompt.prompt_id, content: 'Read well.' };
    const organization = `/v0/orgs/${scene.client.organizationId}`;
    await scene.client.patch(organization, { evaluate_before_approval: 'off' });
    expect(evaluationOn(await propose(scene, 'update_prompt', args))).toBeUndefined();
    await scene.client.patch(organization, { evaluate_before_approval: 'auto', evaluation_budget_spu: 2 });
    const turn = await propose(scene, 'update_prompt', args);
    const { evaluation } = evaluationOn(turn)!;
    await waitForEvaluation(scene.client, evaluation!.id);
    expect((await scene.client.get<Evaluation>(`./evaluations/${evaluation!.id}`)).body).toMatchObject({
      state: 'completed',
      documents: { total: 2, done: 2 },
      spu_used: 2,
    });
    expect((await scene.client.get(organization)).body).toMatchObject({
      evaluate_before_approval: 'auto',
      evaluation_budget_spu: 2,
    });
  });

  it('measures an edit of a part of the text with the resulting text', async () => {
    const scene = await createScene();
    const { prompt_id } = scene.prompt;
    const turn = await propose(scene, 'edit_prompt', { prompt_id, find: 'Read.', replace: 'Read badly.' });
    const evaluation = await measure(scene, turn);
    expect(evaluation).toMatchObject({ candidate: { content: 'Read badly.' }, totals: { broken: 3 } });
  });

  it('is also in the inbox, with its current evaluation', async () => {
    const scene = await createScene();
    const turn = await propose(scene, 'update_prompt', { prompt_id: scene.prompt.prompt_id, content: 'Read badly.' });
    const inInbox = async () => {
      const { body } = await scene.client.get<ApprovalList>('./approvals');
      const preview = body.approvals.find(({ turn_id }) => turn_id === turn.turn_id)?.preview;
      return preview?.kind === 'difference' ? preview.evaluation : undefined;
    };
    expect(await inInbox()).toEqual({ verified_documents: 3, spu_estimated: 3 });
    const { id } = await measure(scene, turn);
    expect(await inInbox()).toMatchObject({ evaluation: { id, totals: { broken: 3 } } });
    await scene.client.put(`./prompts/${scene.prompt.prompt_id}`, { content: 'Other.' });
    expect(await inInbox()).toMatchObject({ evaluation: { id }, stale: true });
  });

  it('has no evaluation if the call changes no extraction', async () => {
    const scene = await createScene();
    const turn = await propose(scene, 'update_prompt', { prompt_id: scene.prompt.prompt_id, add_tag_ids: [] });
    expect(evaluationOn(turn)).toBeUndefined();
    const path = `${turnPath(scene, turn)}/calls/${turn.tool_calls[0]!.id}/evaluate`;
    expect((await scene.client.post(path)).error?.code).toBe('not_measurable');
  });
});

describe('the card of a changed schema', () => {
  it('measures every prompt that is linked to it', async () => {
    const scene = await createScene();
    const schema_id = scene.prompt.schema_id!;
    const second = (await scene.client.post<Prompt>('./prompts', { name: 'Second', content: 'Read too.', schema_id }))
      .body;
    await bench.addVerifiedDocument(scene.client, second, '200', trueResult('200'));
    const { lines: _lines, ...fields } = invoiceFields;
    const turn = await propose(scene, 'update_schema', { schema_id, response_format: formatOf(fields) });
    expect(evaluationOn(turn)).toEqual({ verified_documents: 4, spu_estimated: 4 });
    const first = await measure(scene, turn);
    await expect
      .poll(
        async () => {
          const state = (await scene.client.get<TurnAnswer>(turnPath(scene, turn))).body;
          return evaluationOn(state)?.evaluations?.map(({ evaluation }) => evaluation.state);
        },
        { timeout: 20_000 },
      )
      .toEqual(['completed', 'completed']);
    expect(first.totals).toMatchObject({ broken: 0, removed: expect.any(Number) });
    // The user saw both evaluations, so both must be valid.
    const other = first.prompt_id === second.prompt_id ? scene.prompt : second;
    await scene.client.put(`./prompts/${other.prompt_id}`, { content: 'Moved on.' });
    const stale = await approve(scene, turn, { evaluation_id: first.id });
    expect([stale.status, stale.error?.code]).toEqual([409, 'evaluation_stale']);
  });
});
