import type { Evaluation } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createVerifiedDocuments,
  runEvaluation,
  startEvaluationTestBench,
  trueResult,
  type EvaluationTestBench,
} from '../../../testing/evaluation-test-bench.ts';
import { policyModel } from '../../release/policies/policy-model.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(() => bench.stop());

type Verified = Awaited<ReturnType<typeof createVerifiedDocuments>>;

async function measure({ client, prompt }: Verified, content: string): Promise<Evaluation['release']> {
  return (await runEvaluation(bench, client, { prompt_id: prompt.prompt_id, content })).release;
}

async function setPolicy({ client, prompt }: Verified, policy: object, active: object): Promise<void> {
  await client.put(`./prompts/${prompt.prompt_id}`, { release_policy: policy });
  await client.get(`./prompts/${prompt.prompt_id}/release`);
  const own = { organization_id: new mongoose.Types.ObjectId(client.organizationId), prompt_id: prompt.prompt_id };
  await policyModel(bench.connection).updateOne(own, { $set: { state: 'active', ...active } });
}

it('says which share of the documents the release policy would release, before and after the change', async () => {
  const verified = await createVerifiedDocuments(bench, 4);
  bench.answer(({ document }) => ({ ...trueResult(document), ...(document === '102' && { total: 'a lot' }) }));
  expect(await measure(verified, 'Read it without a policy.')).toBeUndefined();
  await setPolicy(verified, { max_wrong: 0.3, checks_only: true }, { threshold: 1 });
  // One in four violates the schema after the change.
  expect(await measure(verified, 'Read it by checks.')).toEqual({ share_before: 1, share_after: 0.75 });
  await setPolicy(verified, { max_wrong: 0.3 }, { threshold: 1 });
  expect(await measure(verified, 'Read it by risk.')).toEqual({ share_before: 1, share_after: 0.75 });
  await setPolicy(verified, { max_wrong: 0.29 }, { threshold: 0 });
  expect(await measure(verified, 'Read it at no risk.')).toEqual({ share_before: 0, share_after: 0 });
  await setPolicy(verified, { max_wrong: 0.28 }, { state: 'collecting', threshold: null });
  expect(await measure(verified, 'Read it while collecting.')).toBeUndefined();
});
