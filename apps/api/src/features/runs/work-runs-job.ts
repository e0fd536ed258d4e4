import type { RunWorkService } from './run-work-service.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';

export const workRunsJobName = 'work-runs';

/** Hands the documents of runs to the queue, ends runs that are done, and undoes those that are to be. */
export function createWorkRunsJob(works: Pick<RunWorkService, 'work'>[]): Job {
  return {
    name: workRunsJobName,
    everyMs: 5_000,
    concurrency: 1,
    run: async (signal) => void (await Promise.all(works.map((each) => each.work(signal)))),
  };
}
