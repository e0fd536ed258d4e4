import { defineFeature } from '../../platform/feature.ts';
import type { DocumentHooks } from '../documents/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { evaluationRoutes } from './evaluation-routes.ts';
import {
  createEvaluationRemoval,
  createEvaluationServices,
  evaluateJobName,
  sumsJobName,
  type EvaluationNeeds,
} from './evaluation-services.ts';

/** Evaluations of prompts and models against verified results. */
export const evaluationsFeature = defineFeature({
  create({ documentHooks, ...needs }: EvaluationNeeds & { documentHooks: DocumentHooks; streams: StreamAdmission }) {
    documentHooks.onRemove(createEvaluationRemoval(needs.connection));
    return createEvaluationServices(needs);
  },
  routes: async (app, { streams, ...services }) => app.register(evaluationRoutes, { services, streams }),
  // Several at a time, so that a long one does not block the others.
  jobs: ({ evaluationWorker, accuracySums }) => [
    {
      name: evaluateJobName,
      everyMs: 10_000,
      quietEveryMs: 60_000,
      concurrency: 4,
      run: (signal) => evaluationWorker.work(signal),
    },
    { name: sumsJobName, everyMs: 600_000, concurrency: 1, run: (signal) => accuracySums.keepUp(signal) },
  ],
});
