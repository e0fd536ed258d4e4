import type { FastifyPluginAsync } from 'fastify';
import { pollInTurn } from '../../../platform/places/polls.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { sendEvents } from '../../../platform/streams/event-stream.ts';
import type { Actor } from '../../identity/index.ts';
import type { StreamAdmission } from '../../stream-admission/index.ts';
import { extractionEvents, requireFollowable } from './extraction-events.ts';
import type { ExtractionRuns } from './extraction-runs.ts';

/** Estimates, follows and stops extractions. */
export const extractionRunRoutes: FastifyPluginAsync<{
  services: { extractionRuns: (actor: Actor) => ExtractionRuns };
  streams: StreamAdmission;
}> = async (app, { services: { extractionRuns }, streams }) => {
  const route = routesOf(app);
  route('POST /v0/orgs/:org_id/documents/:document_id/extractions/estimate', async ({ actor, params, body }) => {
    const { document_id } = params;
    return await extractionRuns(actor).estimate(document_id, body?.prompt_revid);
  });

  route(
    'GET /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/events',
    { sse: 'manual' },
    async (request, reply) => {
      const { document_id, prompt_revid } = request.params;
      const service = extractionRuns(request.actor);
      const polled: typeof service = {
        ...service,
        progress: (...args) => pollInTurn(request.actor, () => service.progress(...args)),
        pieces: (...args) => pollInTurn(request.actor, () => service.pieces(...args)),
      };
      await requireFollowable(polled, document_id, prompt_revid);
      await sendEvents(reply, streams.stream(request, reply), (signal) =>
        extractionEvents(polled, document_id, prompt_revid, signal),
      );
    },
  );

  route('POST /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/stop', async ({ actor, params }) => {
    const { document_id, prompt_revid } = params;
    return await extractionRuns(actor).stop(document_id, prompt_revid);
  });
};
