import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../../platform/http/route.ts';
import type { Actor } from '../../identity/index.ts';
import type { TrashService } from './trash-service.ts';

export const trashRoutes: FastifyPluginAsync<{ services: { trash: (actor: Actor) => TrashService } }> = async (
  app,
  { services: { trash } },
) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/documents/trash', ({ actor, query }) => trash(actor).list(query));
  route('POST /v0/orgs/:org_id/documents/:document_id/restore', ({ actor, params }) =>
    trash(actor).restore(params.document_id),
  );
  route('DELETE /v0/orgs/:org_id/documents/trash/:document_id', ({ actor, params }) =>
    trash(actor).purge(params.document_id),
  );
};
