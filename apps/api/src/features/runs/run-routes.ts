import type { FastifyPluginAsync } from 'fastify';
import { pollInTurn } from '../../platform/places/polls.ts';
import { routesOf } from '../../platform/http/route.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { Actor } from '../identity/index.ts';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import type { RunService } from './run-service.ts';
import { runEvents } from './follow-run.ts';

export const runRoutes: FastifyPluginAsync<{
  services: { runs: (actor: Actor) => RunService };
  streams: StreamAdmission;
}> = async (app, { services: { runs }, streams }) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/runs', ({ actor, query }) => runs(actor).list(query));
  route('POST /v0/orgs/:org_id/runs', ({ actor, body }) => runs(actor).create(body));
  route('POST /v0/orgs/:org_id/runs/matching', ({ actor, body }) => runs(actor).matching(body));
  route('GET /v0/orgs/:org_id/runs/:run_id', ({ actor, params }) => runs(actor).get(params.run_id));
  route('GET /v0/orgs/:org_id/runs/:run_id/documents', ({ actor, params, query }) =>
    runs(actor).documents(params.run_id, query),
  );
  route('POST /v0/orgs/:org_id/runs/:run_id/stop', ({ actor, params }) => runs(actor).stop(params.run_id));
  route('POST /v0/orgs/:org_id/runs/:run_id/undo', ({ actor, params }) => runs(actor).undo(params.run_id));

  route('GET /v0/orgs/:org_id/runs/:run_id/events', { sse: 'manual' }, async (request, reply) => {
    const service = runs(request.actor);
    const polled: Pick<RunService, 'get' | 'documents'> = {
      get: (...args) => pollInTurn(request.actor, () => service.get(...args)),
      documents: (...args) => pollInTurn(request.actor, () => service.documents(...args)),
    };
    await sendEvents(reply, streams.stream(request, reply), (signal) =>
      runEvents(polled, request.params.run_id, signal),
    );
  });
};
