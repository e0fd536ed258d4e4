import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import type { PromptService } from './prompt-service.ts';

export const promptRoutes: FastifyPluginAsync<{ services: { prompts: (actor: Actor) => PromptService } }> = async (
  app,
  { services: { prompts } },
) => {
  const route = routesOf(app);
  route('POST /v0/orgs/:org_id/prompts', ({ actor, body }) => prompts(actor).create(body));
  route('GET /v0/orgs/:org_id/prompts', ({ actor, query }) => prompts(actor).list(query));
  route('GET /v0/orgs/:org_id/prompts/:id', ({ actor, params }) => prompts(actor).get(params.id));
  route('PUT /v0/orgs/:org_id/prompts/:id', ({ actor, params, body }) => prompts(actor).update(params.id, body));
  route('DELETE /v0/orgs/:org_id/prompts/:id', ({ actor, params }) => prompts(actor).delete(params.id));
  route('GET /v0/orgs/:org_id/prompts/:id/versions', ({ actor, params, query }) =>
    prompts(actor).versions(params.id, query),
  );
};
