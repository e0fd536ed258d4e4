import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { pageQuery } from '../base/fields.ts';
import { document } from '../documents/documents.ts';
import {
  createRouteBody,
  orderRoutesBody,
  orderedRoutes,
  patchRouteBody,
  route,
  routeList,
  routeSimulation,
  settleRoutingBody,
  simulateRoutesBody,
} from './routes.ts';

const about =
  'A route says what a document gets when its text is ready. Everything that `when` names must hold: a pattern of the name, words or phrases in the text, types, patterns of metadata, the number of pages, the source; `like`: the words of the verified documents of a prompt; `described_as`: one sentence that a model judges. With `stop: false` the next route is judged too, and what they give adds up. Patterns are regular expressions without look-around and back references. A document is `unsure` and waits for a user while `like` or `described_as` is less sure than `min_confidence`, or users have decided fewer than 30 such documents; `trust: true` takes it all the same. Only `described_as` asks a model.';
const example = {
  name: 'Invoices',
  when: { text_contains: ['invoice'], pages: { max: 5 } },
  then: { metadata: { kind: 'invoice' }, name: '{date} {original}' },
};
const badRoute = ['invalid_pattern', 'unknown_reference', 'admin_required'] as const;

export const routeOperations = describeOperations('routes', {
  'GET /v0/orgs/:org_id/routes': {
    operationId: 'listRoutes',
    summary: 'List routes, in the order in which they are judged',
    description: about,
    querystring: pageQuery,
    response: { 200: routeList },
  },
  'POST /v0/orgs/:org_id/routes': {
    operationId: 'createRoute',
    summary: 'Create a route',
    description: `For admins. It is judged last until the order is changed. ${about}`,
    body: createRouteBody.meta({ examples: [example] }),
    errors: [...badRoute, 'too_many_routes'],
    response: { 201: route },
  },
  'POST /v0/orgs/:org_id/routes/order': {
    operationId: 'orderRoutes',
    summary: 'Set the order of all routes',
    description: 'For admins. `ids` names each route of the organization once.',
    body: orderRoutesBody.meta({ examples: [{ ids: ['6650f1c2a4b3d2e1f0a9b8c7'] }] }),
    errors: ['admin_required', 'routes_incomplete'],
    response: { 200: orderedRoutes },
  },
  'POST /v0/orgs/:org_id/routes/simulate': {
    operationId: 'simulateRoutes',
    summary: 'Show where documents would go',
    description:
      'Writes nothing. By `document_ids`, or by `filter` (the query of the list, the newest `max_documents`); with `routes`, by routes that are not saved. `confusion` counts the tags that documents have against those they would get. Where a model would be asked, the first answer is 409 `confirm_required` with the estimate; `confirm: true` goes on, and takes an access token with the scope `propose`.',
    body: simulateRoutesBody.meta({ examples: [{ max_documents: 50, routes: [example] }] }),
    errors: ['confirm_required', 'invalid_pattern', 'unknown_reference'],
    response: { 200: routeSimulation },
  },
  'GET /v0/orgs/:org_id/routes/:route_id': {
    operationId: 'getRoute',
    summary: 'Get a route',
    errors: ['route_not_found'],
    response: { 200: route },
  },
  'PATCH /v0/orgs/:org_id/routes/:route_id': {
    operationId: 'updateRoute',
    summary: 'Change a route',
    description: 'For admins. Omitted fields do not change. Documents that were routed before stay where they are.',
    body: patchRouteBody.meta({ examples: [{ enabled: false }] }),
    errors: [...badRoute, 'route_not_found', 'version_conflict'],
    response: { 200: route },
  },
  'DELETE /v0/orgs/:org_id/routes/:route_id': {
    operationId: 'deleteRoute',
    summary: 'Delete a route',
    description: 'For admins. Documents that were routed by it stay where they are.',
    errors: ['admin_required', 'route_not_found'],
    response: { 204: z.undefined() },
  },
  'PATCH /v0/orgs/:org_id/documents/:document_id/routing': {
    operationId: 'settleRouting',
    summary: 'Decide where a document goes',
    description:
      'The document loses the tags that its former routes gave and gets what the chosen route gives; null: nothing. The write of its tags, name and metadata is in the audit log as `update_document`.',
    body: settleRoutingBody.meta({ examples: [{ route_id: null }] }),
    errors: ['unknown_reference', 'viewer_cannot_write', 'document_not_found'],
    response: { 200: document },
  },
});
