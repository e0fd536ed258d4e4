import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import type { ReleaseService } from './release-service.ts';

export const releaseRoutes: FastifyPluginAsync<{
  services: { releases: (actor: Actor) => ReleaseService };
}> = async (app, { services: { releases } }) => {
  const route = routesOf(app);
  route(
    'POST /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/release',
    async ({ actor, params, body }) => {
      const { document_id, prompt_revid } = params;
      return releases(actor).release(document_id, prompt_revid, body);
    },
  );

  route('GET /v0/orgs/:org_id/prompts/:id/release', ({ actor, params }) => releases(actor).status(params.id));
  route('GET /v0/orgs/:org_id/prompts/:id/release/suspects', ({ actor, params, query }) =>
    releases(actor).suspects(params.id, query),
  );
};
