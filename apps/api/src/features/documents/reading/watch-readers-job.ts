import type { ReadingWatch } from './reading-watch-service.ts';
import type { Job } from '../../../platform/jobs/job-runner.ts';

/** Frees the documents of readers that died. */
export function createWatchReadersJob(watch: ReadingWatch): Job {
  return {
    name: 'watch-readers',
    everyMs: 5_000,
    concurrency: 1,
    run: () => watch.look(),
  };
}
