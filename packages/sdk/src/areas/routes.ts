import type { simulateRoutesBody } from '@docwright/contract';
import type { z } from 'zod';
import { listAllOf } from '../client/every-page.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';

/** Where documents go once they have their text. Changes are for admins. */
export function createRoutes(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/routes', 'query');
  return {
    /** Lists a page of routes, in the order in which they are judged. */
    list,
    /** Yields every route, page after page. */
    listAll: listAllOf(list, ({ routes }) => routes),
    /** Creates a route, which is judged last. */
    create: api.operation('POST /v0/orgs/:org_id/routes', 'body'),
    /** A route. */
    get: api.operation('GET /v0/orgs/:org_id/routes/:route_id'),
    /** Changes the given fields. Documents that were routed before stay where they are. */
    update: api.operation('PATCH /v0/orgs/:org_id/routes/:route_id', 'body'),
    /** Deletes a route. */
    delete: api.operation('DELETE /v0/orgs/:org_id/routes/:route_id'),
    /** Sets the order of all routes. */
    order: (ids: string[], options?: CallOptions) =>
      api.operation('POST /v0/orgs/:org_id/routes/order', 'body')({ ids }, options),
    /**
     * Shows where documents would go, also by routes that are not saved. Writes nothing. Where a model would be asked, it
     * throws `confirm_required` with the estimate until `confirm` is true.
     */
    simulate: (body: z.input<typeof simulateRoutesBody> = {}, options?: CallOptions) =>
      api.operation('POST /v0/orgs/:org_id/routes/simulate', 'body')(body, options),
    /** Decides where a document goes; null: nowhere. */
    settle: (documentId: string, routeId: string | null, options?: CallOptions) =>
      api.operation('PATCH /v0/orgs/:org_id/documents/:document_id/routing', 'body')(
        documentId,
        { route_id: routeId },
        options,
      ),
  };
}
