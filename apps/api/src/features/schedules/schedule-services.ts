import type { Connection } from 'mongoose';
import type { Actor } from '../identity/actor.ts';
import { createOrganizationRepository } from '../identity/organizations/organization-repository.ts';
import type { RunRepository } from '../runs/run-repository.ts';
import type { RunService } from '../runs/run-service.ts';
import { createDueScheduleRepository } from './due-schedule-repository.ts';
import { createDueScheduleService } from './due-schedule-service.ts';
import { createScheduleRepositories } from './schedule-repository.ts';
import { createScheduleService } from './schedule-service.ts';

export function createScheduleServices(dependencies: {
  connection: Connection;
  runs: (actor: Actor) => RunService;
  runsOf: (organizationId: string) => RunRepository;
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  promptExists: (organizationId: string, promptId: string) => Promise<boolean>;
  wakeRuns: () => Promise<void>;
  log: { error(fields: object, message: string): void };
}) {
  const organizations = createOrganizationRepository(dependencies.connection);
  const { connection, runs, runsOf, checkTags, promptExists, wakeRuns: wake, log } = dependencies;
  return {
    schedules: createScheduleService({
      schedulesOf: createScheduleRepositories(connection),
      runs,
      checkTags,
      promptExists,
      roleOf: (organizationId, userId) => organizations.roleOf(organizationId, userId),
    }),
    due: createDueScheduleService({ due: createDueScheduleRepository(connection), runsOf, wake, log }),
  };
}
