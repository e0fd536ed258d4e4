import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import type { TagService } from './tag-service.ts';

export const tagRoutes: FastifyPluginAsync<{ services: { tags: (actor: Actor) => TagService } }> = async (
  app,
  { services: { tags } },
) => {
  const route = routesOf(app);
  route('POST /v0/orgs/:org_id/tags', ({ actor, body }) => tags(actor).create(body));
  route('GET /v0/orgs/:org_id/tags', ({ actor, query }) => tags(actor).list(query));
  route('GET /v0/orgs/:org_id/tags/:tag_id', ({ actor, params }) => tags(actor).get(params.tag_id));
  route('PUT /v0/orgs/:org_id/tags/:tag_id', ({ actor, params, body }) => tags(actor).update(params.tag_id, body));
  route('DELETE /v0/orgs/:org_id/tags/:tag_id', ({ actor, params }) => tags(actor).delete(params.tag_id));
};
