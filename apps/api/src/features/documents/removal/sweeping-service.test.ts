import { storedBytesOf } from '../../../platform/database/stored-bytes/stored-bytes.ts';
import type { Document } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createFileRepository } from '../files/file-repository.ts';
import { createLeftoverRepository } from './leftover-repository.ts';
import { createPageRepositories } from '../reading/page-repository.ts';
import { createPurge } from './purge.ts';
import { createSweepingService } from './sweeping-service.ts';
import { documentModel, type DocumentRecord } from '../records/document-model.ts';
import { pageModel } from '../records/page-model.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterAll(async () => harness.stop());

const { sweep, purgeOld } = {
  sweep: () => harness.services.documents.sweeping.sweep(new AbortController().signal),
  purgeOld: () => harness.services.documents.sweeping.purgeOld(new AbortController().signal),
};
const documents = () => harness.services.documents.documents(harness.admin.actor);
const pagesOf = (organizationId: string) => createPageRepositories(harness.connection)(organizationId);
const set = (id: string, change: Partial<DocumentRecord>) =>
  documentModel(harness.connection).updateOne({ _id: id }, { $set: change });

async function readDocument(): Promise<string> {
  const content = Buffer.from('Invoice INV-7').toString('base64');
  const { body } = await harness.admin.post<{ documents: [Document] }>('./documents', {
    documents: [{ name: 'invoice.txt', content }],
  });
  await harness.services.documents.textReading.readAll(new AbortController().signal);
  return body.documents[0].id;
}

it('fails a model run whose process died, and not an active one', async () => {
  const [dead, alive] = [await readDocument(), await readDocument()];
  const prompt = { prompt_id: '1'.repeat(24), prompt_revid: '2'.repeat(24) };
  const tokens = await Promise.all([dead, alive].map((id) => documents().startModelRun(id, prompt)));
  for (const id of [dead, alive]) await set(id, { model_lease_until: new Date(0) });
  await documents().renewModelRun(alive, tokens[1]!);
  await sweep();
  // The run of a suspended process must not write when the process wakes up.
  await expect(documents().renewModelRun(dead, tokens[0]!)).rejects.toMatchObject({ code: 'extraction_interrupted' });
  await documents().finishModelRun(dead, tokens[0]!, 'llm_completed');
  expect(await documents().get(dead)).toMatchObject({
    state: 'llm_failed',
    state_error: { code: 'extraction_interrupted' },
  });
  expect(await documents().get(alive)).toMatchObject({ state: 'llm_processing' });
  const { event_outbox } = (await documentModel(harness.connection).findById(dead).lean())!;
  const failed = { type: 'extraction.failed', data: { ...prompt, code: 'extraction_interrupted' } };
  expect(event_outbox).toEqual(expect.arrayContaining([expect.objectContaining(failed)]));
});

it('fails interrupted model runs beside damaged records, and while old documents are being purged', async () => {
  const [damaged, dead] = [await readDocument(), await readDocument()];
  for (const id of [damaged, dead]) {
    await documents().startModelRun(id);
    await set(id, { model_lease_until: new Date(0) });
  }
  await documentModel(harness.connection).collection.updateOne(
    { _id: new mongoose.Types.ObjectId(damaged) },
    { $set: { event_outbox: 'damaged' } },
  );
  const leftovers = createLeftoverRepository(harness.connection);
  const files = { remove: async () => undefined, settle: async () => undefined, listUnsettled: async () => [] };
  const purge = () => new Promise<void>(() => undefined);
  const takeDeleted = async () => ({ organizationId: '', documentId: '', fileId: '' });
  const log = { warn: () => undefined };
  const sweeping = createSweepingService({ leftovers: { ...leftovers, takeDeleted }, files, pagesOf, purge, log });
  void sweeping.purgeOld(new AbortController().signal);
  await sweeping.sweep(new AbortController().signal);
  expect(await documents().get(dead)).toMatchObject({ state: 'llm_failed' });
  await documentModel(harness.connection).deleteOne({ _id: damaged });
});

it.each([1, -1])('does not depend on the clock of a process that is %i hours ahead', async (hoursAhead) => {
  const id = await readDocument();
  try {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hoursAhead * 3_600_000 });
    const token = await documents().startModelRun(id);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * hoursAhead * 3_600_000 });
    await sweep();
    expect(await documents().get(id)).toMatchObject({ state: 'llm_processing' });
    await documents().finishModelRun(id, token, 'llm_completed');
  } finally {
    vi.useRealTimers();
  }
});

it('finishes an interrupted removal of a document, and continues with the others', async () => {
  const [stuck, other] = [await readDocument(), await readDocument()];
  for (const id of [stuck, other]) {
    await documents().delete(id, { call_id: `call-${id}` });
    await set(id, { deleted_at: new Date(Date.now() - 31 * 24 * 60 * 60 * 1000) });
  }
  const remove = vi.fn<(fileId: string) => Promise<void>>(async () => undefined);
  remove.mockRejectedValueOnce(new Error('the process died'));
  const pagesOf = createPageRepositories(harness.connection);
  const leftovers = createLeftoverRepository(harness.connection);
  const log = { warn: () => undefined };
  const files = { remove, settle: async () => undefined, listUnsettled: async () => [] };
  const purge = createPurge({
    leftovers,
    pagesOf,
    files,
    storedBytes: storedBytesOf(harness.connection),
    onRemove: [],
    releaseDuplicates: async () => undefined,
    takeAttached: async () => [],
  });
  const sweeping = createSweepingService({ leftovers, files, pagesOf, purge, log });
  const records = () => documentModel(harness.connection).countDocuments({ _id: { $in: [stuck, other] } });
  await sweeping.purgeOld(new AbortController().signal);
  expect([remove.mock.calls.length, await records()]).toEqual([2, 1]);
  await sweeping.purgeOld(new AbortController().signal);
  expect([remove.mock.calls.length, await records()]).toEqual([3, 0]);
});

it('purges documents that were deleted a month ago, and none that can be restored', async () => {
  const [old, recent] = [await readDocument(), await readDocument()];
  const files = () => harness.connection.collection('files.files').countDocuments();
  const before = await files();
  for (const id of [old, recent]) await documents().delete(id, { call_id: `call-${id}` });
  await set(old, { deleted_at: new Date(Date.now() - 31 * 24 * 60 * 60 * 1000) });
  await purgeOld();
  const remaining = await pageModel(harness.connection).distinct('document_id', {
    document_id: { $in: [old, recent].map((id) => new mongoose.Types.ObjectId(id)) },
  });
  expect(remaining.map(String)).toEqual([recent]);
  expect(await files()).toBe(before - 1);
});

it('removes the bytes of an interrupted upload, and no others', async () => {
  const pending = harness.connection.collection('pending_uploads');
  const chunks = () => harness.connection.collection('files.chunks').countDocuments();
  const document = await readDocument();
  const before = await chunks();
  // The states after a process died while it stored a file, after it stored it, and after it inserted the documents.
  const files = createFileRepository(harness.connection);
  const half = new mongoose.Types.ObjectId();
  await harness.connection.collection('files.chunks').insertOne({ files_id: half, n: 0, data: Buffer.from('half') });
  const whole = await files.store(Buffer.from('whole'), 'whole.txt');
  const record = await documentModel(harness.connection).findById(document).lean();
  const recent = await files.store(Buffer.from('recent'), 'recent.txt');
  const longAgo = new Date(Date.now() - 7 * 60 * 60 * 1000);
  await pending.updateOne({ _id: new mongoose.Types.ObjectId(whole) }, { $set: { begun_at: longAgo } });
  await pending.insertMany([half, record!.file_id].map((_id) => ({ _id, begun_at: longAgo })));
  await sweep();
  expect(await chunks()).toBe(before + 1);
  expect((await pending.find().toArray()).map(({ _id }) => String(_id))).toEqual([recent]);
  expect((await harness.admin.get(`./documents/${document}/file`)).text).toBe('Invoice INV-7');
});

it('keeps the pages of a part of a split that has got another file before its split was settled', async () => {
  const part = await readDocument();
  const first = {
    _id: new mongoose.Types.ObjectId(part),
    begun_at: new Date(Date.now() - 7 * 60 * 60 * 1000),
    pages_in: new mongoose.Types.ObjectId(harness.admin.organizationId),
  };
  await harness.connection.collection('pending_uploads').insertOne(first);
  await sweep();
  expect(await pageModel(harness.connection).countDocuments({ document_id: part })).toBe(1);
});
