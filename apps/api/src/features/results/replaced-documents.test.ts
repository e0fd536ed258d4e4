import type {
  FoundPlace,
  MatchingDocuments,
  Prompt,
  PromptAccuracy,
  ResultPage,
  ResultSummary,
  SchemaUse,
} from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEvaluationTestBench, trueResult, type EvaluationTestBench } from '../../testing/evaluation-test-bench.ts';
import { queueOf, settle, startReviewScene } from '../../testing/review-test-bench.ts';
import { createVerifiedResultRepositories } from '../extractions/index.ts';

const { ObjectId } = mongoose.Types;

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(async () => bench.stop());

it('lists and figures of results count the newer version of a document alone, unless the other is asked for', async () => {
  const review_policy = { confirm_below: 0.05, sample: 0 };
  const { client, schema, prompt, read } = await startReviewScene(bench, { review_policy });
  bench.answer(({ document }) => ({ ...trueResult(document), number: 'not on the page' }));
  const [former, next] = [await read('50'), await read('60')];
  for (const { url } of [former, next]) await client.put(`${url}/verification`, { is_verified: true, seen: true });
  // What nobody has verified is in Review.
  const body = { name: 'Second', content: 'Read.', schema_id: schema.schema_id, review_policy };
  const { body: second } = await client.post<Prompt>('./prompts', body);
  const { prompt_revid } = second;
  for (const { id } of [former, next]) await client.post(`./documents/${id}/extractions`, { prompt_revid });

  const get = async <Answer>(path: string) => (await client.get<Answer>(path)).body;
  const results = `./prompts/${prompt.prompt_id}/results`;
  const rows = async (more = '') =>
    (await get<ResultPage>(`${results}?${more}`)).rows.map(({ document_id }) => document_id);
  const truth = createVerifiedResultRepositories(bench.connection)(client.organizationId);
  async function figures() {
    await settle(bench);
    const { totals } = await get<ResultSummary>(`${results}/summary?sum=total`);
    const csv = await client.request('GET', results, { headers: { accept: 'text/csv' } });
    const { overall } = await get<PromptAccuracy>(`./prompts/${prompt.prompt_id}/accuracy`);
    const { straight_through } = await get<PromptAccuracy>(`./prompts/${second.prompt_id}/accuracy`);
    const { prompts } = await get<SchemaUse>(`./schemas/${schema.schema_id}/use`);
    const use = prompts.find(({ prompt_id }) => prompt_id === prompt.prompt_id)!;
    const run = (await client.post<MatchingDocuments>('./runs/matching', { filter: {} })).body;
    const found = (await get<{ places: FoundPlace[] }>('./find?q=chain')).places;
    return {
      rows: (await rows()).length,
      sum: totals[0]?.sum,
      exported: csv.text.trim().split('\n').length - 1,
      verified: overall.documents_verified,
      accepted: straight_through.accepted,
      used: use.documents,
      usedAndVerified: use.documents_verified,
      truth: (await truth.truth(prompt.prompt_id)).length,
      toCheck: (await queueOf(client)).documents,
      found: new Set(found.map(({ document_id }) => document_id)).size,
      run: run.matched,
    };
  }
  const both = await figures();
  const { sum, accepted } = both;
  expect(sum).toBe(110);
  expect(accepted).toBeGreaterThan(0);
  const two = {
    rows: 2,
    exported: 2,
    verified: 2,
    used: 2,
    usedAndVerified: 2,
    truth: 2,
    toCheck: 2,
    found: 2,
    run: 2,
  };
  expect(both).toMatchObject(two);

  const documents = bench.connection.collection('documents');
  const replaced = { replaced_by: new ObjectId(next.id), replaced_in: new ObjectId(client.organizationId) };
  await documents.updateOne({ _id: new ObjectId(former.id) }, { $set: replaced });
  const newer = await figures();
  const one = Object.fromEntries(Object.keys(two).map((name) => [name, 1]));
  expect(newer).toEqual({ ...one, sum: 60, accepted: accepted / 2 });
  expect(await rows()).toEqual([next.id]);
  for (const asked of ['include_replaced=true', `document_ids=${former.id},${next.id}`]) {
    expect((await rows(asked)).toSorted()).toEqual([former.id, next.id].toSorted());
  }
  expect((await queueOf(client, `document_id=${former.id}`)).documents).toBe(1);
});
