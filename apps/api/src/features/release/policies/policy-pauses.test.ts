import type { Extraction, Prompt, ReleaseStatus, ReleaseSuspect } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  startEvaluationTestBench,
  trueResult,
  type EvaluationTestBench,
} from '../../../testing/evaluation-test-bench.ts';
import { startReviewScene } from '../../../testing/review-test-bench.ts';
import { extractionModel } from '../../extractions/index.ts';
import { evidenceModel, policyModel } from './policy-model.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(async () => bench.stop());

const judge = () => bench.services.releaseUpdater.work(new AbortController().signal);
const idOf = (text: string) => new mongoose.Types.ObjectId(text);

/** A policy that five audited documents have made active. */
async function startActive(policy: object = {}) {
  const scene = await startReviewScene(bench);
  const { client, prompt } = scene;
  bench.answer(({ document }) => trueResult(document));
  const path = `./prompts/${prompt.prompt_id}`;
  const status = async () => (await client.get<ReleaseStatus>(`${path}/release`)).body;
  const setPolicy = (changed: object) =>
    client.put<Prompt>(path, {
      release_policy: { max_wrong: 0.3, confidence: 0.8, sample: 1, ...policy, ...changed },
    });
  const audit = async (text: string) => {
    const { url } = await scene.read(text);
    await judge();
    await client.put(`${url}/verification`, { is_verified: true, base_version: 1, seen: true });
    await judge();
  };
  await setPolicy({});
  for (const text of ['50', '51', '52', '53', '54']) await audit(text);
  await setPolicy({ sample: 0.001 });
  await judge();
  const releaseOf = async (url: string) => (await client.get<Extraction>(url)).body.release;
  return { scene, path, status, setPolicy, audit, releaseOf };
}

it('pauses when the risk of documents drifts, names what was released since, and begins again from later documents', async () => {
  const { scene, path, status, setPolicy, audit, releaseOf } = await startActive();
  expect((await status()).state).toBe('active');
  const organization_id = idOf(scene.client.organizationId);
  const { prompt_id, prompt_revid } = scene.prompt;
  const start = Date.now() - 1_000_000;
  const evidenceAt = (at: number, risk: number) => ({
    organization_id,
    prompt_id,
    document_id: new mongoose.Types.ObjectId(),
    prompt_revid,
    version: 1,
    risk,
    values: 5,
    is_blocked: false,
    is_drawn: false,
    at: new Date(start + at * 1_000),
  });
  // Spread so far that one more document, of any risk that is released, is no drift.
  const steady = Array.from({ length: 200 }, (_, at) => evidenceAt(at, 0.01 + (at % 9) / 100));
  await evidenceModel(bench.connection).insertMany(steady);
  await setPolicy({ sample: 0.0011 });
  expect(await status()).toMatchObject({ state: 'active' });
  const limits = async () => (await policyModel(bench.connection).findOne({ prompt_id }).lean())?.drift_limits;
  expect(await limits()).toMatchObject({ documents: 205 });

  const released = await scene.read('60');
  await judge();
  expect(await releaseOf(released.url)).toMatchObject({ state: 'released', by: 'policy' });
  const risky = Array.from({ length: 50 }, (_, at) => evidenceAt(300 + at, 0.2 + (at % 7) / 1_000));
  await evidenceModel(bench.connection).insertMany(risky);
  await setPolicy({ sample: 0.0012 });
  expect(await status()).toMatchObject({ state: 'paused', paused_because: 'drift', threshold: null, bound: 1 });
  expect(await limits()).toBeUndefined();
  const { body } = await scene.client.get<{ suspects: ReleaseSuspect[] }>(`${path}/release/suspects`);
  expect(body.suspects.map(({ document_id }) => document_id)).toContain(released.id);
  expect(new Set(body.suspects.map(({ because }) => because))).toEqual(new Set(['drift']));
  const held = await scene.read('61');
  await judge();
  expect(await releaseOf(held.url)).toMatchObject({ state: 'open', reasons: [{ code: 'not_enough_evidence' }] });

  await setPolicy({ sample: 1 });
  for (const text of ['70', '71', '72', '73', '74']) await audit(text);
  expect(await status()).toMatchObject({ state: 'active', audited: { documents: 5 } });
});

it('pauses when another model answers, and counts documents since then alone', async () => {
  const { scene, status, releaseOf } = await startActive();
  const other = await scene.read('60');
  await extractionModel(bench.connection).updateOne({ document_id: idOf(other.id) }, { $set: { model: 'another' } });
  await judge();
  expect(await status()).toMatchObject({
    state: 'paused',
    paused_because: 'other_model',
    audited: { documents: 0 },
    needed: { documents: 5 },
  });
  // Of the smallest share, one document in a thousand is drawn for the audit, which is a reason more.
  const reason = expect.objectContaining({ code: 'not_enough_evidence' });
  expect((await releaseOf(other.url))?.reasons).toEqual(expect.arrayContaining([reason]));
});

it('with checks_only releases whatever its risk, and nothing that fails a check', async () => {
  const { scene, status, releaseOf } = await startActive({ checks_only: true });
  expect(await status()).toMatchObject({ state: 'active', policy: { checks_only: true } });
  const fits = await scene.read('60');
  // A threshold would hold back every document with an open value.
  await policyModel(bench.connection).updateOne({ prompt_id: scene.prompt.prompt_id }, { $set: { threshold: 0 } });
  await judge();
  expect(await releaseOf(fits.url)).toMatchObject({ state: 'released', by: 'policy' });
  bench.answer(({ document }) => ({ ...trueResult(document), total: 999 }));
  const failing = await scene.read('61');
  await judge();
  expect(await releaseOf(failing.url)).toMatchObject({ state: 'open', reasons: [{ code: 'check_failed' }] });
});

it('releases no result of a document whose file has changed, unless a user does or the file is as before', async () => {
  const { scene, releaseOf } = await startActive();
  const replacedBy = (documentId: string, replaced_by: mongoose.Types.ObjectId | null) =>
    bench.connection.collection('documents').updateOne({ _id: idOf(documentId) }, { $set: { replaced_by } });
  const read = async (text: number): Promise<{ id: string; url: string }> => {
    const result = await scene.read(String(text));
    await replacedBy(result.id, new mongoose.Types.ObjectId());
    await judge();
    const release = await releaseOf(result.url);
    // One document in a thousand is drawn for the audit, and waits for that.
    if (release?.reasons?.some(({ code }) => code === 'sampled')) return await read(text + 2);
    expect(release).toMatchObject({ state: 'open', reasons: [{ code: 'replaced' }] });
    return result;
  };
  const [former, other] = [await read(60), await read(61)];
  expect((await scene.client.post(`${former.url}/release`, { version: 1 })).status).toBe(200);
  expect(await releaseOf(former.url)).toMatchObject({ state: 'released', by: 'user' });
  await replacedBy(other.id, null);
  await bench.services.rejudging.ofDocument(scene.client.organizationId, other.id);
  await judge();
  expect(await releaseOf(other.url)).toMatchObject({ state: 'released', by: 'policy' });
});

it('releases nothing more of a batch that is being judged once its policy is switched off', async () => {
  const { scene, path, releaseOf } = await startActive();
  const results = [await scene.read('60'), await scene.read('61'), await scene.read('62')];
  const extractions = extractionModel(bench.connection);
  const update = extractions.updateOne.bind(extractions);
  const switchedOff = vi.spyOn(extractions, 'updateOne').mockImplementationOnce((async (...given: never[]) => {
    await scene.client.put(path, { release_policy: null });
    return await (update as (...all: never[]) => unknown)(...given);
  }) as never);
  await judge();
  switchedOff.mockRestore();
  const states = await Promise.all(results.map(async ({ url }) => (await releaseOf(url))?.state));
  expect(states.filter((state) => state === 'released').length).toBeLessThanOrEqual(1);
  expect(await releaseOf(results[2]!.url)).toMatchObject({ state: 'open', reasons: [{ code: 'policy_off' }] });
});
