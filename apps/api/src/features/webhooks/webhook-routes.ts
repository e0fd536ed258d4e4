import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor, Principal } from '../identity/index.ts';
import type { WebhookService } from './webhook-service.ts';
import { leftSignal } from '../../platform/streams/when-closed.ts';

/** Receivers of events, and what was delivered to them. */
export const webhookRoutes: FastifyPluginAsync<{
  services: { webhooks: (actor: Actor, principal: Principal) => WebhookService };
}> = async (app, { services }) => {
  const route = routesOf(app);

  const of = ({ actor, principal }: { actor: Actor; principal: Principal }) => services.webhooks(actor, principal);

  route('GET /v0/orgs/:org_id/webhooks', (request) => of(request).list(request.query));
  route('POST /v0/orgs/:org_id/webhooks', (request) => of(request).create(request.body));
  route('GET /v0/orgs/:org_id/webhooks/:webhook_id', (request) => of(request).get(request.params.webhook_id));
  route('PATCH /v0/orgs/:org_id/webhooks/:webhook_id', (request) =>
    of(request).update(request.params.webhook_id, request.body),
  );
  route('DELETE /v0/orgs/:org_id/webhooks/:webhook_id', (request) => of(request).remove(request.params.webhook_id));
  route('POST /v0/orgs/:org_id/webhooks/:webhook_id/rotate', (request) =>
    of(request).rotate(request.params.webhook_id),
  );
  route('POST /v0/orgs/:org_id/webhooks/:webhook_id/test', (request, { raw }) =>
    of(request).test(request.params.webhook_id, leftSignal(raw)),
  );
  route('GET /v0/orgs/:org_id/webhooks/:webhook_id/deliveries', (request) =>
    of(request).deliveries(request.params.webhook_id, request.query),
  );
  route('POST /v0/orgs/:org_id/webhooks/:webhook_id/deliveries/:delivery_id/redeliver', (request) =>
    of(request).redeliver(request.params.webhook_id, request.params.delivery_id),
  );
  route('POST /v0/orgs/:org_id/webhooks/:webhook_id/redeliver', (request) =>
    of(request).redeliverAll(request.params.webhook_id, request.body),
  );
};
