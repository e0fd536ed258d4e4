import { DomainError, type Evaluation } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createInvoicePrompt,
  formatOf,
  runEvaluation,
  right,
  startEvaluationTestBench,
  trueResult,
  createVerifiedDocuments,
  type EvaluationTestBench,
} from '../../testing/evaluation-test-bench.ts';
import { createEvaluationRemoval } from './evaluation-services.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(() => bench.stop());

describe('an evaluation', () => {
  it('is refused for a prompt without verified results', async () => {
    const client = await bench.addOrganization();
    const prompt = await createInvoicePrompt(client);
    const refused = await client.post('./evaluations', { prompt_id: prompt.prompt_id, content: 'New.' });
    expect([refused.status, refused.error?.code]).toEqual([400, 'nothing_verified']);
  });

  it('is refused, before it costs anything, for a schema without any field of the verified results', async () => {
    const { client, prompt } = await createVerifiedDocuments(bench, 1);
    bench.answer(right);
    const response_format = formatOf({ colour: { type: 'string' } });
    const refused = await client.post('./evaluations', { prompt_id: prompt.prompt_id, response_format });
    expect([refused.status, refused.error?.code]).toEqual([400, 'nothing_comparable']);
    const broken = { ...response_format, json_schema: { name: 'x', schema: { type: 'array' } } };
    expect(
      (await client.post('./evaluations', { prompt_id: prompt.prompt_id, response_format: broken })).error?.code,
    ).toBe('invalid_schema');
    expect(bench.requests).toEqual([]);
  });

  it('lists the three of twenty documents on which the model failed, and measures the others', async () => {
    const { client, prompt, documents } = await createVerifiedDocuments(bench, 20);
    bench.answer(({ document }) => {
      if (['101', '107', '119'].includes(document))
        throw new DomainError('model_failed', 'model_unavailable', 'The model is away.');
      return trueResult(document);
    });
    const evaluation = await runEvaluation(bench, client, { prompt_id: prompt.prompt_id, content: 'New.' });
    expect(evaluation).toMatchObject({
      state: 'completed',
      documents: { total: 20, done: 17, failed: 3 },
      totals: { values: 17 * 6, correct_after: 17 * 6, broken: 0 },
    });
    const failed = [1, 7, 19].map((at) => documents[at]!);
    expect(evaluation.failures.map(({ document_id }) => document_id).toSorted()).toEqual(failed.toSorted());
    expect(evaluation.failures[0]).toMatchObject({ code: 'model_unavailable', message: 'The model is away.' });
    bench.answer(() => {
      throw new DomainError('model_failed', 'model_unavailable', 'The model is away.');
    });
    const none = await runEvaluation(bench, client, { prompt_id: prompt.prompt_id, content: 'New.' });
    expect(none).toMatchObject({ state: 'failed', error: { code: 'model_unavailable' }, documents: { failed: 20 } });
  }, 90_000);

  it('measures the other documents if one was deleted or its result has changed', async () => {
    const { client, prompt, documents } = await createVerifiedDocuments(bench, 3);
    bench.answer(right);
    const created = await client.post<Evaluation>('./evaluations', { prompt_id: prompt.prompt_id, content: 'New.' });
    await client.delete(`./documents/${documents[0]}`);
    await client.put(`./documents/${documents[1]}/extractions/${prompt.prompt_revid}/verification`, {
      is_verified: false,
    });
    const evaluation = await bench.waitForEnd(client, created.body.id);
    expect(evaluation).toMatchObject({ state: 'completed', documents: { total: 3, done: 1, failed: 2 } });
    expect(evaluation.failures.map(({ code }) => code).toSorted()).toEqual(['document_not_found', 'version_conflict']);
    // The differences of a document that is deleted later are not listed.
    await client.delete(`./documents/${documents[2]}`);
    expect((await client.get(`./evaluations/${evaluation.id}/differences`)).body).toMatchObject({ total_count: 0 });
    // In the trash it can be restored. When it is purged, its values are removed from evaluations as well.
    await createEvaluationRemoval(bench.connection)(client.organizationId, documents[2]!);
    const remaining = await bench.connection
      .collection('evaluation_documents')
      .find({ state: 'done', differences: { $ne: null } })
      .toArray();
    expect(remaining.map(({ document_id }) => String(document_id))).not.toContain(documents[2]);
  });

  it('keeps its results so far when the budget is exhausted, and shows the number of measured documents', async () => {
    const { client, prompt } = await createVerifiedDocuments(bench, 12);
    bench.answer(right);
    const used = (await client.get<{ spu_used: number }>('./usage')).body.spu_used;
    await client.put('./budget', { spu_limit: used + 3, period: 'total' });
    const evaluation = await runEvaluation(bench, client, { prompt_id: prompt.prompt_id, content: 'New.' });
    expect(evaluation).toMatchObject({ state: 'failed', error: { code: 'budget_exhausted' } });
    expect(evaluation.documents.done).toBeGreaterThanOrEqual(3);
    expect(evaluation.documents.done).toBeLessThan(12);
    expect(evaluation.totals.values).toBe(evaluation.documents.done * 6);
    expect(evaluation.spu_used).toBe((await client.get<{ spu_used: number }>('./usage')).body.spu_used - used);
    // With an exhausted budget no evaluation starts.
    const refused = await client.post('./evaluations', { prompt_id: prompt.prompt_id, content: 'New.' });
    expect([refused.status, refused.error?.code]).toEqual([402, 'budget_exhausted']);
  });

  it('cannot be started by viewers, and is hidden from other organizations', async () => {
    const { client, prompt } = await createVerifiedDocuments(bench, 1);
    bench.answer(right);
    const body = { prompt_id: prompt.prompt_id, content: 'New.' };
    const { id } = await runEvaluation(bench, client, body);
    const viewer = await bench.addUser('viewer', client.organizationId);
    expect((await viewer.post('./evaluations', body)).error?.code).toBe('viewer_cannot_write');
    expect((await viewer.get(`./evaluations/${id}`)).status).toBe(200);
    const stranger = await bench.addOrganization();
    for (const path of ['', '/differences', '/events']) {
      expect((await stranger.get(`./evaluations/${id}${path}`)).error?.code).toBe('evaluation_not_found');
    }
    expect((await stranger.post(`./evaluations/${id}/stop`)).error?.code).toBe('evaluation_not_found');
    expect((await stranger.post('./evaluations', body)).error?.code).toBe('unknown_reference');
    expect((await stranger.get('./evaluations')).body).toMatchObject({ evaluations: [], total_count: 0 });
  });

  it('starts no more documents after it was stopped, and only its user or an admin can stop it', async () => {
    const { client, prompt } = await createVerifiedDocuments(bench, 2);
    const created = await client.post<Evaluation>('./evaluations', { prompt_id: prompt.prompt_id, content: 'New.' });
    const member = await bench.addUser('member', client.organizationId);
    expect((await member.post(`./evaluations/${created.body.id}/stop`)).error?.code).toBe('not_yours');
    bench.answer(right);
    expect((await client.post(`./evaluations/${created.body.id}/stop`)).status).toBe(200);
    expect(await bench.waitForEnd(client, created.body.id)).toMatchObject({ state: 'stopped', documents: { done: 0 } });
    expect((await client.post(`./evaluations/${created.body.id}/stop`)).error?.code).toBe('evaluation_ended');
    expect(bench.requests).toEqual([]);
  });
});
