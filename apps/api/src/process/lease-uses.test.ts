import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPurgedLooks } from '../features/chat/purged-look-repository.ts';
import { createChunkTaskRepository } from '../features/collections/chunks/chunk-task-repository.ts';
import { createIndexingRepository } from '../features/collections/indexing-repository.ts';
import { createActiveBulkRepository } from '../features/document-bulk/bulk-repository.ts';
import { createDocumentClaims, type TextClaim } from '../features/documents/reading/document-claim-repository.ts';
import { createRecognitionQueueRepository } from '../features/documents/reading/recognition-queue-repository.ts';
import { createTextQueueRepository } from '../features/documents/reading/text-queue-repository.ts';
import { createClaimRepository } from '../features/headless/claim-repository.ts';
import { createActiveRunRepository } from '../features/runs/active-run-repository.ts';
import { createRunUndoRepository } from '../features/runs/run-undo-repository.ts';
import { createSyncQueue } from '../features/sources/sync-queue-repository.ts';
import { createWebhookQueue } from '../features/webhooks/webhook-repository.ts';
import { documentRecord, leaseOnRecord, objectId, recordIds } from '../platform/leases/testing/lease-on-record.ts';
import { newId } from '../platform/database/object-id.ts';
import { describeLeaseOfProcess } from '../platform/leases/testing/lease-suite.ts';
import { connectTestDatabase } from '../testing/test-database.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(async () => connection.close());

/** Every source that creates leases, and the names under which the suite runs for them. */
const uses: Record<string, string[]> = {
  'features/auto-create/kinds/kind-repository.ts': ["an organization's document kinds"],
  'features/chat/purged-look-repository.ts': ['a look for conversations of purged documents'],
  'features/collections/chunks/chunk-task-repository.ts': ['the chunks of a collection'],
  'features/collections/indexing-repository.ts': ['a document in indexing'],
  'features/document-bulk/bulk-repository.ts': ['a bulk job'],
  'features/documents/reading/document-claim-repository.ts': [
    'a document in text reading',
    'a document in page recognition',
  ],
  'features/documents/records/document-model.ts': ['model runs on a document'],
  'features/evaluations/work/evaluation-work-repository.ts': ['an evaluation'],
  'features/extractions/long/progress-repository.ts': ['a requested extraction'],
  'features/headless/claim-repository.ts': ['a document run'],
  'features/pipeline-agent/conversation-lease-repository.ts': ['a pipeline conversation'],
  'features/review/review-lease-repository.ts': ['a document in review'],
  'features/runs/active-run-repository.ts': ['a run that queues its documents'],
  'features/runs/run-undo-repository.ts': ['a run that is being undone'],
  'features/sources/sync-queue-repository.ts': ['a source in its sync'],
  'features/tasks/task-conversation-repository.ts': ['a conversation about tasks'],
  'features/turns/turn-repository.ts': ['a turn'],
  'features/value-risk/risk-model-repository.ts': ['a risk model that is fitted'],
  'features/webhooks/webhook-repository.ts': ['a webhook in delivery'],
  // Tries a claim at the start, on a record that nobody else has.
  'process/database-features.ts': [],
  'process/migrations/migrate.ts': ['the migrations'],
};

it('the suite runs for every use of leases', () => {
  const sources = resolve(import.meta.dirname, '..');
  const read = (file: string) => readFileSync(resolve(sources, file), 'utf8');
  const files = globSync('{features,process}/**/*.ts', { cwd: sources });
  const [tests, production] = [true, false].map((isTest) =>
    files.filter((file) => file.endsWith('.test.ts') === isTest),
  );
  const creators = production!.filter((file) => /\bcreate(?:Shared)?Leases[<(]/u.test(read(file)));
  expect(creators.toSorted()).toEqual(Object.keys(uses));
  const suite = /\bdescribe(?:Shared)?Lease(?:OfProcess)?(?:<\w+>)?\((?:'([^']+)'|"([^"]+)")/gu;
  const run = tests!.flatMap((file) => [...read(file).matchAll(suite)].map(([, single, double]) => single ?? double));
  expect(new Set(run)).toEqual(new Set(Object.values(uses).flat()));
});

describeLeaseOfProcess('a document in text reading', () => {
  const queue = createTextQueueRepository(connection);
  return leaseOnRecord(
    connection,
    'documents',
    { ...documentRecord(), state: 'uploaded' },
    {
      async claim() {
        await createDocumentClaims(connection).requeueOrphans();
        return await queue.claimNext('quick', { organizations: (ids) => [...ids], users: (users) => [...users] });
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
  const record = {
    ...recordIds(),
    document_id: objectId(),
    state: 'queued',
    kind: 'agent',
    rank: 1,
    attempts: 0,
    turn_ids: [],
  };
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
    claim: () =>
      indexing.claim({ id: entry.collection_id.toHexString(), organizationId: entry.organization_id.toHexString() }),
    renew: (claim) => indexing.renew(claim),
    // Only the renewal writes before the end.
    write: (claim) => indexing.renew(claim),
    release: (claim) => indexing.release(claim),
  });
});

describeLeaseOfProcess('the chunks of a collection', () => {
  const tasks = createChunkTaskRepository(connection);
  return leaseOnRecord(
    connection,
    'chunk_tasks',
    { _id: objectId().toHexString(), work: 'move' },
    {
      claim: () => tasks.claim(['move']),
      renew: (task) => tasks.renew(task),
      // Only the renewal writes before the end.
      write: (task) => tasks.renew(task),
      release: async (task) => void (await tasks.release(task)),
    },
  );
});

describeLeaseOfProcess('a look for conversations of purged documents', () => {
  const looks = createPurgedLooks(connection);
  const record = { _id: 'agent_threads' as never, looked_until: new Date(0) };
  return leaseOnRecord(connection, 'purged_document_looks', record, {
    claim: () => looks.claim('agent_threads', new Date(0)),
    renew: (look) => looks.advance(look, new Date(0)),
    write: (look) => looks.advance(look, new Date(0)),
    release: (look) => looks.release(look),
  });
});

describeLeaseOfProcess('a source in its sync', () => {
  const queue = createSyncQueue(connection);
  const connector = JSON.stringify({ kind: 'folder', config: { path: 'in' } });
  const record = { ...recordIds(), created_by: objectId(), next_sync_at: new Date(0), connector };
  return leaseOnRecord(connection, 'sources', record, {
    claim: () => queue.claim(),
    renew: (claim) => queue.renew(claim),
    // Only the renewal writes before the end.
    write: (claim) => queue.renew(claim),
    release: (claim) => queue.release(claim),
  });
});

describeLeaseOfProcess('a webhook in delivery', () => {
  const { leases } = createWebhookQueue(connection);
  const record = { ...recordIds(), enabled: true };
  const one = { _id: record._id };
  const minute = 60_000;
  const renew = async ({ token }: { token: string }) => (await leases.renew(one, token, minute)) !== undefined;
  return leaseOnRecord(connection, 'webhooks', record, {
    claim: () => leases.claim({ ...one, enabled: true }, { milliseconds: minute }),
    renew,
    write: renew,
    release: async ({ token }) => void (await leases.release(one, token)),
  });
});
