import type { Job } from '../../platform/jobs/job-runner.ts';

/** Goes on with decisions that a process which died has left. */
export function createRecoverDecisionsJob(recover: () => Promise<void>): Job {
  return { name: 'recover-decisions', everyMs: 30_000, concurrency: 1, run: () => recover() };
}
