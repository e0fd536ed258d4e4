import type { ReadingWatch } from './reading-watch-service.ts';
import type { Job } from '../../../platform/jobs/job-runner.ts';

/** Requeues the documents of dead readers. */
export function createWatchReadersJob(watch: ReadingWatch): Job {
  return {
    name: 'watch-readers',
    everyMs: 5_000,
    concurrency: 1,
    run: () => watch.requeueOrphans(),
  };
}
