import type { TextReadingService } from './text-reading-service.ts';
import type { Job } from '../../../platform/jobs/job-runner.ts';

export const readTextsJobName = 'read-texts';

/** Reads the texts of uploaded documents. Two at a time, so that one long document does not block the others. */
export function createReadTextsJob(textReading: TextReadingService): Job {
  return {
    name: readTextsJobName,
    everyMs: 5_000,
    concurrency: 2,
    run: (signal) => textReading.readAll(signal),
  };
}
