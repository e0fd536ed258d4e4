import type { Document, Extraction } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEvaluationTestBench, trueResult, type EvaluationTestBench } from '../../testing/evaluation-test-bench.ts';
import { startReviewScene } from '../../testing/review-test-bench.ts';
import { documentModel } from '../documents/index.ts';
import { createExtractionRepositories, createExtractionUndo, extractionModel } from '../extractions/index.ts';
import { revisionModels } from '../revisions/index.ts';

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

const id = (text: string) => new mongoose.Types.ObjectId(text);
const judge = () => bench.services.releaseUpdater.work(new AbortController().signal);
const recordOf = async (documentId: string) =>
  (await extractionModel(bench.connection)
    .findOne({ document_id: id(documentId) })
    .lean())!;
/** The event log, which the feed and webhooks read. */
const published = async (documentId: string) => {
  const events = await bench.services.eventLog.list(scene.client.organizationId, 0, 1000);
  return events
    .filter(({ document_id, type }) => document_id === documentId && type.startsWith('result.'))
    .map(({ type, data }) => {
      const parts = [type, data['version'], data['because']] as (string | number | undefined)[];
      return parts.filter((part) => part !== undefined).join(' ');
    });
};

async function readAndRelease(text: string) {
  const result = await scene.read(text);
  await scene.client.post(`${result.url}/release`, { version: 1 });
  return result;
}

describe('a removed result that was released', () => {
  it('is withdrawn by the undo of its extraction, once', async () => {
    const { id: documentId } = await readAndRelease('50');
    const { _id, changes } = await recordOf(documentId);
    const undo = createExtractionUndo(bench.connection, { onLastRemoved: async () => {}, onRestore: async () => {} });
    const records = undo(scene.client.organizationId);
    const userId = new mongoose.Types.ObjectId().toHexString();
    const origin = { call_id: 'undo-1' } as never;
    const reversal = { id: _id.toHexString(), before: null, changes, base: 0, origin, userId };
    expect(await records.restore(reversal as never)).toBe(true);
    expect(await records.restore(reversal as never)).toBe(true);
    await judge();
    await judge();
    expect(await published(documentId)).toEqual(['result.released 1', 'result.withdrawn 1 undone']);
    expect((await scene.client.get<Document>(`./documents/${documentId}`)).body.releases).toBeUndefined();
  });

  it('is withdrawn when its kind is rejected', async () => {
    const { id: documentId } = await readAndRelease('50');
    const extractions = createExtractionRepositories(bench.connection)(scene.client.organizationId);
    await extractions.removeOfPrompt([documentId], scene.prompt.prompt_id);
    await judge();
    expect(await published(documentId)).toEqual(['result.released 1', 'result.withdrawn 1 undone']);
  });

  it('is withdrawn before its document is removed for good', async () => {
    const { id: documentId, url } = await scene.read('50');
    await judge();
    await scene.client.post(`${url}/release`, { version: 1 });
    await scene.client.delete(`./documents/${documentId}`);
    expect((await scene.client.delete(`./documents/trash/${documentId}`)).status).toBe(204);
    await judge();
    expect(await published(documentId)).toEqual(['result.released 1', 'result.withdrawn 1 trashed']);
  });

  it('stays withdrawn if the undo is taken back', async () => {
    const { id: documentId, url } = await readAndRelease('50');
    const record = await recordOf(documentId);
    const undo = createExtractionUndo(bench.connection, { onLastRemoved: async () => {}, onRestore: async () => {} });
    const records = undo(scene.client.organizationId);
    const reversal = { id: record._id.toHexString(), changes: record.changes, base: 0, origin: { call_id: 'undo-2' } };
    const text = (await records.recordOf(reversal.id))!;
    await records.restore({ ...reversal, before: null, userId: record._id.toHexString() });
    await records.revert({ id: reversal.id, record: text, base: 0, callId: 'undo-2' });
    await judge();
    expect((await scene.client.get<Extraction>(url)).body.release).toMatchObject({
      state: 'withdrawn',
      withdrawn: { version: 1, because: 'undone' },
    });
    expect(await published(documentId)).toEqual(['result.released 1', 'result.withdrawn 1 undone']);
  });
});

it('withdraws what a process that died has left released in the trash', async () => {
  const { id: documentId } = await readAndRelease('50');
  await documentModel(bench.connection).updateOne({ _id: id(documentId) }, { $set: { deleted_at: new Date() } });
  await judge();
  expect(await published(documentId)).toEqual(['result.released 1', 'result.withdrawn 1 trashed']);
});

it('loses no event when a release and an edit happen at once', async () => {
  const results = [];
  for (const text of ['50', '51', '52', '53', '54', '55']) results.push(await scene.read(text));
  await Promise.all(
    results.flatMap(({ url }) => [
      scene.client.post(`${url}/release`, { version: 1 }),
      scene.client.patch(url, { path: 'total', value: 99, base_version: 1 }),
    ]),
  );
  await judge();
  for (const { id: documentId } of results) {
    const events = await published(documentId);
    expect(['', 'result.released 1,result.withdrawn 1 edited']).toContain(events.join());
    expect((await recordOf(documentId)).release?.state).toBe('open');
  }
});

it('judges the others if one result cannot be judged, and that one later', async () => {
  const [broken, fine] = [await scene.read('50'), await scene.read('51')];
  const extractions = extractionModel(bench.connection);
  const { result } = await recordOf(broken.id);
  await extractions.updateOne({ document_id: id(broken.id) }, { $set: { result: '{' } });
  await judge();
  expect((await scene.client.get<Extraction>(fine.url)).body.release).toMatchObject({
    reasons: [{ code: 'policy_off' }],
  });
  const { release_retry_at } = await recordOf(broken.id);
  expect(release_retry_at?.getTime()).toBeGreaterThan(Date.now());
  await extractions.updateOne({ document_id: id(broken.id) }, { $set: { result, release_retry_at: new Date(0) } });
  await judge();
  expect((await scene.client.get<Extraction>(broken.url)).body.release).toMatchObject({
    reasons: [{ code: 'policy_off' }],
  });
  expect((await recordOf(broken.id)).release_retry_at).toBeUndefined();
});

it.each([
  ['damaged', 'damaged'],
  ['a number', 0],
  ['years ahead', new Date('2099-01-01')],
])('judges a result whose time of the next try is %s', async (_what, release_retry_at) => {
  const waiting = await scene.read('50');
  const extractions = extractionModel(bench.connection).collection;
  await extractions.updateOne({ document_id: id(waiting.id) }, { $set: { release_retry_at, release_pending: true } });
  await judge();
  const stored = await extractions.findOne({ document_id: id(waiting.id) });
  expect([stored?.['release_retry_at'], stored?.['release_pending']]).toEqual([undefined, undefined]);
});

describe('a result that waits', () => {
  const refusal = async (url: string) =>
    (await scene.client.post<{ error: { details: { reasons: { code: string }[] } } }>(`${url}/release`, { version: 1 }))
      .body.error.details.reasons;
  const prompts = () => revisionModels(bench.connection, 'prompt').artifacts;
  const setReview = (review: 'pending' | null) => async () =>
    void (await prompts().updateOne({ _id: id(scene.prompt.prompt_id) }, { $set: { review } }));

  it('is not released before its proposal is accepted, and then as its user has decided', async () => {
    await setReview('pending')();
    const { id: documentId, url } = await scene.read('50');
    await judge();
    expect((await scene.client.get<Document>(`./documents/${documentId}`)).body.releases).toBeUndefined();
    expect(await refusal(url)).toEqual([{ code: 'waiting_approval' }]);
    await scene.client.put(`${url}/verification`, { is_verified: true, base_version: 1, seen: true });
    await judge();
    expect((await recordOf(documentId)).release).toMatchObject({
      state: 'open',
      reasons: [{ code: 'waiting_approval' }, { code: 'policy_off' }],
    });
    const accept = bench.services.rejudging.after(setReview(null));
    await accept(scene.client.organizationId, scene.prompt.prompt_id);
    await judge();
    expect((await scene.client.get<Document>(`./documents/${documentId}`)).body.releases).toMatchObject([
      { state: 'released', version: 1 },
    ]);
    expect(await published(documentId)).toEqual(['result.released 1']);
  });

  it('is not released while its document is a duplicate that was not read', async () => {
    const { id: documentId, url } = await scene.read('50');
    await documentModel(bench.connection).updateOne(
      { _id: id(documentId) },
      { $set: { duplicate_of: id(documentId) } },
    );
    expect(await refusal(url)).toEqual([{ code: 'duplicate' }]);
  });
});
