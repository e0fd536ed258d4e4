import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import type { DocumentServices } from '../documents/document-services.ts';
import { createPromptCheck } from '../prompts/prompt-repository.ts';
import type { StreamAdmission } from '../stream-admission/stream-admission.ts';
import { createTagRepositories } from '../tags/tag-repository.ts';
import { createTagCheck } from '../tags/tag-service.ts';
import { bulkRoutes } from './bulk-routes.ts';
import { createBulkServices, type BulkAreaDependencies } from './bulk-services.ts';
import { createWorkBulkJobsJob, workBulkJobsJobName } from './work-bulk-jobs-job.ts';

export interface BulkNeeds {
  connection: Connection;
  documents: DocumentServices;
  runs: BulkAreaDependencies['runs'];
  jobs: Pick<JobQueue, 'wake'>;
  streams: StreamAdmission;
  logger: FastifyBaseLogger;
}

/** Changes of many documents at once. */
export const bulkFeature = defineFeature({
  create: ({ connection, documents, runs, jobs, logger }: BulkNeeds) => ({
    bulk: createBulkServices({
      connection,
      documents,
      runs,
      checkTags: createTagCheck(createTagRepositories(connection)),
      promptExists: createPromptCheck(connection),
      wake: () => jobs.wake(workBulkJobsJobName),
      log: logger,
    }),
  }),
  routes: async (app, { bulk, streams }) => app.register(bulkRoutes, { services: bulk, streams }),
  jobs: ({ bulk }) => [createWorkBulkJobsJob(bulk.work)],
});
