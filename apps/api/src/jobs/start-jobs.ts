import type { Services } from '../services.ts';
import { createBeginDueRunsJob } from './begin-due-runs-job.ts';
import { createHeadlessJob } from './headless-job.ts';
import { createIndexCollectionsJob } from './index-collections-job.ts';
import { createReadTextsJob } from './read-texts-job.ts';
import { createRecognizePagesJob } from './recognize-pages-job.ts';
import { createSetSchedulesRightJob } from './set-schedules-right-job.ts';
import { createSweepDocumentsJob } from './sweep-documents-job.ts';
import { createWatchReadersJob } from './watch-readers-job.ts';
import { createWorkRunsJob } from './work-runs-job.ts';

/** Runs every job in this process, and work that nobody watches, until the application closes. */
export async function startJobs({
  jobs,
  documents,
  headless,
  dueSchedules,
  runWork,
  pipelines,
}: Pick<Services, 'jobs' | 'documents' | 'headless' | 'dueSchedules' | 'runWork' | 'pipelines'>): Promise<void> {
  await jobs.start([
    createReadTextsJob(documents.textReading),
    createRecognizePagesJob(documents.recognition),
    createWatchReadersJob(documents.readingWatch),
    createSweepDocumentsJob(documents.sweeping),
    createHeadlessJob(headless),
    createBeginDueRunsJob(dueSchedules),
    createSetSchedulesRightJob(dueSchedules),
    createWorkRunsJob(runWork),
    createIndexCollectionsJob(pipelines.indexing),
  ]);
  headless.worker.start();
}
