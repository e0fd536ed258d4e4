import type { Connection } from 'mongoose';
import { afterAll, beforeAll } from 'vitest';
import { createIndexingRepository } from '../features/collections/indexing-repository.ts';
import { createActiveBulkRepository } from '../features/document-bulk/bulk-repository.ts';
import { createDocumentClaims, type TextClaim } from '../features/documents/reading/document-claim-repository.ts';
import { createRecognitionQueueRepository } from '../features/documents/reading/recognition-queue-repository.ts';
import { createTextQueueRepository } from '../features/documents/reading/text-queue-repository.ts';
import { createClaimRepository } from '../features/headless/claim-repository.ts';
import { createActiveRunRepository } from '../features/runs/active-run-repository.ts';
import { createRunUndoRepository } from '../features/runs/run-undo-repository.ts';
import { documentRecord, leaseOnRecord, objectId, recordIds } from '../platform/leases/testing/lease-on-record.ts';
import { newId } from '../platform/database/object-id.ts';
import { describeLeaseOfProcess } from '../platform/leases/testing/lease-suite.ts';
import { connectTestDatabase } from '../testing/test-database.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(async () => connection.close());

describeLeaseOfProcess('a document in text reading', () => {
  const queue = createTextQueueRepository(connection);
  return leaseOnRecord(
    connection,
    'documents',
    { ...documentRecord(), state: 'uploaded' },
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

describeLeaseOfProcess('a document in page recognition', () => {
  const queue = createRecognitionQueueRepository(connection);
  const use = {
    claim: () => queue.claimNext(),
    renew: (claim: TextClaim) => queue.renew(claim),
    write: (claim: TextClaim) => queue.progress(claim, 1),
    release: (claim: TextClaim) => queue.release(claim),
  };
  return leaseOnRecord(
    connection,
    'documents',
    { ...documentRecord(), state: 'ocr_processing', ocr_turn: new Date() },
    use,
    'claim',
  );
});

describeLeaseOfProcess('a document run', () => {
  const claims = createClaimRepository(connection);
  const record = { ...recordIds(), document_id: objectId(), state: 'queued', rank: 1, attempts: 0, turn_ids: [] };
  return leaseOnRecord(
    connection,
    'document_runs',
    { ...record, requested_by: newId(), run_id: null, auto_approved_tools: [], queued_at: new Date() },
    {
      async claim() {
        await claims.requeueOrphans([]);
        return await claims.claimNext([]);
      },
      renew: async (run) => (await claims.renew(run)) !== false,
      write: (run) => claims.markFailing(run, { code: 'x', message: 'x' }),
      release: (claim) => claims.release(claim),
    },
  );
});

describeLeaseOfProcess('a run that queues its documents', () => {
  const active = createActiveRunRepository(connection);
  return leaseOnRecord(
    connection,
    'runs',
    { ...recordIds(), active: true, state: 'queued', refused: [] },
    {
      claim: () => active.claimQueued(),
      renew: async (claim) => (await active.renew(claim, [])) !== undefined,
      write: (claim) => active.decide(claim, 0, []),
      release: (claim) => active.release(claim),
    },
  );
});

describeLeaseOfProcess('a run that is being undone', () => {
  const undos = createRunUndoRepository(connection);
  return leaseOnRecord(
    connection,
    'runs',
    { ...recordIds(), state: 'completed', undo: { state: 'running' } },
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
  return leaseOnRecord(
    connection,
    'document_bulk_jobs',
    { ...recordIds(), active: true, state: 'queued', stop_requested: false, failures: [] },
    {
      claim: () => jobs.claim(),
      renew: (claim) => jobs.renew(claim),
      write: async (claim) =>
        (await jobs.advance(claim, 1, { succeeded: 1, unchanged: 0, failures: [] })) !== undefined,
      release: (claim) => jobs.release(claim),
    },
  );
});

describeLeaseOfProcess('a document in indexing', () => {
  const indexing = createIndexingRepository(connection);
  const entry = { ...recordIds(), collection_id: objectId(), document_id: objectId(), state: 'waiting', attempts: 0 };
  return leaseOnRecord(connection, 'collection_documents', entry, {
    claim: () => indexing.claim(entry.collection_id.toHexString()),
    renew: (claim) => indexing.renew(claim),
    // Only the renewal writes before the end.
    write: (claim) => indexing.renew(claim),
    release: (claim) => indexing.release(claim),
  });
});
