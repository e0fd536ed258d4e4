import { features, type Services } from './features.ts';

/** Runs every feature's jobs in this process, and work without a caller, until the application closes. */
export async function startJobs(services: Services): Promise<void> {
  await services.jobs.start(features.jobs(services));
  features.start(services);
}
