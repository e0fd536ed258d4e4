import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import type { SchemaService } from './schema-service.ts';

export const schemaRoutes: FastifyPluginAsync<{ services: { schemas: (actor: Actor) => SchemaService } }> = async (
  app,
  { services: { schemas } },
) => {
  const route = routesOf(app);
  route('POST /v0/orgs/:org_id/schemas', ({ actor, body }) => schemas(actor).create(body));
  route('GET /v0/orgs/:org_id/schemas', ({ actor, query }) => schemas(actor).list(query));
  route('GET /v0/orgs/:org_id/schemas/:id', ({ actor, params }) => schemas(actor).get(params.id));
  route('PUT /v0/orgs/:org_id/schemas/:id', ({ actor, params, body }) => schemas(actor).update(params.id, body));
  route('DELETE /v0/orgs/:org_id/schemas/:id', ({ actor, params }) => schemas(actor).delete(params.id));
  route('GET /v0/orgs/:org_id/schemas/:id/versions', ({ actor, params, query }) =>
    schemas(actor).versions(params.id, query),
  );
  route('POST /v0/orgs/:org_id/schemas/:id/validate', ({ actor, params, body }) =>
    schemas(actor).checkData(params.id, body.data),
  );
};
