import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../../platform/http/route.ts';
import type { Actor } from '../../identity/index.ts';
import type { SplitService } from './split-service.ts';

/** Splits a file that contains several documents. */
export const splitRoutes: FastifyPluginAsync<{
  services: { splitting: (actor: Actor) => SplitService };
}> = async (app, { services: { splitting } }) => {
  const route = routesOf(app);
  route('POST /v0/orgs/:org_id/documents/:document_id/split', async ({ actor, params, body }) => {
    const answer = await splitting(actor).split(params.document_id, body.parts);
    return answer;
  });

  route(
    'GET /v0/orgs/:org_id/documents/:document_id/split',
    async ({ actor, params }) => await splitting(actor).propose(params.document_id),
  );
};
