import type { FastifyPluginAsync } from 'fastify';
import type { DocumentBulkEvent } from '@docwright/contract';
import { pollInTurn } from '../../platform/places/polls.ts';
import { routesOf } from '../../platform/http/route.ts';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { Actor } from '../identity/index.ts';
import type { EstimateBulk } from './bulk-estimate-service.ts';
import { requireSelection } from './bulk-body.ts';
import type { BulkService } from './bulk-service.ts';
import { setTimeout as sleep } from 'node:timers/promises';

export const bulkRoutes: FastifyPluginAsync<{
  services: { documentBulk: (actor: Actor) => BulkService; estimateBulk: (actor: Actor) => EstimateBulk };
  streams: StreamAdmission;
}> = async (app, { services, streams }) => {
  const route = routesOf(app);

  const jobs = services.documentBulk;

  route('POST /v0/orgs/:org_id/documents/bulk', ({ actor, body }) => jobs(actor).create(body));

  route('POST /v0/orgs/:org_id/documents/bulk/estimate', async ({ actor, body }) => {
    requireSelection(body);
    return await services.estimateBulk(actor)(body);
  });

  route('GET /v0/orgs/:org_id/documents/bulk', ({ actor, query }) => jobs(actor).list(query));
  route('GET /v0/orgs/:org_id/documents/bulk/:bulk_id', ({ actor, params }) => jobs(actor).get(params.bulk_id));

  route('GET /v0/orgs/:org_id/documents/bulk/:bulk_id/events', { sse: 'manual' }, async (request, reply) => {
    const service = jobs(request.actor);
    const polled = { get: (id: string) => pollInTurn(request.actor, () => service.get(id)) };
    await sendEvents(reply, streams.stream(request, reply), (signal) =>
      bulkEvents(polled, request.params.bulk_id, signal),
    );
  });

  route('POST /v0/orgs/:org_id/documents/bulk/:bulk_id/stop', ({ actor, params }) => jobs(actor).stop(params.bulk_id));
  route('POST /v0/orgs/:org_id/documents/bulk/:bulk_id/undo', ({ actor, params, body }) =>
    jobs(actor).undo(params.bulk_id, body),
  );
};

const pollMs = 300;

/**
 * Yields a bulk job now and after every change, until it or its undo ends or `signal` aborts. Polls the record, which
 * shows the progress of any process. Throws `bulk_not_found` if the job does not exist.
 */
async function* bulkEvents(
  service: Pick<BulkService, 'get'>,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<DocumentBulkEvent> {
  let sent = '';
  while (!signal.aborted) {
    const bulk = await service.get(id);
    const text = JSON.stringify(bulk);
    if (text !== sent) yield { type: 'bulk', bulk };
    sent = text;
    if (bulk.ended_at !== null && bulk.undo?.state !== 'running') {
      yield { type: 'done', bulk };
      return;
    }
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}
