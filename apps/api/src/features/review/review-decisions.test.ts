import type { Extraction, Prompt, PromptAccuracy, ReviewDecision } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEvaluationTestBench, trueResult, type EvaluationTestBench } from '../../testing/evaluation-test-bench.ts';
import { isSampled } from '../value-risk/reviewed-values.ts';
import { decide, queueOf, settle, startReviewScene } from '../../testing/review-test-bench.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(async () => bench.stop());

describe('decisions', () => {
  it('apply to one version, have one outcome each, and verify the document with the last one', async () => {
    const { client, read, prompt } = await startReviewScene(bench);
    bench.answer(({ document }) => ({ ...trueResult(document), total: 999 }));
    const { id, url } = await read('50');
    const about = (path: string, rest: object): ReviewDecision =>
      ({ document_id: id, prompt_revid: prompt.prompt_revid, path, version: 1, ...rest }) as ReviewDecision;
    const first = await decide(
      client,
      about('number', { action: 'confirm' }),
      about('total', { action: 'correct', value: 50 }),
      about('lines.0.text', { action: 'clear' }),
      about('lines.0.amount', { action: 'correct', value: 'five' }),
      about('nothing', { action: 'confirm' }),
      about('lines.1.text', { action: 'correct' }),
      about('lines.1.amount', { action: 'confirm', version: 9 }),
      { ...about('total', { action: 'confirm' }), document_id: '0'.repeat(24) },
    );
    expect(first.map(({ status }) => status)).toEqual([
      'decided',
      'decided',
      'decided',
      'invalid',
      'not_found',
      'invalid',
      'conflict',
      'not_found',
    ]);
    expect(first[0]).toMatchObject({ path: 'number', version: 2, is_verified: false });
    const { body } = await client.get<Extraction>(url);
    expect(body).toMatchObject({ version: 2, is_verified: false, is_edited: true, failed_checks: [] });
    expect(body.result).toMatchObject({ total: 50, lines: [{ text: null, amount: 5 }, { text: 'Oil' }] });
    expect(Object.fromEntries(Object.entries(body.review!).map(([path, { state }]) => [path, state]))).toEqual({
      number: 'confirmed',
      total: 'corrected',
      'lines.0.text': 'corrected',
      'lines.0.amount': 'open',
      'lines.1.text': 'open',
      'lines.1.amount': 'open',
    });
    const rest = await queueOf(client, 'all=true');
    expect(rest).toMatchObject({ total_count: 3 });
    const stale = await decide(client, about('lines.0.amount', { action: 'confirm' }));
    expect(stale).toMatchObject([{ status: 'conflict', version: 2 }]);
    const last = await decide(client, ...rest.items.map(({ path }) => about(path, { action: 'confirm', version: 2 })));
    expect(last).toMatchObject([1, 2, 3].map(() => ({ status: 'decided', is_verified: true, version: 2 })));
    expect((await client.get<Extraction>(url)).body.is_verified).toBe(true);
    expect(await queueOf(client)).toMatchObject({ total_count: 0, documents: 0, values: 0 });
    // Without the verification, all values are open again.
    await client.put(`${url}/verification`, { is_verified: false });
    expect(await queueOf(client, 'all=true')).toMatchObject({ total_count: 6 });
  });

  it('follow their rows when rows are inserted', async () => {
    const { client, read, prompt } = await startReviewScene(bench);
    bench.answer(({ document }) => trueResult(document));
    const { id, url } = await read('51');
    const about = { document_id: id, prompt_revid: prompt.prompt_revid, version: 1 };
    await decide(client, { ...about, path: 'lines.1.amount', action: 'confirm' });
    const rows = (await client.get<Extraction>(url)).body.result as { lines: object[] };
    const value = [{ text: 'Bell', amount: 1 }, ...rows.lines];
    await decide(client, { ...about, path: 'lines', action: 'correct', value });
    const { review } = (await client.get<Extraction>(url)).body;
    expect(
      ['lines.0.text', 'lines.0.amount', 'lines.1.amount', 'lines.2.amount'].map((path) => review![path]!.state),
    ).toEqual(['corrected', 'corrected', 'open', 'confirmed']);
  });

  it('are forbidden for viewers, and limited to 200 at once', async () => {
    const { client, read, prompt } = await startReviewScene(bench);
    bench.answer(({ document }) => trueResult(document));
    const { id } = await read('52');
    const one = { document_id: id, prompt_revid: prompt.prompt_revid, path: 'total', version: 1, action: 'confirm' };
    const viewer = await bench.addUser('viewer', client.organizationId);
    expect((await viewer.post('./review/decide', { decisions: [one] })).status).toBe(403);
    expect((await client.post('./review/decide', { decisions: Array.from({ length: 201 }, () => one) })).status).toBe(
      422,
    );
    const stranger = await bench.addOrganization();
    expect(await decide(stranger, one as ReviewDecision)).toMatchObject([{ status: 'not_found' }]);
  });
});

describe('a review policy', () => {
  it('accepts values with a low risk, except in the sample, and verifies nothing', async () => {
    const { client, read, prompt } = await startReviewScene(bench);
    const revision = await client.put<Prompt>(`./prompts/${prompt.prompt_id}`, {
      review_policy: { confirm_below: 0.2, sample: 0.5 },
    });
    expect(revision.body).toMatchObject({
      prompt_version: 1,
      prompt_revid: prompt.prompt_revid,
      review_policy: { confirm_below: 0.2, sample: 0.5 },
    });
    bench.answer(({ document }) => ({ ...trueResult(document), total: 999 }));
    const documents = [];
    for (let text = 60; text < 66; text += 1) documents.push(await read(`${text}`));
    let open = 0;
    for (const { id, url } of documents) {
      const { review, is_verified } = (await client.get<Extraction>(url)).body;
      expect(is_verified).toBe(false);
      const states = new Set(Object.values(review!).map(({ state }) => state));
      expect(states).toEqual(new Set(isSampled(id, 0.5) ? ['open'] : ['open', 'accepted']));
      open += Object.values(review!).filter(({ state }) => state === 'open').length;
    }
    expect((await queueOf(client, 'all=true')).total_count).toBe(open);
    const { straight_through } = (await client.get<PromptAccuracy>(`./prompts/${prompt.prompt_id}/accuracy`)).body;
    expect(straight_through).toMatchObject({ accepted: 36 - open, share: (36 - open) / 36, sampled: 0 });
    expect((await client.put(`./prompts/${prompt.prompt_id}`, { review_policy: { confirm_below: 2 } })).status).toBe(
      422,
    );
    await client.put(`./prompts/${prompt.prompt_id}`, { review_policy: null });
    await settle(bench);
    expect((await queueOf(client, 'all=true')).total_count).toBe(36);
  });

  it('measures its errors on the sample', async () => {
    const { client, read, prompt } = await startReviewScene(
      bench,
      { review_policy: { confirm_below: 0.99, sample: 1 } },
      [],
    );
    expect(prompt.review_policy).toEqual({ confirm_below: 0.99, sample: 1 });
    bench.answer(({ document }) => ({ ...trueResult(document), number: 'Chain' }));
    const { id } = await read('70');
    const { items } = await queueOf(client);
    const about = { document_id: id, prompt_revid: prompt.prompt_revid, version: 1 };
    await decide(
      client,
      ...items.map(({ path }): ReviewDecision =>
        path === 'number'
          ? { ...about, path, action: 'correct', value: '70' }
          : { ...about, path, action: 'confirm', seen: true },
      ),
    );
    await settle(bench);
    const { straight_through } = (await client.get<PromptAccuracy>(`./prompts/${prompt.prompt_id}/accuracy`)).body;
    expect(straight_through).toEqual({ accepted: 0, share: 0, sampled: 6, sampled_wrong: 1 });
  });
});
