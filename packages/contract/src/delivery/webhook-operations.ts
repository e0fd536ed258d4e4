import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { pageQuery } from '../base/fields.ts';
import {
  createWebhookBody,
  createdWebhook,
  redeliverBody,
  redelivered,
  rotatedSecret,
  updateWebhookBody,
  webhook,
  webhookDelivery,
  webhookDeliveryList,
  webhookList,
  webhookTest,
} from './webhooks.ts';

const own = ['admin_required', 'webhook_not_found'] as const;

export const webhookOperations = describeOperations('webhooks', {
  'GET /v0/orgs/:org_id/webhooks': {
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Newest first. Admins see all; a token of a member with the scope `webhooks` sees those it made.',
    querystring: pageQuery,
    errors: ['admin_required'],
    response: { 200: webhookList },
  },
  'POST /v0/orgs/:org_id/webhooks': {
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Events are sent as Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`), at least once, under one id over all tries. A try has 20 seconds. A failed one is repeated after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each ± 20 %; `Retry-After` of 429 and 503 is heeded up to an hour; 410 disables the webhook, and so do five days with nothing but failure. The answer has the secret, once. Admins make webhooks for the organization; a token of a member whose scopes name `webhooks` makes its own, which end with the member. An address that leads to a private one is refused unless the operator lists its host in `LLM_ALLOWED_HOSTS`.',
    body: createWebhookBody.meta({ examples: [{ url: 'https://example.com/hook', types: ['result.released'] }] }),
    errors: ['admin_required', 'webhook_url_refused', 'too_many_webhooks', 'unknown_reference'],
    response: { 201: createdWebhook },
  },
  'GET /v0/orgs/:org_id/webhooks/:webhook_id': {
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    errors: own,
    response: { 200: webhook },
  },
  'PATCH /v0/orgs/:org_id/webhooks/:webhook_id': {
    operationId: 'updateWebhook',
    summary: 'Change a webhook',
    description:
      'A new origin of `url` removes the headers unless new ones are given, because they can hold keys. `enabled: true` continues with new events; `redeliver` with `since` sends those in between.',
    body: updateWebhookBody,
    errors: [...own, 'webhook_url_refused', 'unknown_reference', 'version_conflict'],
    response: { 200: webhook },
  },
  'DELETE /v0/orgs/:org_id/webhooks/:webhook_id': {
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook and its deliveries',
    errors: own,
    response: { 204: z.undefined() },
  },
  'POST /v0/orgs/:org_id/webhooks/:webhook_id/rotate': {
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret of a webhook',
    description: 'For 24 hours requests are signed with the old secret as well.',
    errors: own,
    response: { 200: rotatedSecret },
  },
  'POST /v0/orgs/:org_id/webhooks/:webhook_id/test': {
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description: 'Sends an event with `data: { "test": true }` and `seq` 0 once, and returns the outcome.',
    errors: own,
    response: { 200: webhookTest },
  },
  'GET /v0/orgs/:org_id/webhooks/:webhook_id/deliveries': {
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook, newest first',
    description: 'Deliveries are kept for 30 days. `answer` is there only if the webhook has `keep_answers`.',
    querystring: pageQuery,
    errors: own,
    response: { 200: webhookDeliveryList },
  },
  'POST /v0/orgs/:org_id/webhooks/:webhook_id/deliveries/:delivery_id/redeliver': {
    operationId: 'redeliverEvent',
    summary: 'Send an event again',
    errors: [...own, 'delivery_not_found'],
    response: { 200: webhookDelivery },
  },
  'POST /v0/orgs/:org_id/webhooks/:webhook_id/redeliver': {
    operationId: 'redeliverEvents',
    summary: 'Send all events again that have not succeeded',
    description:
      '`failed: true` sends all that has not succeeded, also while tries are planned; `since` those since a time, with events that were never sent because the webhook was disabled.',
    body: redeliverBody,
    errors: own,
    response: { 200: redelivered },
  },
});
