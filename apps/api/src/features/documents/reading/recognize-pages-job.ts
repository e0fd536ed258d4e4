import { recognitionConcurrency } from '@docwright/documents';
import type { RecognitionService } from './recognition-service.ts';
import type { Job } from '../../../platform/jobs/job-runner.ts';

export const recognizePagesJobName = 'recognize-pages';

/** Recognises pages without a text layer, as many documents at a time as the machine can process. */
export function createRecognizePagesJob(recognition: RecognitionService): Job {
  return {
    name: recognizePagesJobName,
    everyMs: 60_000,
    concurrency: recognitionConcurrency,
    run: (signal) => recognition.recognizeAll(signal),
  };
}
