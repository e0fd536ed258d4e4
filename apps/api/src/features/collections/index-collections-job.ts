import type { IndexingService } from './indexing-service.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';

export const indexCollectionsJobName = 'index-collections';

/** Indexes the documents of collections. */
export function createIndexCollectionsJob(indexing: IndexingService): Job {
  return {
    name: indexCollectionsJobName,
    everyMs: 10_000,
    quietEveryMs: 60_000,
    concurrency: 2,
    run: (signal) => indexing.work(signal),
  };
}
