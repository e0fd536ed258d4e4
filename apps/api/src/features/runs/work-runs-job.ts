import type { RunWorkService } from './run-work-service.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';

export const workRunsJobName = 'work-runs';

/** Queues the documents of runs, ends finished runs, and undoes runs on request. */
export function createWorkRunsJob(services: Pick<RunWorkService, 'work'>[]): Job {
  return {
    name: workRunsJobName,
    everyMs: 5_000,
    concurrency: 1,
    run: async (signal) => void (await Promise.all(services.map((service) => service.work(signal)))),
  };
}
