import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import type { DocumentServices, DocumentHooks } from '../documents/index.ts';
import type { ExamplesFor, ExtractionServices } from '../extractions/index.ts';
import type { IdentityServices } from '../identity/index.ts';
import type { LlmServices } from '../llm/index.ts';
import type { ResultIndexRepository } from '../results/index.ts';
import type { StraightThroughSums } from '../review/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { evaluationRoutes } from './evaluation-routes.ts';
import { createEvaluationRemoval, createEvaluationServices } from './evaluation-services.ts';

const evaluateJobName = 'evaluate';
const sumsJobName = 'keep the sums of accuracy';

interface EvaluationNeeds {
  connection: Connection;
  artifacts: Pick<ExtractionServices, 'prompts' | 'schemas'> &
    Pick<DocumentServices, 'documents'> & { examplesFor: ExamplesFor };
  models: LlmServices['models'];
  llmFor: LlmServices['llmFor'];
  identity: Pick<IdentityServices, 'roleOf' | 'evaluationSettings'>;
  documentHooks: DocumentHooks;
  jobs: Pick<JobQueue, 'wake'>;
  straightThrough: Pick<StraightThroughSums, 'ofPrompt'>;
  resultIndex: ResultIndexRepository;
  requireBudget: (organizationId: string) => Promise<void>;
  logger: FastifyBaseLogger;
  streams: StreamAdmission;
}

/** Evaluations of prompts and models against verified results. */
export const evaluationsFeature = defineFeature({
  create(needs: EvaluationNeeds) {
    const { connection, artifacts, models, llmFor, identity, documentHooks, jobs, straightThrough, requireBudget } =
      needs;
    documentHooks.onRemove(createEvaluationRemoval(connection));
    return createEvaluationServices({
      connection,
      documents: artifacts.documents,
      prompts: artifacts.prompts,
      schemas: artifacts.schemas,
      models,
      llmFor,
      examplesFor: artifacts.examplesFor,
      identity,
      straightThrough,
      resultIndex: needs.resultIndex,
      requireBudget,
      wake: () => jobs.wake(evaluateJobName),
      wakeSums: () => jobs.wake(sumsJobName),
      log: needs.logger,
    });
  },
  routes: async (app, { streams, ...services }) => app.register(evaluationRoutes, { services, streams }),
  // Several at a time, so that a long one does not block the others.
  jobs: ({ evaluationWorker, accuracySums }) => [
    { name: evaluateJobName, everyMs: 10_000, concurrency: 4, run: (signal) => evaluationWorker.work(signal) },
    { name: sumsJobName, everyMs: 600_000, concurrency: 1, run: (signal) => accuracySums.keepUp(signal) },
  ],
});
