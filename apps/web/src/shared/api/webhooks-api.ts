import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  createWebhookBody,
  CreatedWebhook,
  UpdateWebhookBody,
  Webhook,
  WebhookDelivery,
  webhookDeliveryList,
  webhookList,
  WebhookTest,
} from '@docwright/contract';
import type { z } from 'zod';
import { queryString, requestJson, send } from '../http/http.ts';

const path = (orgId: string, ...rest: string[]) => [`/v0/orgs/${orgId}/webhooks`, ...rest].join('/');
export const webhooksKey = (orgId: string) => ['webhooks', orgId];
const refreshMs = 5_000;

export function webhooksQuery(orgId: string) {
  return queryOptions({
    queryKey: [...webhooksKey(orgId), 'list'],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof webhookList>>(path(orgId) + queryString({ limit: 100 }), { signal }),
    refetchInterval: refreshMs * 2,
  });
}

/** Only this answer holds the secret. */
export const createWebhook = (orgId: string, body: z.input<typeof createWebhookBody>): Promise<CreatedWebhook> =>
  requestJson(path(orgId), { method: 'POST', body });

export const updateWebhook = (orgId: string, id: string, body: UpdateWebhookBody): Promise<Webhook> =>
  requestJson(path(orgId, id), { method: 'PATCH', body });

export async function deleteWebhook(orgId: string, id: string): Promise<void> {
  await send(path(orgId, id), { method: 'DELETE' });
}

export const rotateSecret = (orgId: string, id: string): Promise<{ secret: string; old_secret_until: string }> =>
  requestJson(path(orgId, id, 'rotate'), { method: 'POST' });

export const testWebhook = (orgId: string, id: string): Promise<WebhookTest> =>
  requestJson(path(orgId, id, 'test'), { method: 'POST' });

export function deliveriesQuery(orgId: string, id: string, page: { skip: number; limit: number }) {
  return queryOptions({
    queryKey: [...webhooksKey(orgId), 'deliveries', id, page],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof webhookDeliveryList>>(path(orgId, id, 'deliveries') + queryString(page), { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
}

export const redeliver = (orgId: string, id: string, deliveryId: string): Promise<WebhookDelivery> =>
  requestJson(path(orgId, id, 'deliveries', deliveryId, 'redeliver'), { method: 'POST' });

export const redeliverFailed = (orgId: string, id: string): Promise<{ deliveries: number }> =>
  requestJson(path(orgId, id, 'redeliver'), { method: 'POST', body: { failed: true } });
