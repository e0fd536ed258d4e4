import { setTimeout as sleep } from 'node:timers/promises';
import type { Document, DocumentBulk, Tag } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { objectIdOf } from '../../platform/database/object-id.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { bulkModel } from './bulk-model.ts';
import { createActiveBulkRepository } from './bulk-repository.ts';
import { createBulkWorkService, type BulkWorkDependencies } from './bulk-work-service.ts';
import { createBulkWriteRepository } from './bulk-write-repository.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterAll(() => harness.stop());

const work = () => harness.services.bulk.work.work(new AbortController().signal);

/** A worker whose lease another process takes right before it writes. */
function createLosingWorker(jobId: string) {
  const { connection } = harness;
  const jobs = bulkModel(connection);
  const isJob = { _id: objectIdOf(jobId) ?? null };
  const active = createActiveBulkRepository(connection);
  const writes = createBulkWriteRepository(connection, { missingTags: async () => [] });
  let claims = 0;
  return createBulkWorkService({
    jobs: { ...active, claim: async () => ((claims += 1) === 1 ? await active.claim() : undefined) },
    writes: {
      ...writes,
      undo: async (...[bulk, action, changes, requireHeld]: Parameters<typeof writes.undo>) =>
        writes.undo(bulk, action, changes, async () => {
          await jobs.updateOne(isJob, { $set: { 'lease.token': 'other' } });
          // Long enough for a renewal to be refused.
          await sleep(60);
          await requireHeld();
        }),
    },
    renewEveryMs: 5,
    log: { error: () => undefined },
  } as unknown as BulkWorkDependencies);
}

it.each(['tag', 'untag', 'delete', 'restore'] as const)(
  'the undo of a bulk %s changes nothing once its lease is lost',
  async (action) => {
    const client = await harness.addOrganization();
    const { tag_id } = (await client.post<Tag>('./tags', { name: 'T' })).body;
    const documents = [{ name: 'a.txt', content: 'YQ==', tag_ids: action === 'untag' ? [tag_id] : [] }];
    const id = (await client.post<{ documents: Document[] }>('./documents', { documents })).body.documents[0]!.id;
    if (action === 'restore') await client.delete(`./documents/${id}`);
    const body = { document_ids: [id], action, ...(action.endsWith('tag') && { tag_ids: [tag_id] }) };
    const created = await client.post<DocumentBulk>('./documents/bulk', body);
    expect(created.status, created.text).toBe(201);
    await work();
    const ofDocument = { _id: objectIdOf(id) ?? null } as object;
    const state = () =>
      harness.connection
        .collection('documents')
        .findOne(ofDocument, { projection: { tag_ids: 1, deleted_at: 1, changes: 1 } });
    const before = await state();
    await client.post(`./documents/bulk/${created.body.id}/undo`);
    await createLosingWorker(created.body.id).work(new AbortController().signal);
    expect(await state()).toEqual(before);
    const undo = async () => (await client.get<DocumentBulk>(`./documents/bulk/${created.body.id}`)).body.undo;
    expect(await undo()).toMatchObject({ state: 'running', undone: 0 });

    // The process that has the lease undoes it.
    await bulkModel(harness.connection).updateMany({}, { $unset: { lease: 1 } });
    await work();
    expect(await undo()).toMatchObject({ state: 'completed', undone: 1 });
    expect(await state()).not.toEqual(before);
  },
);
