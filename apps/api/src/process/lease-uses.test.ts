import type { Connection } from 'mongoose';
import { afterAll, beforeAll } from 'vitest';
import { createIndexingRepository } from '../features/collections/indexing-repository.ts';
import { createActiveBulkRepository } from '../features/document-bulk/bulk-repository.ts';
import { createDocumentClaims, type TextClaim } from '../features/documents/reading/document-claim-repository.ts';
import { createRecognitionQueueRepository } from '../features/documents/reading/recognition-queue-repository.ts';
import { createTextQueueRepository } from '../features/documents/reading/text-queue-repository.ts';
import { createClaimRepository } from '../features/headless/claim-repository.ts';
import { createGoingRunRepository } from '../features/runs/going-run-repository.ts';
import { createRunUndoRepository } from '../features/runs/run-undo-repository.ts';
import { newId, objectIdOf } from '../platform/database/object-id.ts';
import { thisProcess } from '../platform/leases/process-identity.ts';
import { describeLeaseOfProcess, type LeaseUse } from '../platform/leases/testing/lease-suite.ts';
import { connectTestDatabase } from '../testing/test-database.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(async () => connection.close());

const objectId = () => objectIdOf(newId())!;
const ids = () => ({ _id: objectId(), organization_id: objectId(), requested_by: objectId() });

/** A use of the lease at `path` of the one record in a collection. */
async function onRecord<Claimed>(
  name: string,
  record: object,
  use: Omit<LeaseUse<Claimed>, 'expire'>,
  path = 'lease',
): Promise<LeaseUse<Claimed> & { killHolder(): Promise<void> }> {
  const collection = connection.collection(name);
  await collection.deleteMany({});
  await collection.insertOne(record);
  const set = async (field: string, value: unknown) =>
    void (await collection.updateOne({}, { $set: { [`${path}.${field}`]: value } }));
  return {
    ...use,
    expire: () => set('until', new Date(0)),
    killHolder: () => set('holder', { ...thisProcess, instance: 'killed' }),
  };
}

const document = () => ({
  ...ids(),
  document_name: 'x.pdf',
  mime_type: 'application/pdf',
  file_id: objectId(),
  deleted_at: null,
  upload_date: new Date(),
  attempts: 0,
});

describeLeaseOfProcess('a document whose text is read', () => {
  const queue = createTextQueueRepository(connection);
  return onRecord(
    'documents',
    { ...document(), state: 'uploaded' },
    {
      async claim() {
        await createDocumentClaims(connection).requeueOrphans();
        return await queue.claimNext();
      },
      renew: (claim) => queue.renew(claim),
      write: (claim) => queue.progress(claim, 1, 2),
      release: (claim) => queue.release(claim),
    },
    'claim',
  );
});

describeLeaseOfProcess('a document whose pages are recognised', () => {
  const queue = createRecognitionQueueRepository(connection);
  const use = {
    claim: () => queue.claimNext(),
    renew: (claim: TextClaim) => queue.renew(claim),
    write: (claim: TextClaim) => queue.progress(claim, 1),
    release: (claim: TextClaim) => queue.release(claim),
  };
  return onRecord('documents', { ...document(), state: 'ocr_processing', ocr_turn: new Date() }, use, 'claim');
});

describeLeaseOfProcess('a run on a document', () => {
  const claims = createClaimRepository(connection);
  const record = { ...ids(), document_id: objectId(), state: 'queued', rank: 1, attempts: 0, turn_ids: [] };
  return onRecord(
    'document_runs',
    { ...record, requested_by: newId(), run_id: null, auto_approved_tools: [], queued_at: new Date() },
    {
      async claim() {
        await claims.requeueOrphans([]);
        return await claims.claimNext([]);
      },
      renew: async (run) => (await claims.renew(run)) !== false,
      write: (run) => claims.condemn(run, { code: 'x', message: 'x' }),
      release: (claim) => claims.release(claim),
    },
  );
});

describeLeaseOfProcess('a run whose documents are queued', () => {
  const active = createGoingRunRepository(connection);
  return onRecord(
    'runs',
    { ...ids(), active: true, state: 'queued', refused: [] },
    {
      claim: () => active.claimQueued(),
      renew: async (claim) => (await active.renew(claim, [])) !== undefined,
      write: (claim) => active.decide(claim, 0, []),
      release: (claim) => active.release(claim),
    },
  );
});

describeLeaseOfProcess('a run that is undone', () => {
  const undos = createRunUndoRepository(connection);
  return onRecord(
    'runs',
    { ...ids(), state: 'completed', undo: { state: 'running' } },
    {
      claim: () => undos.claim(),
      renew: (claim) => undos.renew(claim),
      write: (claim) => undos.progress(claim, 1),
      release: (claim) => undos.release(claim),
    },
  );
});

describeLeaseOfProcess('a bulk job', () => {
  const jobs = createActiveBulkRepository(connection);
  return onRecord(
    'document_bulk_jobs',
    { ...ids(), active: true, state: 'queued', stop_requested: false, failures: [] },
    {
      claim: () => jobs.claim(),
      renew: (claim) => jobs.renew(claim),
      write: async (claim) =>
        (await jobs.advance(claim, 1, { succeeded: 1, unchanged: 0, failures: [] })) !== undefined,
      release: (claim) => jobs.release(claim),
    },
  );
});

describeLeaseOfProcess('a document that is indexed', () => {
  const indexing = createIndexingRepository(connection);
  const entry = { ...ids(), collection_id: objectId(), document_id: objectId(), state: 'waiting', attempts: 0 };
  return onRecord('collection_documents', entry, {
    claim: () => indexing.claim(entry.collection_id.toHexString()),
    renew: (claim) => indexing.renew(claim),
    // Nothing else is written of it before its end.
    write: (claim) => indexing.renew(claim),
    release: (claim) => indexing.release(claim),
  });
});
