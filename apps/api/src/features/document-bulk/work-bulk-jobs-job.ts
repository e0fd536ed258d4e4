import type { Job } from '../../platform/jobs/job-runner.ts';
import type { BulkWorkService } from './bulk-work-service.ts';

export const workBulkJobsJobName = 'work-bulk-jobs';

/** Carries out bulk jobs over documents; several side by side, so that a long one holds up no short one. */
export function createWorkBulkJobsJob(work: BulkWorkService): Job {
  return {
    name: workBulkJobsJobName,
    everyMs: 5_000,
    concurrency: 3,
    run: (signal) => work.work(signal),
  };
}
