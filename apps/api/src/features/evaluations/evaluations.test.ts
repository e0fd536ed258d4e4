import type { Evaluation, EvaluationDifference, EvaluationEvent, Prompt, PromptAccuracy } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createInvoicePrompt,
  formatOf,
  invoiceFields,
  runEvaluation,
  right,
  startEvaluationTestBench,
  trueResult,
  createVerifiedDocuments,
  type EvaluationTestBench,
} from '../../testing/evaluation-test-bench.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(() => bench.stop());

describe('an evaluation', () => {
  it('reports the values that a change fixes and breaks, and changes nothing else', async () => {
    const { client, prompt, documents } = await createVerifiedDocuments(bench, 3);
    bench.answer(({ document }) => ({
      ...trueResult(document),
      ...(document === '102' && {
        number: 'wrong',
        lines: [...trueResult(document).lines, { text: 'Tax', amount: null }],
      }),
    }));
    const before = await readOtherRecords();
    const evaluation = await runEvaluation(bench, client, { prompt_id: prompt.prompt_id, content: 'Read again.' });
    expect(evaluation).toMatchObject({
      state: 'completed',
      candidate: { content: 'Read again.' },
      baseline: { prompt_revid: prompt.prompt_revid, source: 'stored' },
      documents: { total: 3, done: 3, failed: 0 },
      totals: {
        values: 18,
        correct_before: 17,
        correct_after: 17,
        accuracy_before: 17 / 18,
        accuracy_after: 17 / 19,
        fixed: 1,
        broken: 1,
        spurious_before: 0,
        spurious_after: 1,
      },
      spu_used: 3,
      spu_estimated: 3,
    });
    expect(bench.requests.map((call) => call.prompt)).toEqual(['Read again.', 'Read again.', 'Read again.']);
    expect(evaluation.fields.find(({ field }) => field === 'total')).toMatchObject({ values: 3, fixed: 1, broken: 0 });
    expect(await readOtherRecords()).toEqual(before);

    const { body } = await client.get<{ differences: EvaluationDifference[]; total_count: number }>(
      `./evaluations/${evaluation.id}/differences`,
    );
    expect(body.differences).toMatchObject([
      {
        kind: 'broken',
        path: 'number',
        document_id: documents[2],
        document_name: '102.txt',
        truth: '102',
        before: '102',
        after: 'wrong',
        grounding: { page_num: 1 },
      },
      { kind: 'fixed', path: 'total', document_id: documents[0], before: 1, after: 100 },
      { kind: 'spurious', path: 'lines.2.text', before: null, after: 'Tax', absent: ['truth', 'before'] },
    ]);
    const paged = `./evaluations/${evaluation.id}/differences?skip=1&limit=1`;
    expect((await client.get(paged)).body).toMatchObject({ differences: [{ kind: 'fixed' }], total_count: 3 });
    const filtered = `./evaluations/${evaluation.id}/differences?kind=fixed&field=total&document_id=${documents[0]}`;
    expect((await client.get(filtered)).body).toMatchObject({ differences: [{ kind: 'fixed' }], total_count: 1 });
  });

  it('can be estimated without any request to a model', async () => {
    const { client, prompt } = await createVerifiedDocuments(bench, 2);
    bench.answer(right);
    const body = { prompt_id: prompt.prompt_id, content: 'Read again.' };
    expect((await client.post('./evaluations/estimate', body)).body).toEqual({ documents: 2, spu_estimated: 2 });
    expect((await client.post('./evaluations/estimate', { ...body, baseline: 'run', max_documents: 1 })).body).toEqual({
      documents: 1,
      spu_estimated: 2,
    });
    expect(bench.requests).toEqual([]);
  });

  it('runs the current revision if it has no stored result, and accepts another schema or model', async () => {
    const { client, prompt } = await createVerifiedDocuments(bench, 2);
    await client.put(`./prompts/${prompt.prompt_id}`, { content: 'Read differently.' });
    bench.answer(({ document, prompt: text }) => {
      const { lines: _lines, ...rest } = trueResult(document);
      return text === 'Read differently.' ? { ...rest, total: 0 } : { ...rest, vat: '19' };
    });
    const { lines: _lines, ...fields } = invoiceFields;
    const response_format = formatOf({ ...fields, vat: { type: 'string' } });
    const evaluation = await runEvaluation(bench, client, {
      prompt_id: prompt.prompt_id,
      content: 'New.',
      response_format,
    });
    expect(evaluation).toMatchObject({
      baseline: { source: 'run' },
      totals: { values: 4, correct_before: 2, correct_after: 4, fixed: 2, broken: 0, unknown: 2, removed: 8 },
      spu_used: expect.any(Number),
    });
    // The answer for the current revision is invalid and is asked for once more.
    expect(new Set(bench.requests.map((call) => call.prompt))).toEqual(new Set(['Read differently.', 'New.']));

    expect((await client.post('./evaluations', { prompt_id: prompt.prompt_id, model: 'other' })).error?.code).toBe(
      'model_not_enabled',
    );
  });

  it('uses the newest verified result of a document, of any revision', async () => {
    const { client, prompt, documents } = await createVerifiedDocuments(bench, 1);
    const updated = (await client.put<Prompt>(`./prompts/${prompt.prompt_id}`, { content: 'Two.' })).body;
    bench.answer(() => ({ ...trueResult('100'), number: 'newer' }));
    await client.post(`./documents/${documents[0]}/extractions`, { prompt_revid: updated.prompt_revid });
    const url = `./documents/${documents[0]}/extractions/${updated.prompt_revid}/verification`;
    await client.put(url, { is_verified: true });
    bench.answer(right);
    const evaluation = await runEvaluation(bench, client, { prompt_id: prompt.prompt_id, content: 'Three.' });
    expect(evaluation).toMatchObject({
      documents: { total: 1 },
      baseline: { prompt_revid: updated.prompt_revid, source: 'stored' },
      totals: { broken: 1, correct_before: 6 },
    });
  });

  it('works for a prompt without a schema', async () => {
    const client = await bench.addOrganization();
    const prompt = (await client.post<Prompt>('./prompts', { name: 'Free', content: 'Read.' })).body;
    bench.answer(() => ({ number: '7', total: 7 }));
    await bench.addVerifiedDocument(client, prompt, '7', { number: '7', total: 7 });
    bench.answer(() => ({ number: '7', note: 'new' }));
    const { totals } = await runEvaluation(bench, client, { prompt_id: prompt.prompt_id, content: 'Read again.' });
    expect(totals).toMatchObject({ values: 2, correct_before: 2, broken: 1, unknown: 1, removed: 0 });
  });

  it('streams its progress and its end', async () => {
    const { client, prompt } = await createVerifiedDocuments(bench, 2);
    bench.answer(right);
    const { body } = await client.post<Evaluation>('./evaluations', { prompt_id: prompt.prompt_id, content: 'New.' });
    expect(body).toMatchObject({ state: 'queued', totals: { values: 0, accuracy_before: null }, started_at: null });
    const following = client.get(`./evaluations/${body.id}/events`);
    await bench.work();
    const events = (await following).text
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as EvaluationEvent] : []));
    expect(events.at(-1)).toMatchObject({ type: 'done', evaluation: { state: 'completed', documents: { done: 2 } } });
    expect((await client.get(`./evaluations?prompt_id=${prompt.prompt_id}`)).body).toMatchObject({
      evaluations: [{ id: body.id }],
      total_count: 1,
    });
  });
});

describe('the accuracy of a prompt', () => {
  it('is computed from corrections by revision, field, model and month, without any request to a model', async () => {
    const { client, prompt } = await createVerifiedDocuments(bench, 3);
    bench.answer(right);
    const { body } = await client.get<PromptAccuracy>(`./prompts/${prompt.prompt_id}/accuracy`);
    const overall = { documents_verified: 3, values: 18, correct: 17, accuracy: 17 / 18, untouched: 2 };
    expect(body).toMatchObject({
      overall,
      by_revision: [{ prompt_revid: prompt.prompt_revid, version: 1, ...overall }],
      by_model: [{ model: 'no-model', ...overall }],
      by_month: [{ month: new Date().toISOString().slice(0, 7), ...overall }],
    });
    expect(body.by_field[0]).toEqual({
      field: 'total',
      documents_verified: 3,
      values: 3,
      unseen: 0,
      correct: 2,
      accuracy: 2 / 3,
      untouched: 2,
    });
    expect(body.by_field).toHaveLength(4);
    expect(bench.requests).toEqual([]);
  });

  it('leaves each revision what was verified of it, and counts a document once overall', async () => {
    const { client, prompt, documents } = await createVerifiedDocuments(bench, 3);
    const path = `./prompts/${prompt.prompt_id}`;
    const updated = (await client.put<Prompt>(path, { content: 'Two.' })).body;
    bench.answer(() => trueResult('100'));
    await client.post(`./documents/${documents[0]}/extractions`, { prompt_revid: updated.prompt_revid });
    const url = `./documents/${documents[0]}/extractions/${updated.prompt_revid}/verification`;
    expect((await client.put(url, { is_verified: true, seen: true })).status).toBe(200);
    const { body } = await client.get<PromptAccuracy>(`${path}/accuracy`);
    expect(body.by_revision.map(({ version, documents_verified }) => [version, documents_verified])).toEqual([
      [1, 3],
      [2, 1],
    ]);
    expect(body.overall.documents_verified).toBe(3);
    expect(body.by_model.reduce((sum, { documents_verified }) => sum + documents_verified, 0)).toBe(3);
  });

  it('has no figures without verified results, and is hidden from other organizations', async () => {
    const client = await bench.addOrganization();
    const prompt = await createInvoicePrompt(client);
    const path = `./prompts/${prompt.prompt_id}/accuracy`;
    expect((await client.get<PromptAccuracy>(path)).body.overall).toMatchObject({
      documents_verified: 0,
      accuracy: null,
    });
    const stranger = await bench.addOrganization();
    expect((await stranger.get(path)).error?.code).toBe('prompt_not_found');
  });
});

/** The records that an evaluation must not change. */
/** Without the stage of documents, which is stored right after what it follows from. */
async function readOtherRecords(): Promise<unknown> {
  const names = ['extractions', 'prompts', 'prompt_revisions', 'schemas', 'schema_revisions', 'documents'];
  const found = await Promise.all(
    names.map((name) =>
      bench.connection
        .collection(name)
        .find({}, { projection: { stage: 0 } })
        .sort({ _id: 1 })
        .toArray(),
    ),
  );
  return JSON.parse(JSON.stringify(found)) as unknown;
}
