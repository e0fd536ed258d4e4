import type { Document, Extraction, Prompt, PromptAccuracy, ResultPage, ReviewDecision } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEvaluationTestBench, trueResult, type EvaluationTestBench } from '../../testing/evaluation-test-bench.ts';
import { decide, queueOf, settle, startReviewScene } from '../../testing/review-test-bench.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(async () => bench.stop());

const pathsWith = (extraction: Extraction, confirmed: 'seen' | 'unseen') =>
  Object.entries(extraction.review!).flatMap(([path, review]) => (review.confirmed === confirmed ? [path] : []));

describe('a value is to check', () => {
  it('if it has a reason or a high risk: the result, the queue and the proposal count the same values', async () => {
    const { client, read } = await startReviewScene(bench);
    bench.answer(({ document }) => ({ ...trueResult(document), total: 999 }));
    const { url, id } = await read('80');
    const { review } = (await client.get<Extraction>(url)).body;
    const toCheck = Object.entries(review!).flatMap(([path, each]) => (each.to_check ? [path] : []));
    expect(toCheck.toSorted()).toEqual(['lines.0.amount', 'lines.1.amount', 'total']);
    const queue = await queueOf(client, `document_id=${id}`);
    expect(queue.items.map(({ path }) => path).toSorted()).toEqual(toCheck.toSorted());
    expect(queue).toMatchObject({ values: 3, total_count: 3, documents: 1 });
    const { body: listed } = await client.get<{ documents: Document[] }>('./documents');
    expect(listed.documents[0]?.results).toEqual({ to_check: 3, is_verified: false });
    const all = await queueOf(client, `document_id=${id}&all=true`);
    expect(all).toMatchObject({ values: 6, total_count: 6 });
    expect(
      all.items
        .filter(({ to_check }) => to_check)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(toCheck.toSorted());
  });

  it('on every list of documents and results alike, also after a decision about one of them', async () => {
    const { client, read, prompt } = await startReviewScene(bench);
    bench.answer(({ document }) => ({ ...trueResult(document), total: 999 }));
    const { id, url } = await read('83');
    const counts = async () => {
      const { review } = (await client.get<Extraction>(url)).body;
      const { documents } = (await client.get<{ documents: Document[] }>('./documents?stage=needs_you')).body;
      const { rows } = (await client.get<ResultPage>(`./prompts/${prompt.prompt_id}/results`)).body;
      return {
        extraction: Object.values(review!).filter(({ to_check, state }) => to_check && state === 'open').length,
        review: (await queueOf(client)).values,
        document: (await client.get<Document>(`./documents/${id}`)).body.results?.to_check,
        list: documents.map(({ results: of }) => of?.to_check),
        results: rows.map(({ to_check }) => to_check),
      };
    };
    const alike = (count: number) => ({
      extraction: count,
      review: count,
      document: count,
      list: [count],
      results: [count],
    });
    await expect.poll(counts).toEqual(alike(3));
    const { version, prompt_revid } = (await client.get<Extraction>(url)).body;
    await decide(client, { document_id: id, prompt_revid, path: 'total', version, action: 'confirm', seen: true });
    await expect.poll(counts).toEqual(alike(2));
  });

  it('above the risk of the prompt’s policy, and in every sampled document', async () => {
    const { client, read } = await startReviewScene(bench, { review_policy: { confirm_below: 0.0001, sample: 0 } }, []);
    bench.answer(({ document }) => trueResult(document));
    const { url } = await read('81');
    const risks = Object.values((await client.get<Extraction>(url)).body.review!);
    expect(risks.every(({ to_check, risk }) => to_check === risk >= 0.01)).toBe(true);
    expect(risks.some(({ to_check }) => to_check)).toBe(true);
    const sampled = await startReviewScene(bench, { review_policy: { confirm_below: 0.9, sample: 1 } }, []);
    await sampled.read('82');
    expect(await queueOf(sampled.client)).toMatchObject({ values: 6 });
  });
});

it(
  'flags an empty value whose label is on the page, and one that verified results usually have',
  { timeout: 60_000 },
  async () => {
    const { client, read } = await startReviewScene(bench, {}, []);
    bench.answer(({ document }) => ({ ...trueResult(document), total: null }));
    // The page says “value 84 …”, and no “total”.
    const before = await read('84');
    expect((await client.get<Extraction>(before.url)).body.review!['total']!.reasons).toEqual([]);
    bench.answer(({ document }) => trueResult(document));
    for (let text = 300; text < 306; text += 1) {
      const { url } = await read(`${text}`);
      await client.put(`${url}/verification`, { is_verified: true, seen: true });
    }
    await settle(bench);
    const { review } = (await client.get<Extraction>(before.url)).body;
    expect(review!['total']).toMatchObject({ reasons: ['expected_but_missing'], to_check: true });
  },
);

describe('a verification', () => {
  it('marks values that nobody saw, and neither measures nor calibrates with them', { timeout: 60_000 }, async () => {
    const { client, read, prompt } = await startReviewScene(bench);
    bench.answer(({ document }) => ({ ...trueResult(document), total: 999 }));
    for (let text = 200; text < 210; text += 1) {
      const { url } = await read(`${text}`);
      await client.put(`${url}/verification`, { is_verified: true });
      const { body } = await client.get<Extraction>(url);
      expect(pathsWith(body, 'unseen')).toHaveLength(6);
    }
    await settle(bench);
    const { url } = await read('210');
    const { calibration, review } = (await client.get<Extraction>(url)).body;
    expect(calibration).toBeNull();
    expect(review!['total']).toMatchObject({ to_check: true, reasons: ['not_found', 'check_failed'] });
    const accuracy = (await client.get<PromptAccuracy>(`./prompts/${prompt.prompt_id}/accuracy`)).body;
    expect(accuracy.overall).toEqual({
      documents_verified: 0,
      values: 0,
      unseen: 60,
      correct: 0,
      accuracy: null,
      untouched: 0,
    });
  });

  it('keeps what was decided or shown as seen, also when it is repeated', async () => {
    const { client, read, prompt } = await startReviewScene(bench);
    bench.answer(({ document }) => ({ ...trueResult(document), total: 999 }));
    const { id, url } = await read('83');
    const about = { document_id: id, prompt_revid: prompt.prompt_revid, version: 1, action: 'confirm' } as const;
    await decide(client, { ...about, path: 'total', seen: true }, {
      ...about,
      path: 'lines.0.amount',
    } satisfies ReviewDecision);
    await client.put(`${url}/verification`, { is_verified: true, seen_paths: ['number'] });
    const seen = pathsWith((await client.get<Extraction>(url)).body, 'seen');
    expect(seen.toSorted()).toEqual(['number', 'total']);
    await client.put(`${url}/verification`, { is_verified: true });
    expect(pathsWith((await client.get<Extraction>(url)).body, 'seen').toSorted()).toEqual(['number', 'total']);
    const { overall } = (await client.get<PromptAccuracy>(`./prompts/${prompt.prompt_id}/accuracy`)).body;
    expect(overall).toMatchObject({ documents_verified: 1, values: 2, unseen: 4, correct: 2 });
    await client.put(`${url}/verification`, { is_verified: true, seen: true });
    expect(pathsWith((await client.get<Extraction>(url)).body, 'unseen')).toEqual([]);
    await client.put(`${url}/verification`, { is_verified: false });
    const open = (await client.get<Extraction>(url)).body;
    expect(Object.values(open.review!).every(({ state }) => state === 'open')).toBe(true);
  });
});

it('a newer run that agrees with what a user has verified asks nothing; where it differs, it asks about that value alone', async () => {
  const { client, read, prompt } = await startReviewScene(bench);
  bench.answer(({ document }) => ({ ...trueResult(document), total: 999 }));
  const { id, url } = await read('85');
  const paths = Object.keys((await client.get<Extraction>(url)).body.review!);
  // Nobody has looked at the number of the first row.
  const seen_paths = paths.filter((path) => path !== 'lines.0.amount');
  await client.put(`${url}/verification`, { is_verified: true, seen_paths });
  const runAgain = async (content: string) => {
    const next = (await client.put<Prompt>(`./prompts/${prompt.prompt_id}`, { content })).body;
    const again = { prompt_revid: next.prompt_revid };
    const { review } = (await client.post<Extraction>(`./documents/${id}/extractions`, again)).body;
    return Object.entries(review!).flatMap(([path, each]) => (each.to_check ? [path] : []));
  };
  expect(await runAgain('Read well.')).toEqual(['lines.0.amount']);
  expect((await queueOf(client, `document_id=${id}`)).items.map(({ path }) => path)).toEqual(['lines.0.amount']);
  bench.answer(({ document }) => ({ ...trueResult(document), total: 998 }));
  expect((await runAgain('Read very well.')).toSorted()).toEqual(['lines.0.amount', 'total']);
});
