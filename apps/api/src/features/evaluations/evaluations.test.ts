import {
  DomainError,
  type Evaluation,
  type EvaluationDifference,
  type EvaluationEvent,
  type Prompt,
} from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../testing/test-client.ts';
import {
  createInvoicePrompt,
  formatOf,
  invoiceFields,
  startEvaluationTestBench,
  trueResult,
  type EvaluationTestBench,
  type Respond,
} from '../../testing/evaluation-test-bench.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(() => bench.stop());

const right: Respond = ({ document }) => trueResult(document);

/** An organization with verified documents, of which the first was read wrongly at first. */
async function withVerified(count: number): Promise<{ client: TestClient; prompt: Prompt; documents: string[] }> {
  const client = await bench.addOrganization();
  const prompt = await createInvoicePrompt(client);
  bench.answer(({ document }) => ({ ...trueResult(document), ...(document === '100' && { total: 1 }) }));
  const documents: string[] = [];
  for (let at = 0; at < count; at++) {
    const number = String(100 + at);
    documents.push(await bench.verified(client, prompt, number, trueResult(number)));
  }
  return { client, prompt, documents };
}

async function measured(client: TestClient, body: object): Promise<Evaluation> {
  const created = await client.post<Evaluation>('./evaluations', body);
  expect(created.status, created.text).toBe(201);
  return await bench.ended(client, created.body.id);
}

describe('an evaluation', () => {
  it('tells what a change fixes and breaks, and stores nothing but itself', async () => {
    const { client, prompt, documents } = await withVerified(3);
    bench.answer(({ document }) => ({
      ...trueResult(document),
      ...(document === '102' && {
        number: 'wrong',
        lines: [...trueResult(document).lines, { text: 'Tax', amount: null }],
      }),
    }));
    const before = await everythingElse();
    const evaluation = await measured(client, { prompt_id: prompt.prompt_id, content: 'Read again.' });
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
    expect(bench.asked.map((call) => call.prompt)).toEqual(['Read again.', 'Read again.', 'Read again.']);
    expect(evaluation.fields.find(({ field }) => field === 'total')).toMatchObject({ values: 3, fixed: 1, broken: 0 });
    expect(await everythingElse()).toEqual(before);

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

  it('estimates before anything runs, and asks no model for it', async () => {
    const { client, prompt } = await withVerified(2);
    bench.answer(right);
    const body = { prompt_id: prompt.prompt_id, content: 'Read again.' };
    expect((await client.post('./evaluations/estimate', body)).body).toEqual({ documents: 2, spu_estimated: 2 });
    expect((await client.post('./evaluations/estimate', { ...body, baseline: 'run', max_documents: 1 })).body).toEqual({
      documents: 1,
      spu_estimated: 2,
    });
    expect(bench.asked).toEqual([]);
  });

  it('runs the current revision where its result is not there, and takes another schema or model', async () => {
    const { client, prompt } = await withVerified(2);
    await client.put(`./prompts/${prompt.prompt_id}`, { content: 'Read differently.' });
    bench.answer(({ document, prompt: text }) => {
      const { lines: _lines, ...rest } = trueResult(document);
      return text === 'Read differently.' ? { ...rest, total: 0 } : { ...rest, vat: '19' };
    });
    const { lines: _lines, ...fields } = invoiceFields;
    const response_format = formatOf({ ...fields, vat: { type: 'string' } });
    const evaluation = await measured(client, { prompt_id: prompt.prompt_id, content: 'New.', response_format });
    expect(evaluation).toMatchObject({
      baseline: { source: 'run' },
      totals: { values: 4, correct_before: 2, correct_after: 4, fixed: 2, broken: 0, unknown: 2, removed: 8 },
      spu_used: expect.any(Number),
    });
    // The answer for the current revision does not fit its schema, and is asked for once more.
    expect(new Set(bench.asked.map((call) => call.prompt))).toEqual(new Set(['Read differently.', 'New.']));

    expect((await client.post('./evaluations', { prompt_id: prompt.prompt_id, model: 'other' })).error?.code).toBe(
      'model_not_enabled',
    );
  });

  it('takes the newest verified result of a document, whatever its revision', async () => {
    const { client, prompt, documents } = await withVerified(1);
    const updated = (await client.put<Prompt>(`./prompts/${prompt.prompt_id}`, { content: 'Two.' })).body;
    bench.answer(() => ({ ...trueResult('100'), number: 'newer' }));
    await client.post(`./documents/${documents[0]}/extractions`, { prompt_revid: updated.prompt_revid });
    const url = `./documents/${documents[0]}/extractions/${updated.prompt_revid}/verification`;
    await client.put(url, { is_verified: true });
    bench.answer(right);
    const evaluation = await measured(client, { prompt_id: prompt.prompt_id, content: 'Three.' });
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
    await bench.verified(client, prompt, '7', { number: '7', total: 7 });
    bench.answer(() => ({ number: '7', note: 'new' }));
    const { totals } = await measured(client, { prompt_id: prompt.prompt_id, content: 'Read again.' });
    expect(totals).toMatchObject({ values: 2, correct_before: 2, broken: 1, unknown: 1, removed: 0 });
  });

  it('tells its progress and its end to who follows it', async () => {
    const { client, prompt } = await withVerified(2);
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

describe('what goes wrong', () => {
  it('a prompt without verified results is refused', async () => {
    const client = await bench.addOrganization();
    const prompt = await createInvoicePrompt(client);
    const refused = await client.post('./evaluations', { prompt_id: prompt.prompt_id, content: 'New.' });
    expect([refused.status, refused.error?.code]).toEqual([400, 'nothing_verified']);
  });

  it('a candidate’s schema that fits no truth is refused before it costs anything', async () => {
    const { client, prompt } = await withVerified(1);
    bench.answer(right);
    const response_format = formatOf({ colour: { type: 'string' } });
    const refused = await client.post('./evaluations', { prompt_id: prompt.prompt_id, response_format });
    expect([refused.status, refused.error?.code]).toEqual([400, 'nothing_comparable']);
    const broken = { ...response_format, json_schema: { name: 'x', schema: { type: 'array' } } };
    expect(
      (await client.post('./evaluations', { prompt_id: prompt.prompt_id, response_format: broken })).error?.code,
    ).toBe('invalid_schema');
    expect(bench.asked).toEqual([]);
  });

  it('documents that the model fails on are named, and the others are measured', async () => {
    const { client, prompt, documents } = await withVerified(4);
    bench.answer(({ document }) => {
      if (document === '101') throw new DomainError('model_failed', 'model_unavailable', 'The model is away.');
      return trueResult(document);
    });
    const evaluation = await measured(client, { prompt_id: prompt.prompt_id, content: 'New.' });
    expect(evaluation).toMatchObject({
      state: 'completed',
      documents: { total: 4, done: 3, failed: 1 },
      failures: [{ document_id: documents[1], code: 'model_unavailable', message: 'The model is away.' }],
      totals: { values: 18 },
    });
    bench.answer(() => {
      throw new DomainError('model_failed', 'model_unavailable', 'The model is away.');
    });
    const none = await measured(client, { prompt_id: prompt.prompt_id, content: 'New.' });
    expect(none).toMatchObject({ state: 'failed', error: { code: 'model_unavailable' }, documents: { failed: 4 } });
  });

  it('a document that is deleted, and a result that is changed meanwhile, fail alone', async () => {
    const { client, prompt, documents } = await withVerified(3);
    bench.answer(right);
    const created = await client.post<Evaluation>('./evaluations', { prompt_id: prompt.prompt_id, content: 'New.' });
    await client.delete(`./documents/${documents[0]}`);
    await client.put(`./documents/${documents[1]}/extractions/${prompt.prompt_revid}/verification`, {
      is_verified: false,
    });
    const evaluation = await bench.ended(client, created.body.id);
    expect(evaluation).toMatchObject({ state: 'completed', documents: { total: 3, done: 1, failed: 2 } });
    expect(evaluation.failures.map(({ code }) => code).toSorted()).toEqual(['document_not_found', 'version_conflict']);
    // Of a document that is deleted later nothing is told any more.
    await client.delete(`./documents/${documents[2]}`);
    expect((await client.get(`./evaluations/${evaluation.id}/differences`)).body).toMatchObject({ total_count: 0 });
    const left = await bench.connection
      .collection('evaluation_documents')
      .find({ state: 'done', differences: { $ne: null } })
      .toArray();
    expect(left.map(({ document_id }) => String(document_id))).not.toContain(documents[2]);
  });

  it('a budget that ends leaves what was measured, and says of how many', async () => {
    const { client, prompt } = await withVerified(12);
    bench.answer(right);
    const used = (await client.get<{ spu_used: number }>('./usage')).body.spu_used;
    await client.put('./budget', { spu_limit: used + 3, period: 'total' });
    const evaluation = await measured(client, { prompt_id: prompt.prompt_id, content: 'New.' });
    expect(evaluation).toMatchObject({ state: 'failed', error: { code: 'budget_exhausted' } });
    expect(evaluation.documents.done).toBeGreaterThanOrEqual(3);
    expect(evaluation.documents.done).toBeLessThan(12);
    expect(evaluation.totals.values).toBe(evaluation.documents.done * 6);
    expect(evaluation.spu_used).toBe((await client.get<{ spu_used: number }>('./usage')).body.spu_used - used);
  });

  it('viewers read and start nothing; another organization sees nothing', async () => {
    const { client, prompt } = await withVerified(1);
    bench.answer(right);
    const body = { prompt_id: prompt.prompt_id, content: 'New.' };
    const { id } = await measured(client, body);
    const viewer = await bench.addPerson('viewer', client.organizationId);
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

  it('one that is stopped begins no more documents; only its person or an admin can stop it', async () => {
    const { client, prompt } = await withVerified(10);
    const created = await client.post<Evaluation>('./evaluations', { prompt_id: prompt.prompt_id, content: 'New.' });
    const member = await bench.addPerson('member', client.organizationId);
    expect((await member.post(`./evaluations/${created.body.id}/stop`)).error?.code).toBe('not_yours');
    bench.answer(right);
    expect((await client.post(`./evaluations/${created.body.id}/stop`)).status).toBe(200);
    expect(await bench.ended(client, created.body.id)).toMatchObject({ state: 'stopped', documents: { done: 0 } });
    expect((await client.post(`./evaluations/${created.body.id}/stop`)).error?.code).toBe('evaluation_ended');
    expect(bench.asked).toEqual([]);
  });
});

/** All that an evaluation must leave as it is. */
async function everythingElse(): Promise<unknown> {
  const names = ['extractions', 'prompts', 'prompt_revisions', 'schemas', 'schema_revisions', 'documents'];
  const found = await Promise.all(
    names.map((name) => bench.connection.collection(name).find({}).sort({ _id: 1 }).toArray()),
  );
  return JSON.parse(JSON.stringify(found)) as unknown;
}
