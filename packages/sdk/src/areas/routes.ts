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
import { listAllOf } from '../client/every-page.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';
import type { PageRequest } from '../client/page-request.ts';

/** Where documents go once they have their text. Changes are for admins. */
export function createRoutes(api: OrganizationApi) {
  const list = (query: PageRequest = {}, options?: CallOptions): Promise<z.infer<typeof routeList>> =>
    api.get(['routes'], { ...query }, options);
  return {
    /** Lists a page of routes, in the order in which they are judged. */
    list,
    /** Yields every route, page after page. */
    listAll: listAllOf(list, ({ routes }) => routes),
    /** Creates a route, which is judged last. */
    create: (body: z.input<typeof createRouteBody>, options?: CallOptions): Promise<Route> =>
      api.send('POST', ['routes'], body, options),
    /** A route. */
    get: (routeId: string, options?: CallOptions): Promise<Route> => api.get(['routes', routeId], {}, options),
    /** Changes the given fields. Documents that were routed before stay where they are. */
    update: (routeId: string, body: PatchRouteBody, options?: CallOptions): Promise<Route> =>
      api.send('PATCH', ['routes', routeId], body, options),
    /** Deletes a route. */
    delete: (routeId: string, options?: CallOptions): Promise<void> => api.delete(['routes', routeId], options),
    /** Sets the order of all routes. */
    order: (ids: string[], options?: CallOptions): Promise<z.infer<typeof orderedRoutes>> =>
      api.send('POST', ['routes', 'order'], { ids }, options),
    /**
     * Shows where documents would go, also by routes that are not saved. Writes nothing. Where a model would be asked, it
     * throws `confirm_required` with the estimate until `confirm` is true.
     */
    simulate: (body: z.input<typeof simulateRoutesBody> = {}, options?: CallOptions): Promise<RouteSimulation> =>
      api.send('POST', ['routes', 'simulate'], body, options),
    /** Decides where a document goes; null: nowhere. */
    settle: (documentId: string, routeId: string | null, options?: CallOptions): Promise<Document> =>
      api.send('PATCH', ['documents', documentId, 'routing'], { route_id: routeId }, options),
  };
}
