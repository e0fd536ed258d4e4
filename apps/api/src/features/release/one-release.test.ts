import type { EventFeed, Extraction, Prompt, ReleaseStatus, ResultPage } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEvaluationTestBench, trueResult, type EvaluationTestBench } from '../../testing/evaluation-test-bench.ts';
import { startReviewScene } from '../../testing/review-test-bench.ts';
import { removedResultModel } from '../extractions/index.ts';

let bench: EvaluationTestBench;
let scene: Awaited<ReturnType<typeof startReviewScene>>;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(async () => bench.stop());
beforeEach(async () => {
  scene = await startReviewScene(bench);
  bench.answer(({ document }) => trueResult(document));
});

const policy = { max_wrong: 0.3, confidence: 0.8, sample: 1 };
const judge = () => bench.services.releaseUpdater.work(new AbortController().signal);
const releaseOf = async (url: string) => (await scene.client.get<Extraction>(url)).body.release;
const promptPath = () => `./prompts/${scene.prompt.prompt_id}`;
const setPolicy = (release_policy: object) => scene.client.put(promptPath(), { release_policy });
const status = async () => (await scene.client.get<ReleaseStatus>(`${promptPath()}/release`)).body;
const verify = (url: string, base_version = 1) =>
  scene.client.put(`${url}/verification`, { is_verified: true, base_version, seen: true });

/** Extracts a document with a new revision of the prompt. */
async function readAgain(id: string): Promise<string> {
  const { prompt_revid } = (await scene.client.put<Prompt>(promptPath(), { content: 'Read it again.' })).body;
  scene.prompt.prompt_revid = prompt_revid;
  await scene.client.post(`./documents/${id}/extractions`, { prompt_revid });
  return `./documents/${id}/extractions/${prompt_revid}`;
}

async function audit(text: string, correction?: number): Promise<string> {
  const { id, url } = await scene.read(text);
  await judge();
  if (correction !== undefined) await scene.client.patch(url, { path: 'total', value: correction, base_version: 1 });
  await verify(url, correction === undefined ? 1 : 2);
  await judge();
  return id;
}

it('is not given again by a repeated call of an agent to what a user has withdrawn since', async () => {
  const { id, url } = await scene.read('50');
  const releases = bench.services.releases(scene.client.actor);
  const release = async () =>
    await releases.release(id, scene.prompt.prompt_revid, { version: 1 }, { call_id: `call of ${id}` });
  expect((await release()).release.state).toBe('released');
  await verify(url);
  await scene.client.put(`${url}/verification`, { is_verified: false, base_version: 1 });
  expect((await release()).release.state).toBe('withdrawn');
  await scene.client.patch(url, { path: 'total', value: 51, base_version: 1 });
  expect((await release()).version).toBe(2);
});

describe('a document with results of two revisions of a prompt', () => {
  it('has no released one beside a newer result, and its withdrawal is told before the release of that', async () => {
    const { id, url } = await scene.read('50');
    await scene.client.post(`${url}/release`, { version: 1 });
    const next = await readAgain(id);
    await scene.client.post(`${next}/release`, { version: 1 });
    expect(await releaseOf(url)).toMatchObject({ state: 'withdrawn', withdrawn: { because: 're_extracted' } });
    expect(await releaseOf(next)).toMatchObject({ state: 'released' });
    await judge();
    const { events } = (
      await scene.client.get<EventFeed>('./events?types=result.released,result.withdrawn&include=result')
    ).body;
    const told = events.map(({ type, data }) => [type, url.endsWith(String(data['prompt_revid'])) ? 'former' : 'next']);
    expect(told).toEqual([
      ['result.released', 'former'],
      ['result.withdrawn', 'former'],
      ['result.released', 'next'],
    ]);
    expect(events[0]!.data).not.toHaveProperty('result');
  });

  it('loses the release of the former one already by the extraction', async () => {
    const { id, url } = await scene.read('50');
    await scene.client.post(`${url}/release`, { version: 1 });
    const next = await readAgain(id);
    await judge();
    expect([(await releaseOf(url)).state, (await releaseOf(next)).state]).toEqual(['withdrawn', 'open']);
    // Who releases the former one after all decides.
    await scene.client.post(`${url}/release`, { version: 1 });
    await judge();
    expect((await releaseOf(url)).state).toBe('released');
  });

  it('keeps the values that a user has verified: a policy releases no others instead', async () => {
    const { id, url } = await scene.read('50');
    await verify(url);
    const { body } = await scene.client.put<Prompt>(promptPath(), { content: 'Read it all.' });
    scene.prompt.prompt_revid = body.prompt_revid;
    await setPolicy(policy);
    for (const text of ['60', '61', '62', '63', '64']) await audit(text);
    await setPolicy({ ...policy, sample: 0.001 });
    await scene.client.post(`./documents/${id}/extractions`, { prompt_revid: body.prompt_revid });
    await judge();
    expect((await status()).state).toBe('active');
    expect((await releaseOf(url)).state).toBe('released');
    expect(await releaseOf(`./documents/${id}/extractions/${body.prompt_revid}`)).toMatchObject({
      state: 'open',
      reasons: [{ code: 'needs_check' }],
    });
  });
});

it('does not leave the result of a replaced document released beside that of the later one', async () => {
  const [old, next] = [await scene.read('60'), await scene.read('70')];
  const documents = bench.connection.collection('documents');
  const [of, by] = [old, next].map(({ id }) => new mongoose.Types.ObjectId(id));
  await documents.updateOne({ _id: by! }, { $set: { replaces: of! } });
  await documents.updateOne({ _id: of! }, { $set: { replaced_by: by! } });
  await scene.client.post(`${next.url}/release`, { version: 1 });
  await judge();
  await verify(old.url);
  await judge();
  expect(await releaseOf(old.url)).toMatchObject({ state: 'withdrawn', withdrawn: { because: 'replaced' } });
  expect((await releaseOf(next.url)).state).toBe('released');
});

it('counts a wrong document of the audit also after it was removed for good', async () => {
  await setPolicy(policy);
  for (const text of ['60', '61', '62', '63']) await audit(text);
  const wrong = await audit('64', 999);
  await scene.client.delete(`./documents/${wrong}`);
  expect((await scene.client.delete(`./documents/trash/${wrong}`)).status).toBe(204);
  await audit('65');
  expect(await status()).toMatchObject({ state: 'collecting', audited: { documents: 6, wrong: 1 } });
  const evidence = bench.connection.collection('release_evidence');
  expect(await evidence.countDocuments({ document_id: new mongoose.Types.ObjectId(wrong) })).toBe(0);
});

describe('a list of released results', () => {
  const listed = async (query: string) =>
    (await scene.client.get<ResultPage>(`${promptPath()}/results?${query}`)).body.rows.map(
      ({ document_id }) => document_id,
    );
  const released = async (text: string) => {
    const { id, url } = await scene.read(text);
    await scene.client.post(`${url}/release`, { version: 1 });
    return { id, url };
  };

  it('has none that was in the trash meanwhile', async () => {
    const { id } = await released('50');
    expect(await listed('release=released')).toEqual([id]);
    await scene.client.delete(`./documents/${id}`);
    await scene.client.post(`./documents/${id}/restore`);
    expect(await listed('release=released')).toEqual([]);
  });

  it('has none that was withdrawn, also while the index lags', async () => {
    const results = [await released('50'), await released('51')];
    expect(await listed('release=released')).toHaveLength(2);
    const organization_id = new mongoose.Types.ObjectId(scene.client.organizationId);
    const { prompt_id } = scene.prompt;
    const removed = () => ({ organization_id, prompt_id, document_id: new mongoose.Types.ObjectId() });
    // More than one request adds to the index.
    await removedResultModel(bench.connection).insertMany(Array.from({ length: 200 }, removed));
    for (const { url } of results) await scene.client.patch(url, { path: 'total', value: 1, base_version: 1 });
    expect(await listed('release=released')).toEqual([]);
    expect(await listed('where=release%3Dreleased')).toEqual([]);
  });
});
