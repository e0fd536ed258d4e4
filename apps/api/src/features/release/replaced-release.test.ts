import type { Extraction } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEvaluationTestBench, trueResult, type EvaluationTestBench } from '../../testing/evaluation-test-bench.ts';
import { startReviewScene } from '../../testing/review-test-bench.ts';
import { releaseEventModel } from '../extractions/index.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(async () => bench.stop());

const judge = () => bench.services.releaseUpdater.work(new AbortController().signal);

it('withdraws the results of former versions of a file once those of the new version are released', async () => {
  const scene = await startReviewScene(bench);
  bench.answer(({ document }) => trueResult(document));
  const releaseOf = async (url: string) => (await scene.client.get<Extraction>(url)).body.release;
  const [oldest, old, next] = [await scene.read('50'), await scene.read('60'), await scene.read('70')];
  const documents = bench.connection.collection('documents');
  for (const [former, later] of [
    [oldest, old],
    [old, next],
  ] as const) {
    const [of, by] = [former, later].map(({ id }) => new mongoose.Types.ObjectId(id));
    await documents.updateOne({ _id: by! }, { $set: { replaces: of! } });
    await documents.updateOne({ _id: of! }, { $set: { replaced_by: by! } });
  }
  // The middle version was never released: the oldest one counts until the newest does.
  await scene.client.post(`${oldest.url}/release`, { version: 1 });
  await judge();
  expect(await releaseOf(oldest.url)).toMatchObject({ state: 'released' });
  await scene.client.post(`${next.url}/release`, { version: 1 });
  expect(await releaseOf(oldest.url)).toMatchObject({
    state: 'withdrawn',
    withdrawn: { version: 1, because: 'replaced' },
  });
  await judge();
  const told = await releaseEventModel(bench.connection)
    .find({ document_id: new mongoose.Types.ObjectId(oldest.id) })
    .sort({ at: 1 })
    .lean();
  expect(told.map(({ type }) => type)).toEqual(['result.released', 'result.withdrawn']);
  expect(await releaseOf(old.url)).toMatchObject({ state: 'open' });
  expect(await releaseOf(next.url)).toMatchObject({ state: 'released' });
});
