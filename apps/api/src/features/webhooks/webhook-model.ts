import type { EventType, Webhook, WebhookDelivery } from '@docwright/contract';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';
import type { StoredLease } from '../../platform/leases/leases.ts';
import { indexOutbox, type OutboxEvent } from '../event-log/index.ts';

/** A receiver of events. */
export type WebhookRecord = StoredRecord<typeof webhookSchema>;

/** One event for one webhook, over all tries. */
export type DeliveryRecord = StoredRecord<typeof deliverySchema>;

const webhookSchema = recordSchema(
  {
    organization_id: field.objectId,
    url: field.text,
    types: field.oneOf<EventType>().list(),
    filter: field.mixed<Webhook['filter']>().optionalOrNull(),
    include_result: field.flag.default(false),
    /** Encrypted JSON. */
    headers: field.text.optionalOrNull(),
    header_names: field.text.list().optional(),
    enabled: field.flag,
    ordered: field.flag.default(false),
    keep_answers: field.flag.default(false),
    disabled_because: field.oneOf<NonNullable<Webhook['disabled_because']>>().optionalOrNull(),
    /** Encrypted. */
    secret: field.text,
    old_secret: field.text.optionalOrNull(),
    old_secret_until: field.date.optionalOrNull(),
    created_by: field.objectId,
    created_at: field.date,
    /** Made by a token of a member: it ends with the member. */
    is_own: field.flag.default(false),
    /** Deliveries exist for the events up to this number. */
    planned_through: field.number,
    /** Since when every try has failed. */
    failing_since: field.date.optionalOrNull(),
    /** Held by the process that sends. */
    lease: field.mixed<StoredLease>().optionalOrNull(),
    event_outbox: field.mixed<OutboxEvent>().list().optional(),
  },
  { collection: 'webhooks', keepsEmptyObjects: true },
);
webhookSchema.index({ organization_id: 1, _id: -1 });
webhookSchema.index({ enabled: 1 });
indexOutbox(webhookSchema);

export const webhookModel = modelOf('Webhook', webhookSchema);

const deliverySchema = recordSchema(
  {
    organization_id: field.objectId,
    webhook_id: field.objectId,
    event_id: field.text,
    seq: field.number,
    type: field.oneOf<EventType>(),
    state: field.oneOf<WebhookDelivery['state']>(),
    tries: field.number.default(0),
    /** The place in the table of delays; a delivery that is requested again starts anew. */
    step: field.number.default(0),
    next_try_at: field.date.orNull(),
    status: field.number.orNull(),
    error: field.text.optionalOrNull(),
    seconds: field.number.orNull(),
    answer: field.text.optionalOrNull(),
    created_at: field.date,
  },
  { collection: 'webhook_deliveries' },
);
// Planning can be repeated after a crash.
deliverySchema.index({ webhook_id: 1, event_id: 1 }, { unique: true });
deliverySchema.index({ webhook_id: 1, state: 1, seq: 1 });
deliverySchema.index({ webhook_id: 1, _id: -1 });
deliverySchema.index({ state: 1, webhook_id: 1, next_try_at: 1 });
deliverySchema.index({ created_at: 1 });

export const deliveryModel = modelOf('WebhookDelivery', deliverySchema);
