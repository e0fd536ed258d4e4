import type { Document, Extraction, ReviewQueue } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEvaluationTestBench, trueResult, type EvaluationTestBench } from '../../testing/evaluation-test-bench.ts';
import { startReviewScene } from '../../testing/review-test-bench.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(async () => bench.stop());

it('lists all values of a drawn document in Review, and counts those to check as everywhere', async () => {
  const scene = await startReviewScene(bench);
  bench.answer(({ document }) => trueResult(document));
  const release_policy = { max_wrong: 0.3, confidence: 0.8, sample: 1 };
  await scene.client.put(`./prompts/${scene.prompt.prompt_id}`, { release_policy });
  const { id, url } = await scene.read('50');
  await bench.services.releaseUpdater.work(new AbortController().signal);
  await bench.services.queueUpdater.work(new AbortController().signal);
  const { review } = (await scene.client.get<Extraction>(url)).body;
  const values = Object.values(review!);
  const toCheck = values.filter(({ to_check }) => to_check).length;
  const queue = (await scene.client.get<ReviewQueue>('./review?lease=false')).body;
  expect(queue).toMatchObject({ documents: 1, values: toCheck, to_audit: values.length - toCheck });
  expect(queue.to_audit).toBeGreaterThan(0);
  expect(queue.items).toHaveLength(values.length);
  expect(queue.items.filter(({ audit }) => audit)).toHaveLength(queue.to_audit);
  expect((await scene.client.get<Document>(`./documents/${id}`)).body.results?.to_check).toBe(toCheck);
});
