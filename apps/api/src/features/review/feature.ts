import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';
import type { DocumentHooks } from '../documents/index.ts';
import {
  type ExtractionServices,
  createMatchingDocumentRepositories,
  createResultSweeps,
} from '../extractions/index.ts';
import type { PromptHooks } from '../prompts/index.ts';
import { createDrawnDocuments } from '../release/index.ts';
import { createReviewReaders, createFitQueue, createRiskModels } from '../value-risk/index.ts';
import { createCalibrationService, type CalibrationService } from './calibration-service.ts';
import { createDocumentMarks, createDocumentResults } from './document-results-repository.ts';
import { createQueueUpdater, type QueueUpdater } from './queue-updater.ts';
import { createReviewLeases } from './review-lease-repository.ts';
import { createReviewQueues } from './review-queue-repository.ts';
import { reviewRoutes } from './review-routes.ts';
import { createReviewService } from './review-service.ts';
import { createStraightThroughSums } from './straight-through-repository.ts';
import { createReviewedResults } from './reviewed-result-repository.ts';

interface ReviewNeeds extends Pick<ExtractionServices, 'extractions'> {
  connection: Connection;
  documentHooks: DocumentHooks;
  promptHooks: PromptHooks;
  jobs: Pick<JobQueue, 'wake'>;
  logger: FastifyBaseLogger;
}

const queueJobName = 'update review queue';
const calibrationJobName = 'calibrate risks';
const sumsJobName = 'keep the sums of review';

/** The review queue, and the calibration of risks from verified values. */
export const reviewFeature = defineFeature({
  create({ connection, extractions, documentHooks, promptHooks, jobs, logger }: ReviewNeeds) {
    const queueOf = createReviewQueues(connection);
    const leasesOf = createReviewLeases(connection);
    const readerOf = createReviewReaders(connection);
    const matchingOf = createMatchingDocumentRepositories(connection);
    const results = createReviewedResults(connection);
    documentHooks.provideResults(createDocumentResults(connection));
    documentHooks.onRemove(async (organizationId, documentId) => {
      await queueOf(organizationId).remove(documentId);
      await leasesOf(organizationId).remove(documentId);
    });
    const rescorings = createResultSweeps(connection, 'review_rescorings', { is_verified: false });
    const rescore = async (organizationId: string, promptId: string) => {
      await rescorings.request(organizationId, promptId);
      await jobs.wake(queueJobName);
    };
    promptHooks.onPolicyChange(async (organizationId, promptId, changed) => {
      // The policy of releases changes no risk.
      if (changed.includes('review_policy')) await rescore(organizationId, promptId);
    });
    const queueUpdater: QueueUpdater = createQueueUpdater({
      results,
      rescorings,
      queueOf,
      readerOf,
      modelsOf: createRiskModels(connection),
      markDocument: createDocumentMarks(connection),
      wakeCalibration: () => jobs.wake(calibrationJobName),
      log: logger,
    });
    const calibration: CalibrationService = createCalibrationService({
      results,
      queue: createFitQueue(connection),
      rescore,
      log: logger,
    });
    const review = createReviewService({
      queueOf,
      leasesOf,
      readerOf,
      results,
      drawn: createDrawnDocuments(connection),
      updater: queueUpdater,
      namesOf: (organizationId, ids) => matchingOf(organizationId).namesOf(ids),
      extractions,
    });
    const straightThrough = createStraightThroughSums(connection, () => jobs.wake(sumsJobName));
    return { review, queueUpdater, calibration, straightThrough, warmQueues: once((signal) => queueOf.warm(signal)) };
  },
  routes: async (app, services) => app.register(reviewRoutes, { services }),
  jobs: ({ queueUpdater, calibration, straightThrough, warmQueues }): Job[] => [
    {
      name: queueJobName,
      everyMs: 15_000,
      quietEveryMs: 60_000,
      wokenBy: ['extractions'],
      concurrency: 1,
      async run(signal) {
        await warmQueues(signal);
        await queueUpdater.work(signal);
      },
    },
    { name: calibrationJobName, everyMs: 15_000, concurrency: 1, run: (signal) => calibration.work(signal) },
    { name: sumsJobName, everyMs: 600_000, concurrency: 1, run: (signal) => straightThrough.keepUp(signal) },
  ],
});

/** Runs only the first time: once in each process, after its start. */
function once(run: (signal: AbortSignal) => Promise<void>): (signal: AbortSignal) => Promise<void> {
  let isDone = false;
  return async (signal) => {
    if (isDone) return;
    isDone = true;
    await run(signal);
  };
}
