import type { OrganizationApi } from '../client/organization-api.ts';

/** Receivers of events, and what was delivered to them. */
export function createWebhooks(api: OrganizationApi) {
  return {
    /** Lists a page of webhooks, newest first. */
    list: api.operation('GET /v0/orgs/:org_id/webhooks', 'query'),
    /** One webhook. The values of its headers are masked. */
    get: api.operation('GET /v0/orgs/:org_id/webhooks/:webhook_id'),
    /**
     * Creates a webhook. The answer has the secret, once: verify with it what you receive.
     *
     * @example
     * ```ts
     * import type { Docwright } from '@docwright/sdk';
     *
     * declare const docwright: Docwright;
     * const { secret } = await docwright.webhooks.create({
     *   url: 'https://example.com/hook',
     *   types: ['result.released'],
     *   include_result: true,
     * });
     * console.log(secret.startsWith('whsec_'));
     * ```
     */
    create: api.operation('POST /v0/orgs/:org_id/webhooks', 'body'),
    /** Changes a webhook. */
    update: api.operation('PATCH /v0/orgs/:org_id/webhooks/:webhook_id', 'body'),
    /** Deletes a webhook and its deliveries. */
    delete: api.operation('DELETE /v0/orgs/:org_id/webhooks/:webhook_id'),
    /** Replaces the secret. For 24 hours requests are signed with the old one as well. */
    rotate: api.operation('POST /v0/orgs/:org_id/webhooks/:webhook_id/rotate'),
    /** Sends a test event once. */
    test: api.operation('POST /v0/orgs/:org_id/webhooks/:webhook_id/test'),
    /** Lists a page of deliveries, newest first. */
    deliveries: api.operation('GET /v0/orgs/:org_id/webhooks/:webhook_id/deliveries', 'query'),
    /** Sends one event again. */
    redeliver: api.operation('POST /v0/orgs/:org_id/webhooks/:webhook_id/deliveries/:delivery_id/redeliver'),
    /** Sends all events again that have not succeeded: all of them, or those since a time. */
    redeliverAll: api.operation('POST /v0/orgs/:org_id/webhooks/:webhook_id/redeliver', 'body'),
  };
}
