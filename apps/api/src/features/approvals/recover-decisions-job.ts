import type { Job } from '../../platform/jobs/job-runner.ts';

/** Executes decisions whose process died. */
export function createRecoverDecisionsJob(recover: () => Promise<void>): Job {
  return { name: 'recover-decisions', everyMs: 30_000, concurrency: 1, run: () => recover() };
}
