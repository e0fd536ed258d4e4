import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import type { SchemaColumnsService } from './schema-columns-service.ts';

interface SchemaColumnsRouteServices {
  schemaColumns: (actor: Actor) => SchemaColumnsService;
}

/** Conversion of columns to schemas and back. */
export const schemaColumnsRoutes: FastifyPluginAsync<{ services: SchemaColumnsRouteServices }> = async (
  app,
  { services: { schemaColumns } },
) => {
  const route = routesOf(app);
  route('POST /v0/orgs/:org_id/schemas/from-columns', async ({ actor, body }, reply) => {
    const saved = await schemaColumns(actor).save(body);
    return reply.code(body.schema_id === undefined ? 201 : 200).send(saved);
  });

  route('GET /v0/orgs/:org_id/schemas/:id/columns', ({ actor, params }) => schemaColumns(actor).columnsOf(params.id));
};
