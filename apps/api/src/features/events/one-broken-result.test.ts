import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import mongoose from 'mongoose';
import { extractionModel } from '../extractions/index.ts';
import { features } from '../../process/features.ts';
import { startEvaluationTestBench, type EvaluationTestBench } from '../../testing/evaluation-test-bench.ts';
import { startReviewScene } from '../../testing/review-test-bench.ts';

// A busy machine needs more time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
  bench.answer(({ document }) => ({ invoice_number: '1', total: Number(document), lines: [] }));
});
afterAll(() => bench.stop());

it('one result that cannot be read stops the events, the review queue and the index of no other result', async () => {
  const broken = await startReviewScene(bench);
  const { id } = await broken.read('7');
  await extractionModel(bench.connection).collection.updateOne(
    { document_id: new mongoose.Types.ObjectId(id) },
    { $set: { issues: 'no list' } },
  );
  const sound = await startReviewScene(bench);
  const ids = [(await broken.read('8')).id, (await sound.read('9')).id];
  for (const name of ['announce results', 'update review queue', 'index results', 'publish events']) {
    await features
      .jobs(bench.services)
      .find((job) => job.name === name)!
      .run(new AbortController().signal);
  }
  for (const [at, { client, prompt }] of [broken, sound].entries()) {
    const events = await client.get<{ events: { data: object }[] }>(
      './events?types=extraction.completed,extraction.incomplete',
    );
    expect(events.body.events.map(({ data }) => data)).toMatchObject([{ document_id: ids[at] }]);
    const results = await client.get(`./prompts/${prompt.prompt_id}/results`);
    expect(results.body).toMatchObject({ rows: [{ document_id: ids[at] }] });
    expect((await client.get('./review')).body).toMatchObject({ total_count: 2 });
  }
});
