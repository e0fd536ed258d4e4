import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { ContentSearch } from './content-search-repository.ts';

interface FindRouteOptions {
  contentSearchOf: (organizationId: string) => ContentSearch;
}

export const findRoutes: FastifyPluginAsync<FindRouteOptions> = async (app, { contentSearchOf }) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/find', async ({ actor, query }) => ({
    places: await contentSearchOf(actor.organizationId).find(query),
  }));
};
