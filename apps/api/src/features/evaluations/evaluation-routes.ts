import type { FastifyPluginAsync } from 'fastify';
import type { EvaluationEvent } from '@docwright/contract';
import { pollInTurn } from '../../platform/places/polls.ts';
import { routesOf } from '../../platform/http/route.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { Actor } from '../identity/index.ts';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import type { AccuracyService } from './accuracy-service.ts';
import type { EvaluationService } from './evaluation-service.ts';
import { setTimeout as sleep } from 'node:timers/promises';

export const evaluationRoutes: FastifyPluginAsync<{
  services: { evaluations: (actor: Actor) => EvaluationService; accuracy: (actor: Actor) => AccuracyService };
  streams: StreamAdmission;
}> = async (app, { services: { evaluations, accuracy }, streams }) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/prompts/:id/accuracy', ({ actor, params }) => accuracy(actor).ofPrompt(params.id));
  route('POST /v0/orgs/:org_id/evaluations', ({ actor, body }) => evaluations(actor).create(body));
  route('POST /v0/orgs/:org_id/evaluations/estimate', ({ actor, body }) => evaluations(actor).estimate(body));
  route('GET /v0/orgs/:org_id/evaluations', ({ actor, query }) => evaluations(actor).list(query));
  route('GET /v0/orgs/:org_id/evaluations/:evaluation_id', ({ actor, params }) =>
    evaluations(actor).get(params.evaluation_id),
  );
  route('GET /v0/orgs/:org_id/evaluations/:evaluation_id/differences', ({ actor, params, query }) =>
    evaluations(actor).differences(params.evaluation_id, query),
  );
  route('POST /v0/orgs/:org_id/evaluations/:evaluation_id/stop', ({ actor, params }) =>
    evaluations(actor).stop(params.evaluation_id),
  );

  route('GET /v0/orgs/:org_id/evaluations/:evaluation_id/events', { sse: 'manual' }, async (request, reply) => {
    const service = evaluations(request.actor);
    const polled = { get: (id: string) => pollInTurn(request.actor, () => service.get(id)) };
    await sendEvents(reply, streams.stream(request, reply), (signal) =>
      evaluationEvents(polled, request.params.evaluation_id, signal),
    );
  });
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
