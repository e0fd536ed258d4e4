import type { SweepingService } from './sweeping-service.ts';
import type { Job } from '../../../platform/jobs/job-runner.ts';

/** Cleans up after dead processes, and purges documents that were deleted long ago. */
export function createSweepDocumentsJob(sweeping: SweepingService): Job {
  return {
    name: 'sweep-documents',
    everyMs: 60_000,
    concurrency: 1,
    run: (signal) => sweeping.sweep(signal),
  };
}
