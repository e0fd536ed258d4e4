import type { Role } from '@docwright/contract';
import type { Connection } from 'mongoose';
import type { HeadlessQueue } from '../headless/headless-queue.ts';
import { createGoingRunRepository } from './going-run-repository.ts';
import { createMatchingDocumentRepositories } from './matching-document-repository.ts';
import { createRunRepositories } from './run-repository.ts';
import { createRunService } from './run-service.ts';
import { createRunWorkService } from './run-work-service.ts';

export type RunServices = ReturnType<typeof createRunServices>;

export function createRunServices(dependencies: {
  connection: Connection;
  queue: HeadlessQueue;
  toolNames: readonly string[];
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  promptExists: (organizationId: string, promptId: string) => Promise<boolean>;
  roleOf: (organizationId: string, userId: string) => Promise<Role | undefined>;
  scheduleMaker: (organizationId: string, scheduleId: string) => Promise<string | undefined>;
  wake: () => Promise<void>;
  log: { error(fields: object, message: string): void };
}) {
  const { connection, queue, toolNames, checkTags, promptExists, roleOf, scheduleMaker, wake, log } = dependencies;
  const runsOf = createRunRepositories(connection);
  const matchingOf = createMatchingDocumentRepositories(connection);
  const going = createGoingRunRepository(connection);
  return {
    runsOf,
    runs: createRunService({ runsOf, matchingOf, queue, toolNames, checkTags, scheduleMaker, wake }),
    work: createRunWorkService({ going, queue, matchingOf, roleOf, checkTags, promptExists, log }),
  };
}
