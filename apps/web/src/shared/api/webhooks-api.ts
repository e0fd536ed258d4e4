import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  createWebhookBody,
  CreatedWebhook,
  UpdateWebhookBody,
  Webhook,
  WebhookDelivery,
  WebhookTest,
} from '@docwright/contract';
import type { z } from 'zod';
import { requestJson, send } from '../http/http.ts';

const path = (orgId: string) => `/v0/orgs/${orgId}/webhooks` as const;
const webhookPath = (orgId: string, id: string) => `${path(orgId)}/${id}` as const;
export const webhooksKey = (orgId: string) => ['webhooks', orgId];
const refreshMs = 5_000;

export function webhooksQuery(orgId: string) {
  return queryOptions({
    queryKey: [...webhooksKey(orgId), 'list'],
    queryFn: ({ signal }) => requestJson(path(orgId), { query: { limit: 100 }, signal }),
    refetchInterval: refreshMs * 2,
  });
}

/** Only this answer holds the secret. */
export const createWebhook = (orgId: string, body: z.input<typeof createWebhookBody>): Promise<CreatedWebhook> =>
  requestJson(path(orgId), { method: 'POST', body });

export const updateWebhook = (orgId: string, id: string, body: UpdateWebhookBody): Promise<Webhook> =>
  requestJson(webhookPath(orgId, id), { method: 'PATCH', body });

export async function deleteWebhook(orgId: string, id: string): Promise<void> {
  await send(webhookPath(orgId, id), { method: 'DELETE' });
}

export const rotateSecret = (orgId: string, id: string): Promise<{ secret: string; old_secret_until: string }> =>
  requestJson(`${webhookPath(orgId, id)}/rotate`, { method: 'POST' });

export const testWebhook = (orgId: string, id: string): Promise<WebhookTest> =>
  requestJson(`${webhookPath(orgId, id)}/test`, { method: 'POST' });

export function deliveriesQuery(orgId: string, id: string, page: { skip: number; limit: number }) {
  return queryOptions({
    queryKey: [...webhooksKey(orgId), 'deliveries', id, page],
    queryFn: ({ signal }) => requestJson(`${webhookPath(orgId, id)}/deliveries`, { query: page, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
}

export const redeliver = (orgId: string, id: string, deliveryId: string): Promise<WebhookDelivery> =>
  requestJson(`${webhookPath(orgId, id)}/deliveries/${deliveryId}/redeliver`, { method: 'POST' });

export const redeliverFailed = (orgId: string, id: string): Promise<{ deliveries: number }> =>
  requestJson(`${webhookPath(orgId, id)}/redeliver`, { method: 'POST', body: { failed: true } });
