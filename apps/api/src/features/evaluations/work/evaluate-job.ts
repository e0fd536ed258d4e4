import type { Job } from '../../../platform/jobs/job-runner.ts';
import type { EvaluationWorker } from './evaluation-worker.ts';

export const evaluateJobName = 'evaluate';

/** Works on evaluations: several side by side, so that a long one does not hold up the others. */
export const createEvaluateJob = (worker: EvaluationWorker): Job => ({
  name: evaluateJobName,
  everyMs: 3_000,
  concurrency: 4,
  run: (signal) => worker.work(signal),
});
