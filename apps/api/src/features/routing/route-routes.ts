import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import { requireScope, type Actor } from '../identity/index.ts';
import type { RouteService } from './route-service.ts';
import type { RoutingService } from './routing-service.ts';

export const routeRoutes: FastifyPluginAsync<{
  services: { routes: (actor: Actor) => RouteService; routing: RoutingService };
}> = async (app, { services: { routes, routing } }) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/routes', ({ actor, query }) => routes(actor).list(query));
  route('POST /v0/orgs/:org_id/routes', ({ actor, body }) => routes(actor).create(body));
  route('POST /v0/orgs/:org_id/routes/order', ({ actor, body }) => routes(actor).order(body.ids));
  route('POST /v0/orgs/:org_id/routes/simulate', ({ actor, principal, body }) => {
    // Requests to a model cost the organization, so reading alone does not suffice for them.
    if (body.confirm === true) requireScope(principal, 'propose');
    return routes(actor).simulate(body);
  });
  route('GET /v0/orgs/:org_id/routes/:route_id', ({ actor, params }) => routes(actor).get(params.route_id));
  route('PATCH /v0/orgs/:org_id/routes/:route_id', ({ actor, params, body }) =>
    routes(actor).update(params.route_id, body),
  );
  route('DELETE /v0/orgs/:org_id/routes/:route_id', ({ actor, params }) => routes(actor).delete(params.route_id));
  route('PATCH /v0/orgs/:org_id/documents/:document_id/routing', ({ actor, params, body }) =>
    routing.decide(actor, params.document_id, body.route_id),
  );
};
