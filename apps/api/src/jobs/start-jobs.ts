import type { Services } from '../services.ts';
import { createReadTextsJob } from './read-texts-job.ts';
import { createRecognizePagesJob } from './recognize-pages-job.ts';
import { createSweepDocumentsJob } from './sweep-documents-job.ts';

/** Runs every job in this process, until the application closes. */
export async function startJobs({ jobs, documents }: Pick<Services, 'jobs' | 'documents'>): Promise<void> {
  await jobs.start([
    createReadTextsJob(documents.textReading),
    createRecognizePagesJob(documents.recognition),
    createSweepDocumentsJob(documents.sweeping),
  ]);
}
