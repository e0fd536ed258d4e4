import {
  createEvaluationBody,
  differenceList,
  differenceListQuery,
  evaluation,
  evaluationEstimate,
  evaluationEvent,
  evaluationList,
  evaluationListQuery,
  objectId,
  promptAccuracy,
  type EvaluationEvent,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { pollInTurn } from '../../platform/places/polls.ts';
import { operationsOf } from '../../platform/http/operation.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { Actor } from '../identity/index.ts';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import type { AccuracyService } from './accuracy-service.ts';
import type { EvaluationService } from './evaluation-service.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const operation = operationsOf('evaluations');
const listPath = z.object({ org_id: objectId });
const evaluationPath = listPath.extend({ evaluation_id: objectId });
const path = '/v0/orgs/:org_id/evaluations';
const body = createEvaluationBody.meta({
  examples: [
    {
      prompt_id: '6650f1c2a4b3d2e1f0a9b8c7',
      content: 'Read the invoice. Amounts of a credit note are negative.',
      max_documents: 20,
    },
  ],
});

export const evaluationRoutes: FastifyPluginAsyncZod<{
  services: { evaluations: (actor: Actor) => EvaluationService; accuracy: (actor: Actor) => AccuracyService };
  streams: StreamAdmission;
}> = async (app, { services: { evaluations, accuracy }, streams }) => {
  app.get(
    '/v0/orgs/:org_id/prompts/:id/accuracy',
    operation({
      operationId: 'getPromptAccuracy',
      summary: 'Get the accuracy of a prompt',
      description:
        'Compares the model’s original answer with the newest verified result of each document, of any revision of the prompt. `untouched` documents were verified without any correction. Values that users verified without having seen them count in `unseen`, not in `values`. It costs nothing. Of many verified results that were not summed yet, the 10,000 last changed count meanwhile. `straight_through` is the effect of the prompt’s `review_policy`: the values that it accepts now, their `share` of all values, the values of sampled documents that it would have accepted and that a user checked (`sampled`), and how many of those were wrong (`sampled_wrong`).',
      params: listPath.extend({ id: objectId.describe('A prompt_id') }),
      errors: ['prompt_not_found'],
      response: { 200: promptAccuracy },
    }),
    async (request) => accuracy(request.actor).ofPrompt(request.params.id),
  );

  app.post(
    path,
    operation({
      operationId: 'createEvaluation',
      summary: 'Measure a change to a prompt',
      description:
        'For admins and members. Extracts from documents with verified results using the changed prompt, and compares the results with the verified ones and with those of the current prompt. Omitted fields keep their current values. It changes nothing and stores no extraction; every model call is charged as usual. It measures `document_ids`, or the last verified or edited `max_documents` (20). `baseline`: `auto` uses the stored original answer if it came from the current revision and the same model, and runs the current revision otherwise; `stored` and `run` do one of the two for all documents.',
      params: listPath,
      body,
      errors: [
        'nothing_verified',
        'nothing_comparable',
        'unknown_reference',
        'invalid_schema',
        'model_not_enabled',
        'budget_exhausted',
        'viewer_cannot_write',
        'too_many_evaluations',
      ],
      response: { 201: evaluation },
    }),
    async (request, reply) => reply.code(201).send(await evaluations(request.actor).create(request.body)),
  );

  app.post(
    `${path}/estimate`,
    operation({
      operationId: 'estimateEvaluation',
      summary: 'Estimate the cost of an evaluation',
      description:
        'Starts nothing. `documents` is the number of documents to measure. `spu_estimated` is the previous cost of extracting from them, doubled if the current revision must run as well, plus 1 SPU for each example.',
      params: listPath,
      body,
      errors: ['nothing_verified', 'unknown_reference', 'invalid_schema', 'model_not_enabled'],
      response: { 200: evaluationEstimate },
    }),
    async (request) => evaluations(request.actor).estimate(request.body),
  );

  app.get(
    path,
    operation({
      operationId: 'listEvaluations',
      summary: 'List evaluations',
      description: 'Newest first.',
      params: listPath,
      querystring: evaluationListQuery,
      response: { 200: evaluationList },
    }),
    async (request) => evaluations(request.actor).list(request.query),
  );

  app.get(
    `${path}/:evaluation_id`,
    operation({
      operationId: 'getEvaluation',
      summary: 'Get an evaluation',
      description: 'Totals and fields cover the documents that are done (`documents.done`).',
      params: evaluationPath,
      errors: ['evaluation_not_found'],
      response: { 200: evaluation },
    }),
    async (request) => evaluations(request.actor).get(request.params.evaluation_id),
  );

  app.get(
    `${path}/:evaluation_id/differences`,
    operation({
      operationId: 'listEvaluationDifferences',
      summary: 'List the values that differ after a change',
      description:
        'Broken first, then fixed, changed, spurious, unknown and removed. `grounding` is the place of the verified value on the page, `after_grounding` that of the value after the change; boxes are fractions of the page. Deleted documents are left out. At most 500 differences are stored for each document.',
      params: evaluationPath,
      querystring: differenceListQuery,
      errors: ['evaluation_not_found'],
      response: { 200: differenceList },
    }),
    async (request) => evaluations(request.actor).differences(request.params.evaluation_id, request.query),
  );

  app.post(
    `${path}/:evaluation_id/stop`,
    operation({
      operationId: 'stopEvaluation',
      summary: 'Stop an evaluation',
      description:
        'For admins and the user who started it. Documents in progress are finished and no others are started; results so far are kept.',
      params: evaluationPath,
      errors: ['evaluation_not_found', 'evaluation_ended', 'not_yours', 'viewer_cannot_write'],
      response: { 200: evaluation },
    }),
    async (request) => evaluations(request.actor).stop(request.params.evaluation_id),
  );

  app.get(
    `${path}/:evaluation_id/events`,
    {
      sse: 'manual',
      ...operation({
        operationId: 'followEvaluation',
        summary: 'Follow an evaluation (SSE)',
        description:
          'Sends `evaluation` with its current state at once and whenever that changes, and `done` at its end, which closes the stream. Any process can serve it, whichever works on the evaluation.',
        params: evaluationPath,
        errors: ['evaluation_not_found', 'too_many_streams'],
        response: {
          200: { description: 'The events.', content: { 'text/event-stream': { schema: evaluationEvent } } },
        },
      }),
    },
    async (request, reply) => {
      const service = evaluations(request.actor);
      const polled = { get: (id: string) => pollInTurn(request.actor, () => service.get(id)) };
      await sendEvents(reply, streams.stream(request, reply), (signal) =>
        evaluationEvents(polled, request.params.evaluation_id, signal),
      );
    },
  );
};

const pollMs = 500;

/**
 * Yields an evaluation now and after every change, until it ends or `signal` aborts. Polls the records, which show the
 * progress of any process. @throws `evaluation_not_found`
 */
async function* evaluationEvents(
  service: Pick<EvaluationService, 'get'>,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<EvaluationEvent> {
  let sent = '';
  while (!signal.aborted) {
    const evaluation = await service.get(id);
    const written = JSON.stringify(evaluation);
    if (written !== sent) {
      sent = written;
      yield { type: 'evaluation', evaluation };
    }
    if (evaluation.ended_at !== null) {
      yield { type: 'done', evaluation };
      return;
    }
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}
