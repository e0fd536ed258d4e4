import type { RunWorkService } from './run-work-service.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';

export const workRunsJobName = 'work-runs';

/** Hands the documents of runs to the queue, and ends runs that are done. */
export function createWorkRunsJob(work: RunWorkService): Job {
  return {
    name: workRunsJobName,
    everyMs: 5_000,
    concurrency: 1,
    run: (signal) => work.work(signal),
  };
}
