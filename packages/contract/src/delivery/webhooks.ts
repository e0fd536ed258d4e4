import { z } from 'zod';
import { objectId, pageInfo, recordId, seenFields, timestamp } from '../base/fields.ts';
import { eventType } from './events.ts';

/** Names that the server sets, or that decide where a request goes. */
const reservedHeader = /^(?:webhook-.*|host|content-length|content-type|transfer-encoding|connection|upgrade|expect)$/i;

/** A control character other than a tab ends a header. */
function hasControlCharacter(text: string): boolean {
  return text.split('').some((character) => character === '\u007f' || (character < ' ' && character !== '\t'));
}

const headers = z
  .record(
    z
      .string()
      .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'This is no name of a header.')
      .refine((name) => !reservedHeader.test(name), 'The server sets this header.'),
    z
      .string()
      .max(2_000)
      .refine((text) => !hasControlCharacter(text), 'A header has no control characters.'),
  )
  .refine((entries) => Object.keys(entries).length <= 20, 'At most 20 headers.');

const filter = z.strictObject({
  tag_ids: z.array(objectId).max(100).optional(),
  prompt_id: objectId.optional(),
});

const url = z.string().trim().min(1).max(2_000);

export const createWebhookBody = z.strictObject({
  url,
  /** Without any, all events. */
  types: z.array(eventType).max(50).default([]),
  filter: filter.optional(),
  include_result: z.boolean().default(false),
  /** Sent with every request. Their values are not shown again. */
  headers: headers.optional(),
  enabled: z.boolean().default(true),
  /** Delivers one event after another, in the order of `seq`: a failing one delays the next. */
  ordered: z.boolean().default(false),
  /** Stores the first 1,000 characters of answers. */
  keep_answers: z.boolean().default(false),
});
export type CreateWebhookBody = z.infer<typeof createWebhookBody>;

export const updateWebhookBody = z.strictObject({
  seen: seenFields,
  url: url.optional(),
  types: z.array(eventType).max(50).optional(),
  filter: filter.nullish(),
  include_result: z.boolean().optional(),
  headers: headers.optional(),
  enabled: z.boolean().optional(),
  ordered: z.boolean().optional(),
  keep_answers: z.boolean().optional(),
});
export type UpdateWebhookBody = z.infer<typeof updateWebhookBody>;

export const webhook = z.object({
  id: recordId,
  url: z.string(),
  types: z.array(eventType),
  filter: filter.optional(),
  include_result: z.boolean(),
  /** The values are masked. */
  headers: z.record(z.string(), z.string()).optional(),
  enabled: z.boolean(),
  ordered: z.boolean(),
  keep_answers: z.boolean(),
  /** Why the server disabled it. */
  disabled_because: z.enum(['gone', 'failing', 'creator_left']).optional(),
  /** Since when no try has succeeded. */
  failing_since: timestamp.optional(),
  created_by: recordId,
  created_at: timestamp,
});
export type Webhook = z.infer<typeof webhook>;

/** The secret is shown only once. */
export const createdWebhook = webhook.extend({ secret: z.string() });
export type CreatedWebhook = z.infer<typeof createdWebhook>;

export const rotatedSecret = z.object({
  secret: z.string(),
  /** Until then requests are signed with the old secret as well. */
  old_secret_until: timestamp,
});

export const webhookList = pageInfo.extend({ webhooks: z.array(webhook) });

export const deliveryState = z.enum(['pending', 'succeeded', 'failed']);

export const webhookDelivery = z.object({
  id: recordId,
  event_id: z.string(),
  seq: z.number().int(),
  type: eventType,
  state: deliveryState,
  tries: z.number().int(),
  /** The status of the last answer; null without an answer. */
  status: z.number().int().nullable(),
  /** Why the last try failed. */
  error: z.string().optional(),
  /** How long the last try took. */
  seconds: z.number().nullable(),
  next_try_at: timestamp.nullable(),
  answer: z.string().optional(),
  created_at: timestamp,
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;
export const webhookDeliveryList = pageInfo.extend({ deliveries: z.array(webhookDelivery) });

export const redeliverBody = z
  .strictObject({
    /** All events since this time that have not succeeded. */
    since: z.iso.datetime({ offset: true }).max(40).optional(),
    /** All that have not succeeded, also while tries are planned. */
    failed: z.literal(true).optional(),
  })
  .refine(({ since, failed }) => (since === undefined) !== (failed === undefined), 'Give either since or failed.');
export const redelivered = z.object({ deliveries: z.number().int() });

/** The outcome of a test request. */
export const webhookTest = z.object({
  succeeded: z.boolean(),
  status: z.number().int().nullable(),
  error: z.string().optional(),
  seconds: z.number(),
});
export type WebhookTest = z.infer<typeof webhookTest>;
