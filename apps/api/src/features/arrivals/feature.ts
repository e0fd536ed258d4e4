import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import type { AuditServices } from '../audit/index.ts';
import type { PermissionRuleServices } from '../permission-rules/index.ts';
import { createPromptRepositories } from '../prompts/index.ts';
import { workRunsJobName, type RunRepository } from '../runs/index.ts';
import { createTagRepositories } from '../tags/index.ts';
import { createArrivalRepository } from './arrival-repository.ts';
import { createArrivalService } from './arrival-service.ts';

interface ArrivalNeeds {
  connection: Connection;
  runsOf: (organizationId: string) => RunRepository;
  permissions: Pick<PermissionRuleServices, 'decideFor'>;
  auditOf: AuditServices['auditOf'];
  jobs: Pick<JobQueue, 'wake'>;
  logger: FastifyBaseLogger;
}

/** What the tags of documents start on arrival. */
export const arrivalsFeature = defineFeature({
  create: ({ connection, runsOf, permissions, auditOf, jobs, logger }: ArrivalNeeds) => ({
    arrivals: createArrivalService({
      arrivals: createArrivalRepository(connection),
      tagsOf: createTagRepositories(connection),
      promptsOf: createPromptRepositories(connection),
      runsOf,
      decideFor: permissions.decideFor,
      auditOf,
      wakeRuns: () => jobs.wake(workRunsJobName),
      log: logger,
    }),
  }),
  jobs: ({ arrivals }) => [
    {
      name: 'start-arrivals',
      everyMs: 15_000,
      quietEveryMs: 60_000,
      wokenBy: ['documents'],
      concurrency: 1,
      run: (signal) => arrivals.start(signal),
    },
  ],
});
