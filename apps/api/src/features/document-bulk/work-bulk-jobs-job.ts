import type { Job } from '../../platform/jobs/job-runner.ts';
import type { BulkWorkService } from './bulk-work-service.ts';

export const workBulkJobsJobName = 'work-bulk-jobs';

/** Executes bulk jobs. Several at a time, so that a long one does not block short ones. */
export function createWorkBulkJobsJob(work: BulkWorkService): Job {
  return {
    name: workBulkJobsJobName,
    everyMs: 5_000,
    concurrency: 3,
    run: (signal) => work.work(signal),
  };
}
