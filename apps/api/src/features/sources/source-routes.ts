import type { FastifyPluginAsync } from 'fastify';
import type { SourceSync, SourceSyncEvent } from '@docwright/contract';
import { setTimeout as sleep } from 'node:timers/promises';
import { pollInTurn } from '../../platform/places/polls.ts';
import { routesOf } from '../../platform/http/route.ts';
import { leftSignal } from '../../platform/streams/when-closed.ts';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import type { Actor } from '../identity/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { SourceService } from './source-service.ts';

/** Sets of documents for pipelines. */
export const sourceRoutes: FastifyPluginAsync<{
  services: { sources: (actor: Actor) => SourceService };
  streams: StreamAdmission;
}> = async (app, { services: { sources }, streams }) => {
  const route = routesOf(app);
  route('GET /api/v2/sources', ({ actor, query }) => sources(actor).list(query));
  route('POST /api/v2/sources', ({ actor, body }) => sources(actor).create(body));
  route('POST /api/v2/sources/test', ({ actor, body }, { raw }) => sources(actor).test(body, leftSignal(raw)));
  route('GET /api/v2/sources/:source_id', ({ actor, params }) => sources(actor).get(params.source_id));
  route('PATCH /api/v2/sources/:source_id', ({ actor, params, body }) => sources(actor).update(params.source_id, body));
  route('GET /api/v2/sources/:source_id/sync', ({ actor, params }) => sources(actor).sync(params.source_id));
  route('POST /api/v2/sources/:source_id/sync', ({ actor, params }) => sources(actor).startSync(params.source_id));

  route('GET /api/v2/sources/:source_id/sync/events', { sse: 'manual' }, async (request, reply) => {
    const { actor, params } = request;
    const get = () => pollInTurn(actor, () => sources(actor).sync(params.source_id));
    await sendEvents(reply, streams.stream(request, reply), (signal) => syncEvents(get, signal));
  });

  route('DELETE /api/v2/sources/:source_id', ({ actor, params }) => sources(actor).delete(params.source_id));
};

/** The stream polls the record: another process may sync. */
const pollMs = 1_000;

async function* syncEvents(get: () => Promise<SourceSync>, signal: AbortSignal): AsyncGenerator<SourceSyncEvent> {
  let sent = '';
  while (!signal.aborted) {
    const sync = await get();
    const serialized = JSON.stringify(sync);
    if (serialized !== sent) yield { type: 'sync', sync };
    sent = serialized;
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}
