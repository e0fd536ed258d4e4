import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import type { AuditService } from './audit-service.ts';

export const auditRoutes: FastifyPluginAsync<{ services: { audit: (actor: Actor) => AuditService } }> = async (
  app,
  { services: { audit } },
) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/audit', ({ actor, query }) => audit(actor).list(query));
  route('GET /v0/orgs/:org_id/audit/tools', async ({ actor }) => ({ tools: await audit(actor).tools() }));
};
