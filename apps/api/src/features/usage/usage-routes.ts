import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import type { UsageService } from './usage-service.ts';

export const usageRoutes: FastifyPluginAsync<{ services: { usage: (actor: Actor) => UsageService } }> = async (
  app,
  { services: { usage: usageFor } },
) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/usage', ({ actor }) => usageFor(actor).usage());
  route('PUT /v0/orgs/:org_id/budget', ({ actor, body }) => usageFor(actor).setBudget(body));
};
