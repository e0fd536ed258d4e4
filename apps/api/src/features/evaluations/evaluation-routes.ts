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
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { Actor } from '../identity/index.ts';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import type { AccuracyService } from './accuracy-service.ts';
import type { EvaluationService } from './evaluation-service.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const tags = ['evaluations'];
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
    {
      schema: {
        tags,
        operationId: 'getPromptAccuracy',
        summary: 'Tell how right a prompt is',
        description:
          'Of every document the newest verified result under any revision of the prompt: what the model first answered, held against what people made of it. `untouched` documents were verified without any correction. It costs nothing. The 10,000 results that were changed last count. `straight_through` is what the prompt’s `review_policy` does: values that it accepts now, their `share` of all values, and of the documents drawn as sample the values that it would have accepted and a person looked at (`sampled`), with how many of those were wrong (`sampled_wrong`).',
        params: listPath.extend({ id: objectId.describe('A prompt_id') }),
        errors: ['prompt_not_found'],
        response: { 200: promptAccuracy },
      },
    },
    async (request) => accuracy(request.actor).ofPrompt(request.params.id),
  );

  app.post(
    path,
    {
      schema: {
        tags,
        operationId: 'createEvaluation',
        summary: 'Measure a change to a prompt',
        description:
          'For admins and members. Extracts from documents whose results people have verified, with the changed prompt, and compares what comes of it with the verified results and with what the prompt finds now. What the body leaves out is as it is now. It changes nothing and stores no extraction; every model call is charged as always. Measured are `document_ids`, or the `max_documents` (20) that were verified or edited last. `baseline`: `auto` takes the stored first answer where it came from the current revision and the same model and runs the current revision otherwise; `stored` and `run` do one of both for all.',
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
      },
    },
    async (request, reply) => reply.code(201).send(await evaluations(request.actor).create(request.body)),
  );

  app.post(
    `${path}/estimate`,
    {
      schema: {
        tags,
        operationId: 'estimateEvaluation',
        summary: 'Tell what an evaluation would cost',
        description:
          'Starts nothing. `documents` would be measured; `spu_estimated` is what extracting from them has cost before, twice where the current revision has to be run as well, and 1 SPU for each example that is shown.',
        params: listPath,
        body,
        errors: ['nothing_verified', 'unknown_reference', 'invalid_schema', 'model_not_enabled'],
        response: { 200: evaluationEstimate },
      },
    },
    async (request) => evaluations(request.actor).estimate(request.body),
  );

  app.get(
    path,
    {
      schema: {
        tags,
        operationId: 'listEvaluations',
        summary: 'List evaluations',
        description: 'The newest first.',
        params: listPath,
        querystring: evaluationListQuery,
        response: { 200: evaluationList },
      },
    },
    async (request) => evaluations(request.actor).list(request.query),
  );

  app.get(
    `${path}/:evaluation_id`,
    {
      schema: {
        tags,
        operationId: 'getEvaluation',
        summary: 'Get an evaluation',
        description: 'Totals and fields are of the documents that are done (`documents.done`) by now.',
        params: evaluationPath,
        errors: ['evaluation_not_found'],
        response: { 200: evaluation },
      },
    },
    async (request) => evaluations(request.actor).get(request.params.evaluation_id),
  );

  app.get(
    `${path}/:evaluation_id/differences`,
    {
      schema: {
        tags,
        operationId: 'listEvaluationDifferences',
        summary: 'List the values that a change makes different',
        description:
          'Broken first, then fixed, changed, spurious, unknown and removed. `grounding` is where the verified value stands on the page, `after_grounding` where the value after the change does; boxes are fractions of the page. Documents that were deleted since are left out; of one document 500 at most are kept.',
        params: evaluationPath,
        querystring: differenceListQuery,
        errors: ['evaluation_not_found'],
        response: { 200: differenceList },
      },
    },
    async (request) => evaluations(request.actor).differences(request.params.evaluation_id, request.query),
  );

  app.post(
    `${path}/:evaluation_id/stop`,
    {
      schema: {
        tags,
        operationId: 'stopEvaluation',
        summary: 'Stop an evaluation',
        description:
          'For who asked for it and admins. Documents that are being measured are finished, no others are begun; what is measured stays.',
        params: evaluationPath,
        errors: ['evaluation_not_found', 'evaluation_ended', 'not_yours', 'viewer_cannot_write'],
        response: { 200: evaluation },
      },
    },
    async (request) => evaluations(request.actor).stop(request.params.evaluation_id),
  );

  app.get(
    `${path}/:evaluation_id/events`,
    {
      sse: 'manual',
      schema: {
        tags,
        operationId: 'followEvaluation',
        summary: 'Follow an evaluation (SSE)',
        description:
          '`evaluation` with how it stands, first and whenever that changes, and `done` when it has ended, after which the stream ends. Any process serves it, whichever works on the evaluation.',
        params: evaluationPath,
        errors: ['evaluation_not_found', 'too_many_streams'],
        response: {
          200: { description: 'The events.', content: { 'text/event-stream': { schema: evaluationEvent } } },
        },
      },
    },
    async (request, reply) => {
      await sendEvents(reply, streams.stream(request, reply), (signal) =>
        evaluationEvents(evaluations(request.actor), request.params.evaluation_id, signal),
      );
    },
  );
};

/** Between two looks: the records are the only thing that all processes share. */
const pollEveryMs = 500;

/** How an evaluation stands now, every change of it, and its end, until `signal` aborts. @throws `evaluation_not_found` */
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
    await sleep(pollEveryMs, undefined, { signal }).catch(() => undefined);
  }
}
