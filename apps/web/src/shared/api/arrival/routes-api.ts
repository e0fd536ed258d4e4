import { queryOptions } from '@tanstack/react-query';
import type {
  createRouteBody,
  Document,
  orderedRoutes,
  PatchRouteBody,
  Route,
  routeList,
  RouteSimulation,
  simulateRoutesBody,
} from '@docwright/contract';
import type { z } from 'zod';
import { queryString, requestJson, send } from '../../http/http.ts';

export type RouteBody = z.input<typeof createRouteBody>;

const path = (orgId: string, ...rest: string[]) => [`/v0/orgs/${orgId}/routes`, ...rest].join('/');
export const routesKey = (orgId: string) => ['routes', orgId];
const pageSize = 100;

/** All routes, in the order in which they are judged: the order can only be set for all of them. */
export function routesQuery(orgId: string) {
  return queryOptions({
    queryKey: routesKey(orgId),
    queryFn: async ({ signal }) => {
      const routes: Route[] = [];
      for (let total = 1; routes.length < total;) {
        const page = queryString({ skip: routes.length, limit: pageSize });
        const list = await requestJson<z.infer<typeof routeList>>(path(orgId) + page, { signal });
        if (list.routes.length === 0) break;
        routes.push(...list.routes);
        total = list.total_count;
      }
      return routes;
    },
    staleTime: 10_000,
  });
}

/** Creates a route, or changes the one with this id. */
export function saveRoute(orgId: string, id: string | undefined, body: RouteBody): Promise<Route> {
  return id === undefined
    ? requestJson(path(orgId), { method: 'POST', body })
    : requestJson(path(orgId, id), { method: 'PATCH', body });
}

export const changeRoute = (orgId: string, id: string, body: PatchRouteBody): Promise<Route> =>
  requestJson(path(orgId, id), { method: 'PATCH', body });

export async function deleteRoute(orgId: string, id: string): Promise<void> {
  await send(path(orgId, id), { method: 'DELETE' });
}

export async function orderRoutes(orgId: string, ids: string[]): Promise<Route[]> {
  const body = { ids };
  return (await requestJson<z.infer<typeof orderedRoutes>>(path(orgId, 'order'), { method: 'POST', body })).routes;
}

/** Where documents would go. Writes nothing; throws `confirm_required` where a model would be asked without `confirm`. */
export const simulateRoutes = (orgId: string, body: z.input<typeof simulateRoutesBody>): Promise<RouteSimulation> =>
  requestJson(path(orgId, 'simulate'), { method: 'POST', body });

/** A user decides where a document goes; null: nowhere. */
export const settleRouting = (orgId: string, documentId: string, routeId: string | null): Promise<Document> =>
  requestJson(`/v0/orgs/${orgId}/documents/${documentId}/routing`, { method: 'PATCH', body: { route_id: routeId } });
