import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { ModelService } from './model-service.ts';

export const llmRoutes: FastifyPluginAsync<{
  services: { models: (organizationId: string) => ModelService };
}> = async (app, { services: { models: modelsOf } }) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/llm/models', async ({ actor, query }) => ({
    models: await modelsOf(actor.organizationId).list(query),
  }));
};
