import { queryOptions } from '@tanstack/react-query';
import type {
  createRouteBody,
  Document,
  PatchRouteBody,
  Route,
  RouteSimulation,
  simulateRoutesBody,
} from '@docwright/contract';
import type { z } from 'zod';
import { requestJson, send } from '../../http/http.ts';

export type RouteBody = z.input<typeof createRouteBody>;

const path = (orgId: string) => `/v0/orgs/${orgId}/routes` as const;
const routePath = (orgId: string, id: string) => `${path(orgId)}/${id}` as const;
export const routesKey = (orgId: string) => ['routes', orgId];
const pageSize = 100;

/** All routes, in the order in which they are judged: the order can only be set for all of them. */
export function routesQuery(orgId: string) {
  return queryOptions({
    queryKey: routesKey(orgId),
    queryFn: async ({ signal }) => {
      const routes: Route[] = [];
      for (let total = 1; routes.length < total;) {
        const query = { skip: routes.length, limit: pageSize };
        const list = await requestJson(path(orgId), { query, signal });
        if (list.routes.length === 0) break;
        routes.push(...list.routes);
        total = list.total_count;
      }
      return routes;
    },
    staleTime: 10_000,
  });
}

export const createRoute = (orgId: string, body: RouteBody): Promise<Route> =>
  requestJson(path(orgId), { method: 'POST', body });

export const changeRoute = (orgId: string, id: string, body: PatchRouteBody): Promise<Route> =>
  requestJson(routePath(orgId, id), { method: 'PATCH', body });

export async function deleteRoute(orgId: string, id: string): Promise<void> {
  await send(routePath(orgId, id), { method: 'DELETE' });
}

export async function orderRoutes(orgId: string, ids: string[]): Promise<Route[]> {
  const body = { ids };
  return (await requestJson(`${path(orgId)}/order`, { method: 'POST', body })).routes;
}

/** Where documents would go. Writes nothing; throws `confirm_required` where a model would be asked without `confirm`. */
export const simulateRoutes = (orgId: string, body: z.input<typeof simulateRoutesBody>): Promise<RouteSimulation> =>
  requestJson(`${path(orgId)}/simulate`, { method: 'POST', body });

/** A user decides where a document goes; null: nowhere. */
export const settleRouting = (orgId: string, documentId: string, routeId: string | null): Promise<Document> =>
  requestJson(`/v0/orgs/${orgId}/documents/${documentId}/routing`, { method: 'PATCH', body: { route_id: routeId } });
