import {
  DomainError,
  type CreateWebhookBody,
  type CreatedWebhook,
  type UpdateWebhookBody,
  type Webhook,
  type WebhookDelivery,
  type WebhookTest,
} from '@docwright/contract';
import type { HostGuard } from '../../platform/network/host-guard.ts';
import { outboxEvent, type EventLog, type EventRecord } from '../event-log/index.ts';
import type { EventReader } from '../events/index.ts';
import { requireAdmin, type Actor, type Principal } from '../identity/index.ts';
import type { DeliveryService } from './delivery-service.ts';
import type { DeliveryRecord, WebhookRecord } from './webhook-model.ts';
import type { WebhookRepository } from './webhook-repository.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';
import { presentEach } from '../../platform/records/unreadable-records.ts';
import type { PageEnd, PageSelection } from '../../platform/database/page.ts';

interface WebhookServiceDependencies {
  webhooksOf: (organizationId: string) => WebhookRepository;
  eventLog: Pick<EventLog, 'range'>;
  eventReader: EventReader;
  delivery: Pick<DeliveryService, 'tryOnce'>;
  secrets: WebhookSecrets;
  guard: HostGuard;
  wake: () => Promise<void>;
  /** Throws `unknown_reference` if a tag does not belong to the organization. */
  checkTags: (organizationId: string, tagIds: readonly string[]) => Promise<void>;
  promptExists: (organizationId: string, promptId: string) => Promise<boolean>;
}

interface Page extends PageEnd {
  skip: number;
  limit: number;
}

/**
 * Webhooks of an organization. Admins manage all; the token of a member whose scopes name `webhooks` manages those that
 * the member made so. Throws `webhook_not_found` for others.
 */
export type WebhookService = ReturnType<typeof webhookServiceFor>;

const maxWebhooks = 100;
const oldSecretMs = 24 * 3_600_000;
const replayBatch = 500;

export function createWebhookService(
  dependencies: WebhookServiceDependencies,
): (actor: Actor, principal: Principal) => WebhookService {
  return (actor, principal) => webhookServiceFor(actor, principal, dependencies);
}

function webhookServiceFor(actor: Actor, principal: Principal, dependencies: WebhookServiceDependencies) {
  const { webhooksOf, eventLog, eventReader, delivery, secrets, guard, wake, checkTags, promptExists } = dependencies;
  const { organizationId } = actor;
  const webhooks = webhooksOf(organizationId);
  const isAdmin = actor.role === 'admin';
  if (!isAdmin && (actor.role === 'viewer' || principal.token?.scopes.includes('webhooks') !== true))
    requireAdmin(actor);

  async function find(id: string): Promise<WebhookRecord> {
    const record = await webhooks.get(id);
    const isVisible = record && (isAdmin || (record.is_own && record.created_by.equals(actor.userId)));
    if (!isVisible) throw new DomainError('not_found', 'webhook_not_found', 'There is no such webhook.');
    return record;
  }

  async function checkUrl(text: string): Promise<void> {
    const url = URL.parse(text);
    if (url === null || url.hash !== '')
      throw refused('A webhook has an address that starts with https:// or http://.');
    url.search = '';
    await guard.checkUrl(url.href).catch((error: unknown) => {
      if (error instanceof DomainError) throw refused(error.message.replace('A base_url', 'The address of a webhook'));
      throw error;
    });
  }

  async function checkFilter(filter: UpdateWebhookBody['filter']): Promise<void> {
    const { tag_ids = [], prompt_id } = filter ?? {};
    await checkTags(organizationId, tag_ids);
    if (prompt_id === undefined || (await promptExists(organizationId, prompt_id))) return;
    const message = `There is no prompt ${prompt_id}. List the prompts and use an id from there.`;
    throw new DomainError('invalid', 'unknown_reference', message);
  }

  function fieldsOf({ headers, filter, ...fields }: UpdateWebhookBody): Partial<WebhookRecord> {
    return {
      ...fields,
      ...(filter !== undefined && { filter }),
      ...(headers && { headers: secrets.seal(organizationId, headers), header_names: Object.keys(headers) }),
    } as Partial<WebhookRecord>;
  }

  return {
    async list(page: PageSelection): Promise<Page & { webhooks: Webhook[] }> {
      const { records, end } = await webhooks.list(page, isAdmin ? undefined : actor.userId);
      return { webhooks: presentEach(records, presentWebhook), ...end, skip: page.skip, limit: page.limit };
    },
    get: async (id: string): Promise<Webhook> => presentWebhook(await find(id)),
    async create(body: CreateWebhookBody): Promise<CreatedWebhook> {
      await checkUrl(body.url);
      await checkFilter(body.filter);
      if ((await webhooks.count()) >= maxWebhooks) {
        throw new DomainError(
          'conflict',
          'too_many_webhooks',
          `An organization has at most ${maxWebhooks} webhooks. Delete one first.`,
        );
      }
      const { secret, sealed } = secrets.create(organizationId);
      const record = await webhooks.create({
        ...(fieldsOf(body) as CreateWebhookBody & Pick<WebhookRecord, 'headers'>),
        secret: sealed,
        created_by: actor.userId as never,
        created_at: new Date(),
        is_own: !isAdmin,
        planned_through: (await eventLog.range(organizationId)).last,
      });
      return { ...presentWebhook(record), secret };
    },
    async update(id: string, { seen, ...body }: UpdateWebhookBody): Promise<Webhook> {
      const former = await find(id);
      if (body.url !== undefined) await checkUrl(body.url);
      await checkFilter(body.filter);
      // Headers can hold keys for the former address.
      const isMoved = body.url !== undefined && URL.parse(body.url)?.origin !== URL.parse(former.url)?.origin;
      const isEnabled = body.enabled === true && !former.enabled;
      const change = {
        ...fieldsOf(body),
        ...(isMoved && body.headers === undefined && { headers: null, header_names: [] }),
        ...(isEnabled && {
          disabled_because: null,
          failing_since: null,
          // What happened meanwhile is delivered on request.
          planned_through: (await eventLog.range(organizationId)).last,
        }),
      };
      const updated = await webhooks.update(id, change, { seen, present: presentWebhook });
      if (isEnabled) await wake();
      return presentWebhook(updated ?? former);
    },
    async remove(id: string): Promise<void> {
      await find(id);
      await webhooks.remove(id);
    },
    async rotate(id: string): Promise<{ secret: string; old_secret_until: string }> {
      const former = await find(id);
      const { secret, sealed } = secrets.create(organizationId);
      const old_secret_until = new Date(Date.now() + oldSecretMs);
      const rotated = { secret: sealed, old_secret: former.secret, old_secret_until };
      await webhooks.update(id, rotated, { present: presentWebhook });
      return { secret, old_secret_until: old_secret_until.toISOString() };
    },
    async test(id: string, signal: AbortSignal): Promise<WebhookTest> {
      const webhook = await find(id);
      const { id: eventId, at } = outboxEvent('run.completed');
      const { succeeded, status, error, seconds } = await delivery.tryOnce(
        webhook,
        {
          seq: 0,
          id: eventId,
          type: webhook.types[0] ?? 'document.ready',
          timestamp: at.toISOString(),
          organization_id: organizationId,
          data: { test: true },
        },
        signal,
      );
      return { succeeded, status, seconds, ...(error && { error }) };
    },
    async deliveries(id: string, page: PageSelection): Promise<Page & { deliveries: WebhookDelivery[] }> {
      await find(id);
      const { records, end } = await webhooks.deliveries(id, page);
      return { deliveries: presentEach(records, presentDelivery), ...end, skip: page.skip, limit: page.limit };
    },
    async redeliver(id: string, deliveryId: string): Promise<WebhookDelivery> {
      await find(id);
      const found = await webhooks.retry(id, deliveryId);
      if (!found) throw new DomainError('not_found', 'delivery_not_found', 'There is no such delivery.');
      await wake();
      return presentDelivery(found);
    },
    async redeliverAll(id: string, { since }: { since?: string | undefined }): Promise<{ deliveries: number }> {
      const webhook = await find(id);
      const from = since === undefined ? undefined : await planSince(webhook, new Date(since));
      const count = from === null ? 0 : await webhooks.retryAll(id, from);
      await wake();
      return { deliveries: count };
    },
  };

  /** Plans events that the webhook never got, such as those while it was disabled. The first number; null without any. */
  async function planSince(webhook: WebhookRecord, since: Date): Promise<number | null> {
    let first: number | null = null;
    for (let after = (await eventLog.range(organizationId)).oldest - 1; ;) {
      const wanted = { types: webhook.types, ...webhook.filter };
      const { records, reached } = await eventReader.read(organizationId, after, replayBatch, wanted);
      const chosen: EventRecord[] = records.filter(({ at }) => at >= since);
      first ??= chosen[0]?.seq ?? null;
      await webhooks.plan(webhook, chosen);
      if (reached === after) return first;
      after = reached;
    }
  }
}

function refused(message: string): DomainError {
  return new DomainError('invalid', 'webhook_url_refused', message);
}

function presentWebhook(record: WebhookRecord): Webhook {
  const { filter, header_names = [], disabled_because, failing_since } = record;
  return {
    id: record._id.toHexString(),
    url: record.url,
    types: record.types,
    ...(filter && { filter }),
    include_result: record.include_result,
    ...(header_names.length > 0 && { headers: Object.fromEntries(header_names.map((name) => [name, '••••'])) }),
    enabled: record.enabled,
    ordered: record.ordered,
    keep_answers: record.keep_answers,
    ...(disabled_because && { disabled_because }),
    ...(failing_since && { failing_since: failing_since.toISOString() }),
    created_by: record.created_by.toHexString(),
    created_at: record.created_at.toISOString(),
  };
}

function presentDelivery(record: DeliveryRecord): WebhookDelivery {
  return {
    id: record._id.toHexString(),
    event_id: record.event_id,
    seq: record.seq,
    type: record.type,
    state: record.state,
    tries: record.tries,
    status: record.status,
    ...(record.error && { error: record.error }),
    seconds: record.seconds,
    next_try_at: record.next_try_at?.toISOString() ?? null,
    ...(record.answer && { answer: record.answer }),
    created_at: record.created_at.toISOString(),
  };
}
