import type {
  CreatedWebhook,
  CreateWebhookBody,
  rotatedSecret,
  UpdateWebhookBody,
  Webhook,
  WebhookDelivery,
  webhookDeliveryList,
  webhookList,
  WebhookTest,
} from '@docwright/contract';
import type { z } from 'zod';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';
import type { PageRequest } from '../client/page-request.ts';

/** Receivers of events, and what was delivered to them. */
export function createWebhooks(api: OrganizationApi) {
  const at = (id: string, ...rest: string[]) => ['webhooks', id, ...rest];
  return {
    /** Lists a page of webhooks, newest first. */
    list: (query: PageRequest = {}, options?: CallOptions): Promise<z.infer<typeof webhookList>> =>
      api.get(['webhooks'], { ...query }, options),
    /** One webhook. The values of its headers are masked. */
    get: (id: string, options?: CallOptions): Promise<Webhook> => api.get(at(id), {}, options),
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
    create: (
      body: Partial<CreateWebhookBody> & Pick<CreateWebhookBody, 'url'>,
      options?: CallOptions,
    ): Promise<CreatedWebhook> => api.send('POST', ['webhooks'], body, options),
    /** Changes a webhook. */
    update: (id: string, body: UpdateWebhookBody, options?: CallOptions): Promise<Webhook> =>
      api.send('PATCH', at(id), body, options),
    /** Deletes a webhook and its deliveries. */
    delete: (id: string, options?: CallOptions): Promise<void> => api.delete(at(id), options),
    /** Replaces the secret. For 24 hours requests are signed with the old one as well. */
    rotate: (id: string, options?: CallOptions): Promise<z.infer<typeof rotatedSecret>> =>
      api.send('POST', at(id, 'rotate'), undefined, options),
    /** Sends a test event once. */
    test: (id: string, options?: CallOptions): Promise<WebhookTest> =>
      api.send('POST', at(id, 'test'), undefined, options),
    /** Lists a page of deliveries, newest first. */
    deliveries: (
      id: string,
      query: PageRequest = {},
      options?: CallOptions,
    ): Promise<z.infer<typeof webhookDeliveryList>> => api.get(at(id, 'deliveries'), { ...query }, options),
    /** Sends one event again. */
    redeliver: (id: string, deliveryId: string, options?: CallOptions): Promise<WebhookDelivery> =>
      api.send('POST', at(id, 'deliveries', deliveryId, 'redeliver'), undefined, options),
    /** Sends all events again that have not succeeded: all of them, or those since a time. */
    redeliverAll: (
      id: string,
      which: { since: string } | { failed: true },
      options?: CallOptions,
    ): Promise<{ deliveries: number }> => api.send('POST', at(id, 'redeliver'), which, options),
  };
}
