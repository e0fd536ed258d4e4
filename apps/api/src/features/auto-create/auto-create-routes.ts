import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import type { AutoCreateService } from './auto-create-service.ts';

export const autoCreateRoutes: FastifyPluginAsync<{
  services: { autoCreate: (actor: Actor) => AutoCreateService };
}> = async (app, { services: { autoCreate } }) => {
  const route = routesOf(app);
  route('POST /v0/orgs/:org_id/documents/:document_id/auto_create', ({ actor, params, body }) =>
    autoCreate(actor).start(params.document_id, body ?? {}),
  );
  route('POST /v0/orgs/:org_id/documents/:document_id/auto_create/accept', ({ actor, params, body }) =>
    autoCreate(actor).accept(params.document_id, body ?? {}),
  );
  route('POST /v0/orgs/:org_id/documents/:document_id/auto_create/reject', ({ actor, params, body }) =>
    autoCreate(actor).reject(params.document_id, body ?? {}),
  );
};
