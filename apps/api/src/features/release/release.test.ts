import type { Document, Extraction, Prompt, ReleaseStatus, ReleaseSuspect } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEvaluationTestBench, trueResult, type EvaluationTestBench } from '../../testing/evaluation-test-bench.ts';
import mongoose from 'mongoose';
import { queueOf, startReviewScene } from '../../testing/review-test-bench.ts';
import { releaseEventModel } from '../extractions/index.ts';
import { evidenceModel } from './policies/policy-model.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(async () => bench.stop());

type Scene = Awaited<ReturnType<typeof startReviewScene>>;

const judge = () => bench.services.releaseUpdater.work(new AbortController().signal);
const releaseOf = async ({ client }: Scene, url: string) => (await client.get<Extraction>(url)).body.release;
const eventsOf = async (documentId: string) => {
  const events = await releaseEventModel(bench.connection).find().sort({ at: 1 }).lean();
  return events
    .filter(({ document_id }) => document_id.toHexString() === documentId)
    .map(({ type, version }) => `${type} ${version}`);
};

describe('a user', () => {
  it('releases a version once, and a change of it withdraws it in the same write', async () => {
    const scene = await startReviewScene(bench);
    const { client, read } = scene;
    bench.answer(({ document }) => trueResult(document));
    const { id, url } = await read('50');
    await judge();
    expect(await releaseOf(scene, url)).toEqual({ state: 'open', version: 1, reasons: [{ code: 'policy_off' }] });
    expect((await client.post(`${url}/release`, { version: 2 })).status).toBe(409);
    const { body } = await client.post<Extraction>(`${url}/release`, { version: 1 });
    expect(body.release).toMatchObject({ state: 'released', by: 'user', version: 1, user_id: expect.any(String) });
    expect((await client.post<Extraction>(`${url}/release`, { version: 1 })).body.release).toEqual(body.release);
    await client.patch(url, { path: 'total', value: 51, base_version: 1 });
    expect(await releaseOf(scene, url)).toMatchObject({
      state: 'withdrawn',
      version: 2,
      withdrawn: { version: 1, because: 'edited' },
    });
    const former = await client.get<Extraction>(`${url}/versions/1`);
    expect(former.body.release).toMatchObject({ state: 'withdrawn', withdrawn: { version: 1, because: 'edited' } });
    await judge();
    expect(await releaseOf(scene, url)).toMatchObject({ state: 'open', withdrawn: { version: 1 } });
    expect(await eventsOf(id)).toEqual(['result.released 1', 'result.withdrawn 1']);
  });

  it('releases a result by verifying it, and withdraws it by taking that back', async () => {
    const scene = await startReviewScene(bench);
    bench.answer(({ document }) => trueResult(document));
    const { id, url } = await scene.read('50');
    await scene.client.put(`${url}/verification`, { is_verified: true, base_version: 1, seen: true });
    expect(await releaseOf(scene, url)).toMatchObject({ state: 'released', by: 'user' });
    await scene.client.put(`${url}/verification`, { is_verified: false, base_version: 1 });
    expect(await releaseOf(scene, url)).toMatchObject({ state: 'withdrawn', withdrawn: { because: 'found_wrong' } });
    await judge();
    expect(await releaseOf(scene, url)).toMatchObject({ state: 'withdrawn' });
    expect(await eventsOf(id)).toEqual(['result.released 1', 'result.withdrawn 1']);
  });

  it('sees the verified and released result as the document’s, also after a newer run', async () => {
    const { client, prompt, read } = await startReviewScene(bench);
    bench.answer(({ document }) => trueResult(document));
    const { id, url } = await read('52');
    await client.put(`${url}/verification`, { is_verified: true, base_version: 1, seen: true });
    const { body: next } = await client.put<Prompt>(`./prompts/${prompt.prompt_id}`, { content: 'Read it again.' });
    await client.post(`./documents/${id}/extractions`, { prompt_revid: next.prompt_revid });
    await judge();
    const { releases } = (await client.get<Document>(`./documents/${id}`)).body;
    expect(releases).toMatchObject([{ state: 'released', prompt_revid: prompt.prompt_revid }]);
  });

  it('cannot release what fails a check, unless as an admin with a reason', async () => {
    const scene = await startReviewScene(bench);
    bench.answer(({ document }) => ({ ...trueResult(document), total: 999 }));
    const { url } = await scene.read('50');
    const refused = await scene.client.post<{ error: object }>(`${url}/release`, { version: 1 });
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: 'release_blocked', details: { reasons: [{ code: 'check_failed' }] } } },
    });
    const overruled = { version: 1, override: 'A credit note.' };
    const member = await bench.addUser('member', scene.client.organizationId);
    expect(await member.post(`${url}/release`, overruled)).toMatchObject({
      status: 403,
      body: { error: { code: 'admin_required' } },
    });
    const { body } = await scene.client.post<Extraction>(`${url}/release`, overruled);
    expect(body.release.state).toBe('released');
    const audit = await scene.client.get<{ entries: object[] }>('./audit?tool=release_result');
    expect(audit.body.entries).toMatchObject([
      { kind: 'executed', arguments: expect.stringContaining('"override":"A credit note."') },
    ]);
  });

  it('withdraws a result with its document, which stays so after the document is restored', async () => {
    const scene = await startReviewScene(bench);
    bench.answer(({ document }) => trueResult(document));
    const { id, url } = await scene.read('50');
    await scene.client.post(`${url}/release`, { version: 1 });
    await scene.client.delete(`./documents/${id}`);
    await judge();
    await scene.client.post(`./documents/${id}/restore`);
    await judge();
    expect(await releaseOf(scene, url)).toMatchObject({ state: 'withdrawn', withdrawn: { because: 'trashed' } });
    await scene.client.post(`${url}/release`, { version: 1 });
    expect(await eventsOf(id)).toEqual(['result.released 1', 'result.withdrawn 1', 'result.released 1']);
  });

  it('finds documents by the release of their results', async () => {
    const scene = await startReviewScene(bench);
    bench.answer(({ document }) => trueResult(document));
    const [first] = [await scene.read('50'), await scene.read('60')];
    await scene.client.post(`${first.url}/release`, { version: 1 });
    await judge();
    const listed = await scene.client.get<{ documents: Document[] }>('./documents?release=released');
    expect(listed.body.documents).toMatchObject([
      { id: first.id, releases: [{ state: 'released', version: 1, prompt_id: scene.prompt.prompt_id }] },
    ]);
  });
});

describe('a policy', () => {
  // 0.7^5 < 0.2: five audited documents without an error prove it.
  const policy = { max_wrong: 0.3, confidence: 0.8, sample: 1 };

  async function startPolicy() {
    const scene = await startReviewScene(bench);
    const { client, prompt } = scene;
    bench.answer(({ document }) => trueResult(document));
    const status = async () => (await client.get<ReleaseStatus>(`./prompts/${prompt.prompt_id}/release`)).body;
    const setPolicy = (release_policy: object | null) =>
      client.put<Prompt>(`./prompts/${prompt.prompt_id}`, { release_policy });
    return { scene, status, setPolicy };
  }

  async function audit({ scene }: Awaited<ReturnType<typeof startPolicy>>, text: string, correction?: number) {
    const { url } = await scene.read(text);
    await judge();
    if (correction !== undefined) await scene.client.patch(url, { path: 'total', value: correction, base_version: 1 });
    const version = correction === undefined ? 1 : 2;
    await scene.client.put(`${url}/verification`, { is_verified: true, base_version: version, seen: true });
    await judge();
    return url;
  }

  it('audits its sample, then releases what is at or below its threshold', async () => {
    const started = await startPolicy();
    const { scene, status, setPolicy } = started;
    const earlier = await scene.read('40');
    const changed = await setPolicy(policy);
    expect(changed.body).toMatchObject({
      prompt_revid: scene.prompt.prompt_revid,
      release_policy: { ...policy, unit: 'document' },
    });
    await judge();
    expect(await releaseOf(scene, earlier.url)).toMatchObject({
      state: 'open',
      reasons: [{ code: 'sampled' }, { code: 'not_enough_evidence' }],
    });
    expect(await status()).toMatchObject({ state: 'collecting', policy_version: 1, needed: { documents: 5 } });
    for (const text of ['50', '51', '52', '53']) await audit(started, text);
    expect(await status()).toMatchObject({ state: 'collecting', audited: { documents: 4 }, needed: { documents: 1 } });
    await setPolicy({ ...policy, sample: 0.001 });
    await judge();
    // A smaller sample keeps what was drawn.
    await scene.client.put(`${earlier.url}/verification`, { is_verified: true, base_version: 1, seen: true });
    await judge();
    expect(await status()).toMatchObject({
      state: 'active',
      policy_version: 2,
      threshold: 1,
      audited: { documents: 5, wrong: 0 },
      needed: { documents: 0 },
      released_share: 1,
      last_30_days: [{ audited: 5, wrong: 0, released: 5, withdrawn: 0 }],
    });
    const next = await scene.read('54');
    await judge();
    expect(await releaseOf(scene, next.url)).toMatchObject({ state: 'released', by: 'policy', policy_version: 2 });
    bench.answer(({ document }) => ({ ...trueResult(document), total: 999 }));
    const failing = await scene.read('55');
    await judge();
    expect(await releaseOf(scene, failing.url)).toMatchObject({ state: 'open', reasons: [{ code: 'check_failed' }] });
  });

  it('pauses when its bound breaks and when the prompt changes, and names what was released meanwhile', async () => {
    const started = await startPolicy();
    const { scene, status, setPolicy } = started;
    await setPolicy(policy);
    for (const text of ['50', '51', '52', '53', '54']) await audit(started, text);
    const waiting = await scene.read('70');
    await judge();
    await setPolicy({ ...policy, sample: 0.001 });
    const released = await scene.read('55');
    await judge();
    expect(await releaseOf(scene, released.url)).toMatchObject({ state: 'released', by: 'policy' });
    // The document that was drawn before turns out to be wrong.
    await scene.client.patch(waiting.url, { path: 'total', value: 71, base_version: 1 });
    await scene.client.put(`${waiting.url}/verification`, { is_verified: true, base_version: 2, seen: true });
    await judge();
    expect(await status()).toMatchObject({ state: 'paused', paused_because: 'bound_broken', audited: { wrong: 1 } });
    const path = `./prompts/${scene.prompt.prompt_id}/release/suspects`;
    const { body } = await scene.client.get<{ suspects: ReleaseSuspect[] }>(path);
    expect(body.suspects).toMatchObject([{ document_id: released.id, because: 'bound_broken', version: 1 }]);
    const held = await scene.read('56');
    await judge();
    expect(await releaseOf(scene, held.url)).toMatchObject({ reasons: [{ code: 'not_enough_evidence' }] });
  });

  it('starts again after a new revision of the prompt', async () => {
    const started = await startPolicy();
    const { scene, status, setPolicy } = started;
    await setPolicy(policy);
    for (const text of ['50', '51', '52', '53', '54']) await audit(started, text);
    expect((await status()).state).toBe('active');
    const path = `./prompts/${scene.prompt.prompt_id}`;
    const { body } = await scene.client.put<Prompt>(path, { content: 'Read it all.' });
    await scene.client.post(`./documents/${(await scene.read('57')).id}/extractions`, {
      prompt_revid: body.prompt_revid,
    });
    await judge();
    expect(await status()).toMatchObject({
      state: 'paused',
      paused_because: 'new_revision',
      audited: { documents: 0 },
      needed: { documents: 5 },
    });
  });

  it('neither releases nor counts results of an earlier revision, and nothing in the trash', async () => {
    const started = await startPolicy();
    const { scene, status, setPolicy } = started;
    const [old, trashed] = [await scene.read('40'), await scene.read('41')];
    await judge();
    const path = `./prompts/${scene.prompt.prompt_id}`;
    const { body } = await scene.client.put<Prompt>(path, { content: 'Read it all.' });
    scene.prompt.prompt_revid = body.prompt_revid;
    await setPolicy({ ...policy, sample: 1 });
    for (const text of ['50', '51', '52', '53', '54']) await audit(started, text);
    await scene.client.delete(`./documents/${trashed.id}`);
    await setPolicy({ ...policy, sample: 0.001 });
    await judge();
    expect(await status()).toMatchObject({ state: 'active', audited: { documents: 5 } });
    // It is judged after the results of the new revision, of which the evidence is by then.
    expect(await releaseOf(scene, old.url)).toMatchObject({
      state: 'open',
      reasons: [{ code: 'not_enough_evidence' }],
    });
    await scene.client.post(`./documents/${trashed.id}/restore`);
    expect((await releaseOf(scene, trashed.url)).state).toBe('open');
  });

  it('is absent for a prompt without one, and for another organization', async () => {
    const { scene, setPolicy } = await startPolicy();
    const path = `./prompts/${scene.prompt.prompt_id}/release`;
    expect(await scene.client.get(path)).toMatchObject({ status: 404, body: { error: { code: 'no_release_policy' } } });
    await setPolicy(policy);
    expect((await scene.client.get(path)).status).toBe(200);
    const stranger = await bench.addOrganization();
    expect(await stranger.get(path)).toMatchObject({ status: 404, body: { error: { code: 'prompt_not_found' } } });
    expect((await setPolicy(null)).body.release_policy).toBeNull();
    expect((await scene.client.get(path)).status).toBe(404);
    const without = { name: 'Without', content: 'Read.', release_policy: null };
    expect((await scene.client.post('./prompts', without)).status).toBe(201);
  });
});

it('shows drawn documents first in Review, with all of their values, until they are audited', async () => {
  const scene = await startReviewScene(bench);
  bench.answer(({ document }) => ({ ...trueResult(document), total: 999 }));
  const risky = await scene.read('50');
  bench.answer(({ document }) => trueResult(document));
  const sure = await scene.read('60');
  const shown = async () => {
    const { items } = await queueOf(scene.client, 'limit=50&lease=false');
    return [...new Set(items.map(({ document_id }) => document_id))];
  };
  expect((await shown())[0]).toBe(risky.id);
  const update = (sample: number) =>
    scene.client.put(`./prompts/${scene.prompt.prompt_id}`, {
      release_policy: { max_wrong: 0.3, confidence: 0.8, sample },
    });
  await update(1);
  await judge();
  // Only one of them stays in the sample.
  await evidenceModel(bench.connection).updateOne(
    { document_id: new mongoose.Types.ObjectId(risky.id) },
    { $set: { is_drawn: false } },
  );
  expect(await shown()).toEqual([sure.id, risky.id]);
  const { items } = await queueOf(scene.client, 'limit=50');
  expect(items.filter(({ document_id }) => document_id === sure.id).map(({ path }) => path)).toContain('total');
  await scene.client.put(`${sure.url}/verification`, { is_verified: true, base_version: 1, seen: true });
  await judge();
  expect(await shown()).toEqual([risky.id]);
});
