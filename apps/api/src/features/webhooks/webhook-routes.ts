import {
  createdWebhook,
  createWebhookBody,
  objectId,
  pageQuery,
  redeliverBody,
  redelivered,
  rotatedSecret,
  updateWebhookBody,
  webhook,
  webhookDelivery,
  webhookDeliveryList,
  webhookList,
  webhookTest,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { Actor, Principal } from '../identity/index.ts';
import type { WebhookService } from './webhook-service.ts';

const operation = operationsOf('webhooks');
const organizationPath = z.object({ org_id: objectId });
const webhookPath = organizationPath.extend({ webhook_id: objectId });
const deliveryPath = webhookPath.extend({ delivery_id: objectId });
const base = '/v0/orgs/:org_id/webhooks';
const own = ['admin_required', 'webhook_not_found'] as const;

/** Receivers of events, and what was delivered to them. */
export const webhookRoutes: FastifyPluginAsyncZod<{
  services: { webhooks: (actor: Actor, principal: Principal) => WebhookService };
}> = async (app, { services }) => {
  const of = ({ actor, principal }: { actor: Actor; principal: Principal }) => services.webhooks(actor, principal);

  app.get(
    base,
    operation({
      operationId: 'listWebhooks',
      summary: 'List webhooks',
      description: 'Newest first. Admins see all; a token of a member with the scope `webhooks` sees those it made.',
      params: organizationPath,
      querystring: pageQuery,
      errors: ['admin_required'],
      response: { 200: webhookList },
    }),
    async (request) => of(request).list(request.query),
  );

  app.post(
    base,
    operation({
      operationId: 'createWebhook',
      summary: 'Create a webhook',
      description:
        'Events are sent as Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`), at least once, under one id over all tries. A try has 20 seconds. A failed one is repeated after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each ± 20 %; `Retry-After` of 429 and 503 is heeded up to an hour; 410 disables the webhook, and so do five days with nothing but failure. The answer has the secret, once. Admins make webhooks for the organization; a token of a member whose scopes name `webhooks` makes its own, which end with the member. An address that leads to a private one is refused unless the operator lists its host in `LLM_ALLOWED_HOSTS`.',
      params: organizationPath,
      body: createWebhookBody.meta({ examples: [{ url: 'https://example.com/hook', types: ['result.released'] }] }),
      errors: ['admin_required', 'webhook_url_refused', 'too_many_webhooks'],
      response: { 201: createdWebhook },
    }),
    async (request, reply) => reply.code(201).send(await of(request).create(request.body)),
  );

  app.get(
    `${base}/:webhook_id`,
    operation({
      operationId: 'getWebhook',
      summary: 'Get a webhook',
      params: webhookPath,
      errors: own,
      response: { 200: webhook },
    }),
    async (request) => of(request).get(request.params.webhook_id),
  );

  app.patch(
    `${base}/:webhook_id`,
    operation({
      operationId: 'updateWebhook',
      summary: 'Change a webhook',
      description:
        'A new origin of `url` removes the headers unless new ones are given, because they can hold keys. `enabled: true` continues with new events; `redeliver` with `since` sends those in between.',
      params: webhookPath,
      body: updateWebhookBody,
      errors: [...own, 'webhook_url_refused'],
      response: { 200: webhook },
    }),
    async (request) => of(request).update(request.params.webhook_id, request.body),
  );

  app.delete(
    `${base}/:webhook_id`,
    operation({
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook and its deliveries',
      params: webhookPath,
      errors: own,
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await of(request).remove(request.params.webhook_id);
      return reply.code(204).send();
    },
  );

  app.post(
    `${base}/:webhook_id/rotate`,
    operation({
      operationId: 'rotateWebhookSecret',
      summary: 'Replace the secret of a webhook',
      description: 'For 24 hours requests are signed with the old secret as well.',
      params: webhookPath,
      errors: own,
      response: { 200: rotatedSecret },
    }),
    async (request) => of(request).rotate(request.params.webhook_id),
  );

  app.post(
    `${base}/:webhook_id/test`,
    operation({
      operationId: 'testWebhook',
      summary: 'Send a test event',
      description: 'Sends an event with `data: { "test": true }` and `seq` 0 once, and returns the outcome.',
      params: webhookPath,
      errors: own,
      response: { 200: webhookTest },
    }),
    async (request) => of(request).test(request.params.webhook_id),
  );

  app.get(
    `${base}/:webhook_id/deliveries`,
    operation({
      operationId: 'listWebhookDeliveries',
      summary: 'List the deliveries of a webhook, newest first',
      description: 'Deliveries are kept for 30 days. `answer` is there only if the webhook has `keep_answers`.',
      params: webhookPath,
      querystring: pageQuery,
      errors: own,
      response: { 200: webhookDeliveryList },
    }),
    async (request) => of(request).deliveries(request.params.webhook_id, request.query),
  );

  app.post(
    `${base}/:webhook_id/deliveries/:delivery_id/redeliver`,
    operation({
      operationId: 'redeliverEvent',
      summary: 'Send an event again',
      params: deliveryPath,
      errors: [...own, 'delivery_not_found'],
      response: { 200: webhookDelivery },
    }),
    async (request) => of(request).redeliver(request.params.webhook_id, request.params.delivery_id),
  );

  app.post(
    `${base}/:webhook_id/redeliver`,
    operation({
      operationId: 'redeliverEvents',
      summary: 'Send all events again that have not succeeded',
      description:
        '`failed: true` sends all that has not succeeded, also while tries are planned; `since` those since a time, with events that were never sent because the webhook was disabled.',
      params: webhookPath,
      body: redeliverBody,
      errors: own,
      response: { 200: redelivered },
    }),
    async (request) => of(request).redeliverAll(request.params.webhook_id, request.body),
  );
};
