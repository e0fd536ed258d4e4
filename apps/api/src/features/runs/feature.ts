import { documentAgentTools } from '@docwright/agent-core';
import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { AuditServices } from '../audit/index.ts';
import type { HeadlessQueue, ParkedRuns } from '../headless/index.ts';
import { createPromptCheck } from '../prompts/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { createTagCheck } from '../tags/index.ts';
import type { UndoServices } from '../undo/index.ts';
import { runRoutes } from './run-routes.ts';
import { createRunServices } from './run-services.ts';
import { queueLargeRunsJobName, undoRunsJobName, workRunsJobName } from './run-work-service.ts';

interface RunNeeds {
  connection: Connection;
  undoParts: UndoServices['parts'];
  auditOf: AuditServices['auditOf'];
  headless: { queue: HeadlessQueue; parked: Pick<ParkedRuns, 'end'> };
  /** The user who created a schedule; undefined if it was deleted. */
  scheduleCreator: (organizationId: string, scheduleId: string) => Promise<string | undefined>;
  jobs: Pick<JobQueue, 'wake' | 'poll'>;
  metrics: Pick<Metrics, 'runs'>;
  logger: FastifyBaseLogger;
  streams: StreamAdmission;
}

const toolNames = documentAgentTools.tools.map(({ name }) => name);

/** Runs: one task over many documents. */
export const runsFeature = defineFeature({
  create({ connection, undoParts, auditOf, headless, scheduleCreator, jobs, metrics, logger }: RunNeeds) {
    const { runs, runsOf, work, undoing } = createRunServices({
      connection,
      undo: undoParts,
      auditOf,
      endPending: (run) => headless.parked.end(run),
      queue: headless.queue,
      toolNames,
      checkTags: createTagCheck(connection),
      promptExists: createPromptCheck(connection),
      scheduleCreator,
      wake: () => jobs.wake(workRunsJobName),
      wakeUndo: () => jobs.wake(undoRunsJobName),
      wakeLarge: () => jobs.wake(queueLargeRunsJobName),
      poll: () => jobs.poll(workRunsJobName),
      onEnded: (action, state) => metrics.runs.inc({ action, state }),
      log: logger,
    });
    return { runs, runsOf, runWork: work, runUndo: undoing };
  },
  routes: async (app, { streams, ...services }) => app.register(runRoutes, { services, streams }),
  jobs: ({ runWork, runUndo }) => [
    {
      name: workRunsJobName,
      everyMs: 10_000,
      quietEveryMs: 60_000,
      concurrency: 1,
      run: (signal) => runWork.work(signal),
    },
    {
      name: undoRunsJobName,
      everyMs: 10_000,
      quietEveryMs: 60_000,
      concurrency: 2,
      run: (signal) => runUndo.work(signal),
    },
    {
      name: queueLargeRunsJobName,
      everyMs: 10_000,
      quietEveryMs: 60_000,
      concurrency: 1,
      run: (signal) => runWork.queueLarge(signal),
    },
  ],
});
