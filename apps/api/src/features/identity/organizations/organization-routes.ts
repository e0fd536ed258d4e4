import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../../platform/http/route.ts';
import type { OrganizationService } from './organization-service.ts';

export const organizationRoutes: FastifyPluginAsync<{ services: { organizations: OrganizationService } }> = async (
  app,
  { services: { organizations } },
) => {
  const route = routesOf(app);
  route('GET /v0/orgs', ({ principal, query }) => organizations.list(principal, query));
  route('POST /v0/orgs', ({ principal, body }) => organizations.create(principal, body.name));
  route('GET /v0/orgs/:org_id', ({ actor }) => organizations.get(actor));
  route('PATCH /v0/orgs/:org_id', ({ actor, principal, body }) => organizations.update(actor, principal, body));
};
