import type { Job } from '../../../platform/jobs/job-runner.ts';
import type { EvaluationWorker } from './evaluation-worker.ts';

export const evaluateJobName = 'evaluate';

/** Runs evaluations. Several at a time, so that a long one does not block the others. */
export const createEvaluateJob = (worker: EvaluationWorker): Job => ({
  name: evaluateJobName,
  everyMs: 3_000,
  concurrency: 4,
  run: (signal) => worker.work(signal),
});
