import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import type { AuditWrites } from '../audit/index.ts';
import type { DocumentServices } from '../documents/index.ts';
import { createPromptCheck } from '../prompts/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { createTagCheck } from '../tags/index.ts';
import type { HeadlessQueue } from '../headless/index.ts';
import { createRequireUnverified } from '../undo/index.ts';
import { createBackfillRepositories } from './backfill-repository.ts';
import { backfillRoutes } from './backfill-routes.ts';
import { createBackfillService, type BackfillDependencies } from './backfill-service.ts';
import { bulkRoutes } from './bulk-routes.ts';
import { createOrganizationRepository, type Actor } from '../identity/index.ts';
import { createActiveBulkRepository, createBulkRepositories } from './bulk-repository.ts';
import { createBulkEstimates, type BulkEstimateDependencies, type EstimateBulk } from './bulk-estimate-service.ts';
import { createBulkService, type BulkServiceDependencies } from './bulk-service.ts';
import { createBulkWorkService, type BulkWorkDependencies } from './bulk-work-service.ts';
import { createBulkWriteRepository } from './bulk-write-repository.ts';
import { createDocumentChoices } from './document-choice-repository.ts';

const workBulkJobsJobName = 'work-bulk-jobs';

interface BulkNeeds {
  connection: Connection;
  auditWrites: AuditWrites;
  documents: DocumentServices;
  runs: BulkAreaDependencies['runs'];
  prompts: BulkEstimateDependencies['prompts'];
  extractionRuns: BulkEstimateDependencies['extractionRuns'];
  evaluations: BackfillDependencies['evaluations'];
  headless: { queue: HeadlessQueue };
  arrivals: BulkServiceDependencies['arrivals'];
  jobs: Pick<JobQueue, 'wake'>;
  streams: StreamAdmission;
  logger: FastifyBaseLogger;
}

/** Actions on many documents at once. */
export const bulkFeature = defineFeature({
  create: ({
    connection,
    auditWrites,
    documents,
    runs,
    prompts,
    extractionRuns,
    evaluations,
    headless,
    arrivals,
    jobs,
    logger,
  }: BulkNeeds) => ({
    bulk: createBulkServices({
      evaluations,
      queue: headless.queue,
      arrivals,
      connection,
      auditWrites,
      documents,
      runs,
      checkTags: createTagCheck(connection),
      promptExists: createPromptCheck(connection),
      prompts,
      extractionRuns,
      wake: () => jobs.wake(workBulkJobsJobName),
      log: logger,
    }),
  }),
  routes: async (app, { bulk, streams }) => {
    await app.register(bulkRoutes, { services: bulk, streams });
    await app.register(backfillRoutes, { services: bulk });
  },
  // Several at a time, so that a long one does not block short ones.
  jobs: ({ bulk: { work } }) => [
    {
      name: workBulkJobsJobName,
      everyMs: 10_000,
      quietEveryMs: 60_000,
      concurrency: 3,
      run: (signal) => work.work(signal),
    },
  ],
});

interface BulkAreaDependencies
  extends
    Pick<BulkServiceDependencies, 'auditWrites' | 'runs' | 'checkTags' | 'promptExists' | 'wake' | 'arrivals'>,
    Pick<BulkEstimateDependencies, 'extractionRuns'>,
    Pick<BackfillDependencies, 'evaluations' | 'queue'> {
  prompts: BulkEstimateDependencies['prompts'];
  connection: Connection;
  documents: Pick<DocumentServices, 'trashOf' | 'purge' | 'waitingCalls' | 'missingTags' | 'stopWork' | 'onRestore'>;
  log: BulkWorkDependencies['log'];
}

function createBulkServices(dependencies: BulkAreaDependencies) {
  const { connection, checkTags, documents, log } = dependencies;
  const { missingTags, stopWork, onRestore } = documents;
  const organizations = createOrganizationRepository(connection);
  const choices = createDocumentChoices(connection);
  const choicesOf = (actor: Actor) => choices(actor.organizationId, documents.waitingCalls(actor));
  const estimates = createBulkEstimates({ ...dependencies, choicesOf });
  const estimateBulk =
    (actor: Actor): EstimateBulk =>
    (body) =>
      estimates(actor).estimate(body);
  return {
    documentBulk: createBulkService({
      ...dependencies,
      bulkOf: createBulkRepositories(connection),
      choicesOf,
      estimates,
      requireUnverified: createRequireUnverified(connection),
    }),
    estimateBulk,
    backfill: createBackfillService({
      ...dependencies,
      choicesOf,
      estimateBulk,
      resultsOf: createBackfillRepositories(connection),
    }),
    work: createBulkWorkService({
      jobs: createActiveBulkRepository(connection),
      writes: createBulkWriteRepository(connection, { missingTags }),
      roleOf: (organizationId, userId) => organizations.roleOf(organizationId, userId),
      checkTags,
      stopWork,
      async purge(organizationId, documentId) {
        const trash = documents.trashOf(organizationId);
        const document = await trash.takeForPurge(documentId);
        if (document === undefined) return (await trash.isGone(documentId)) ? 'gone' : 'in_list';
        await documents.purge(document);
        return 'purged';
      },
      onRestore,
      log,
    }),
  };
}
