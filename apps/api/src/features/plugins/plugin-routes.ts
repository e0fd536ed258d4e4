import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import { listPlugins } from './registry.ts';

/** The plugins that pipelines consist of. */
export const pluginRoutes: FastifyPluginAsync = async (app) => {
  const route = routesOf(app);
  route('GET /api/v2/plugins', ({ query }) => ({ plugins: listPlugins(query.kind) }));
};
