import { features, type Services } from './features.ts';

/** Starts the jobs and background work of all features in this process, until the application closes. */
export async function startJobs(services: Services): Promise<void> {
  await services.jobs.start(features.jobs(services));
  features.start(services);
}
