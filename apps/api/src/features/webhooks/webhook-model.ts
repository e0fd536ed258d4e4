import type { EventType, Webhook, WebhookDelivery } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';
import type { StoredLease } from '../../platform/leases/leases.ts';
import type { OutboxEvent } from '../event-log/index.ts';

/** A receiver of events. */
export interface WebhookRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  url: string;
  types: EventType[];
  filter?: Webhook['filter'] | null;
  include_result: boolean;
  /** Encrypted JSON. */
  headers?: string | null;
  header_names?: string[];
  enabled: boolean;
  ordered: boolean;
  keep_answers: boolean;
  disabled_because?: NonNullable<Webhook['disabled_because']> | null;
  /** Encrypted. */
  secret: string;
  old_secret?: string | null;
  old_secret_until?: Date | null;
  created_by: Types.ObjectId;
  created_at: Date;
  /** Made by a token of a member: it ends with the member. */
  is_own: boolean;
  /** Deliveries exist for the events up to this number. */
  planned_through: number;
  /** Since when every try has failed. */
  failing_since?: Date | null;
  /** Held by the process that sends. */
  lease?: StoredLease | null;
  event_outbox?: OutboxEvent[];
}

/** One event for one webhook, over all tries. */
export interface DeliveryRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  webhook_id: Types.ObjectId;
  event_id: string;
  seq: number;
  type: EventType;
  state: WebhookDelivery['state'];
  tries: number;
  /** The place in the table of delays; a delivery that is requested again starts anew. */
  step: number;
  next_try_at: Date | null;
  status: number | null;
  error?: string | null;
  seconds: number | null;
  answer?: string | null;
  created_at: Date;
}

const id = { type: mongoose.Schema.Types.ObjectId, required: true } as const;
const mixed = { type: mongoose.Schema.Types.Mixed } as const;
const no = { type: Boolean, default: false } as const;

const webhookSchema = new mongoose.Schema<WebhookRecord>(
  {
    organization_id: id,
    url: { type: String, required: true },
    types: { type: [String], default: [] },
    filter: mixed,
    include_result: no,
    headers: { type: String },
    header_names: { type: [String], default: undefined },
    enabled: { type: Boolean, required: true },
    ordered: no,
    keep_answers: no,
    disabled_because: { type: String },
    secret: { type: String, required: true },
    old_secret: { type: String },
    old_secret_until: { type: Date },
    created_by: id,
    created_at: { type: Date, required: true },
    is_own: no,
    planned_through: { type: Number, required: true },
    failing_since: { type: Date },
    lease: mixed,
    event_outbox: { type: [mongoose.Schema.Types.Mixed], default: undefined },
  },
  { collection: 'webhooks', versionKey: false, minimize: false, autoIndex: false },
);
webhookSchema.index({ organization_id: 1, _id: -1 });
webhookSchema.index({ enabled: 1 });
webhookSchema.index({ 'event_outbox.id': 1 }, { sparse: true });

export function webhookModel(connection: Connection): Model<WebhookRecord> {
  return connection.models['Webhook'] ?? connection.model<WebhookRecord>('Webhook', webhookSchema);
}

const deliverySchema = new mongoose.Schema<DeliveryRecord>(
  {
    organization_id: id,
    webhook_id: id,
    event_id: { type: String, required: true },
    seq: { type: Number, required: true },
    type: { type: String, required: true },
    state: { type: String, required: true },
    tries: { type: Number, default: 0 },
    step: { type: Number, default: 0 },
    next_try_at: { type: Date, default: null },
    status: { type: Number, default: null },
    error: { type: String },
    seconds: { type: Number, default: null },
    answer: { type: String },
    created_at: { type: Date, required: true },
  },
  { collection: 'webhook_deliveries', versionKey: false, autoIndex: false },
);
// Planning can be repeated after a crash.
deliverySchema.index({ webhook_id: 1, event_id: 1 }, { unique: true });
deliverySchema.index({ webhook_id: 1, state: 1, seq: 1 });
deliverySchema.index({ state: 1, next_try_at: 1 });
deliverySchema.index({ created_at: 1 });

export function deliveryModel(connection: Connection): Model<DeliveryRecord> {
  return connection.models['WebhookDelivery'] ?? connection.model<DeliveryRecord>('WebhookDelivery', deliverySchema);
}
