import type { HeadlessServices } from './headless-services.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';

export const headlessJobName = 'run-without-a-person';

/** Wakes this process's worker and finishes interrupted work; the runs themselves are not executed inside the job. */
export function createHeadlessJob(headless: Pick<HeadlessServices, 'tidy'>): Job {
  return {
    name: headlessJobName,
    everyMs: 60_000,
    concurrency: 1,
    run: () => headless.tidy(),
  };
}
