import { backfillBody, backfillReport, objectId, startedBackfill } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { Actor } from '../identity/index.ts';
import type { BackfillService } from './backfill-service.ts';

const operation = operationsOf('results');
const promptPath = z.object({ org_id: objectId, prompt_id: objectId });

/** Runs of a prompt on documents that were there before it. */
export const backfillRoutes: FastifyPluginAsyncZod<{
  services: { backfill: (actor: Actor) => BackfillService };
}> = async (app, { services: { backfill } }) => {
  app.post(
    '/v0/orgs/:org_id/prompts/:prompt_id/backfill',
    operation({
      operationId: 'backfillPrompt',
      summary: 'Run the current revision of a prompt on existing documents',
      description:
        'Without `filter`: the documents with a tag of the prompt, and those with a result of an earlier revision. Documents whose result is of the current revision, and duplicates, are left out. The first request answers 409 `confirm_required` with the estimate; repeat it with `confirm: { "extractions": n }`. If the number has changed meanwhile, the answer is the new estimate. `sample` first measures the revision on verified documents (`evaluation`) and runs nothing else. The run can be stopped and undone, and stops at the end of the budget; `GET …/backfill/{run_id}` counts what it changed.',
      params: promptPath,
      body: backfillBody.meta({ examples: [{ sample: 20 }] }),
      errors: [
        'prompt_not_found',
        'confirm_required',
        'documents_needed',
        'too_many_documents',
        'too_many_runs',
        'viewer_cannot_write',
        'nothing_verified',
        'nothing_comparable',
        'too_many_evaluations',
        'budget_exhausted',
        'invalid_schema',
        'model_not_enabled',
        'unknown_reference',
      ],
      response: { 202: startedBackfill },
    }),
    async (request, reply) => {
      const started = await backfill(request.actor).start(request.params.prompt_id, request.body);
      return reply.code(202).send(started);
    },
  );

  app.get(
    '/v0/orgs/:org_id/prompts/:prompt_id/backfill/:run_id',
    operation({
      operationId: 'getBackfill',
      summary: 'Show what a back-fill has changed',
      description:
        'The run, and the difference in leaves (single values) between the results before and after it; rows of lists are matched by their values. Results that were edited since count as the run wrote them.',
      params: promptPath.extend({ run_id: objectId }),
      errors: ['prompt_not_found', 'run_not_found'],
      response: { 200: backfillReport },
    }),
    async (request) => backfill(request.actor).report(request.params.prompt_id, request.params.run_id),
  );
};
