import type { Services } from './services.ts';
import { createBeginDueRunsJob } from '../features/schedules/begin-due-runs-job.ts';
import { createEvaluateJob } from '../features/evaluations/evaluate-job.ts';
import { createHeadlessJob } from '../features/job-handlers/headless-job.ts';
import { createIndexCollectionsJob } from '../features/collections/index-collections-job.ts';
import { createReadTextsJob } from '../features/documents/reading/read-texts-job.ts';
import { createRecognizePagesJob } from '../features/documents/reading/recognize-pages-job.ts';
import { createSetSchedulesRightJob } from '../features/schedules/set-schedules-right-job.ts';
import { createSweepDocumentsJob } from '../features/documents/removal/sweep-documents-job.ts';
import { createWatchReadersJob } from '../features/documents/reading/watch-readers-job.ts';
import { createWorkBulkJobsJob } from '../features/document-bulk/work-bulk-jobs-job.ts';
import { createWorkRunsJob } from '../features/runs/work-runs-job.ts';

/** Runs every job in this process, and work that nobody watches, until the application closes. */
export async function startJobs({
  jobs,
  documents,
  headless,
  dueSchedules,
  runWork,
  runUndo,
  bulk,
  pipelines,
  evaluationWorker,
}: Pick<
  Services,
  'jobs' | 'documents' | 'headless' | 'dueSchedules' | 'runWork' | 'runUndo' | 'bulk' | 'pipelines' | 'evaluationWorker'
>): Promise<void> {
  await jobs.start([
    createReadTextsJob(documents.textReading),
    createRecognizePagesJob(documents.recognition),
    createWatchReadersJob(documents.readingWatch),
    createSweepDocumentsJob(documents.sweeping),
    createHeadlessJob(headless),
    createBeginDueRunsJob(dueSchedules),
    createSetSchedulesRightJob(dueSchedules),
    createWorkRunsJob([runWork, runUndo]),
    createWorkBulkJobsJob(bulk.work),
    createIndexCollectionsJob(pipelines.indexing),
    createEvaluateJob(evaluationWorker),
  ]);
  headless.worker.start();
}
