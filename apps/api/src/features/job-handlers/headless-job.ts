import type { HeadlessServices } from './headless-services.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';

export const headlessJobName = 'run-without-a-person';

/** Tells the worker of this process that there may be work; the work itself is not done inside the job. */
export function createHeadlessJob(headless: Pick<HeadlessServices, 'tidy'>): Job {
  return {
    name: headlessJobName,
    everyMs: 60_000,
    concurrency: 1,
    run: () => headless.tidy(),
  };
}
