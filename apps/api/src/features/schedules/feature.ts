import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import { createOrganizationRepository, type Actor } from '../identity/index.ts';
import { createPromptCheck } from '../prompts/index.ts';
import { type RunRepository, type RunService, workRunsJobName } from '../runs/index.ts';
import { createTagCheck } from '../tags/index.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';
import { createDueScheduleRepository } from './due-schedule-repository.ts';
import { createDueScheduleService } from './due-schedule-service.ts';
import { createScheduleRepositories } from './schedule-repository.ts';
import { scheduleRoutes } from './schedule-routes.ts';
import { createScheduleService } from './schedule-service.ts';

interface ScheduleNeeds {
  connection: Connection;
  runs: (actor: Actor) => RunService;
  runsOf: (organizationId: string) => RunRepository;
  jobs: Pick<JobQueue, 'wake'>;
  logger: FastifyBaseLogger;
}

/** Finds the creators of schedules for the runs feature, which schedules depend on. */
export const scheduleCreatorsFeature = defineFeature({
  create({ connection }: { connection: Connection }) {
    const schedulesOf = createScheduleRepositories(connection);
    return {
      scheduleCreator: async (organizationId: string, id: string) =>
        (await schedulesOf(organizationId).get(id))?.created_by,
    };
  },
});

/** Schedules: runs at set times. */
export const schedulesFeature = defineFeature({
  create({ connection, runs, runsOf, jobs, logger }: ScheduleNeeds) {
    const organizations = createOrganizationRepository(connection);
    return {
      schedules: createScheduleService({
        schedulesOf: createScheduleRepositories(connection),
        runs,
        checkTags: createTagCheck(connection),
        promptExists: createPromptCheck(connection),
        roleOf: (organizationId, userId) => organizations.roleOf(organizationId, userId),
      }),
      dueSchedules: createDueScheduleService({
        due: createDueScheduleRepository(connection),
        runsOf,
        wake: () => jobs.wake(workRunsJobName),
        log: logger,
      }),
    };
  },
  routes: async (app, services) => app.register(scheduleRoutes, { services }),
  jobs: ({ dueSchedules }): Job[] => [
    { name: 'begin-due-runs', everyMs: 5_000, concurrency: 1, run: (signal) => dueSchedules.startDue(signal) },
    { name: 'set-schedules-right', everyMs: 60_000, concurrency: 1, run: () => dueSchedules.correctDueTimes() },
  ],
});
