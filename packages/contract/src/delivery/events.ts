import { z } from 'zod';
import { idListQuery, jsonObject, objectId, recordId, timestamp } from '../base/fields.ts';

export const eventType = z.enum([
  'document.created',
  'document.ready',
  'document.failed',
  'document.routed',
  'document.unsure',
  'extraction.completed',
  'extraction.failed',
  'extraction.incomplete',
  'result.released',
  'result.withdrawn',
  'proposal.ready',
  'approval.waiting',
  'run.completed',
  'source.failing',
  'webhook.disabled',
  'budget.exhausted',
]);
export type EventType = z.infer<typeof eventType>;

/** Something that happened in an organization. */
export const organizationEvent = z.object({
  /** Dense, in the order in which events become visible. */
  seq: z.number().int(),
  /** The same in the feed and in all tries of all webhooks. */
  id: z.string(),
  type: eventType,
  timestamp,
  organization_id: recordId,
  /** Ids, names, version and state; with `include=result` also `result`, or `result_url` if it is larger than 256 kB. */
  data: jsonObject,
});
export type OrganizationEvent = z.infer<typeof organizationEvent>;

const typeList = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (Array.isArray(value) ? value : value.split(',')).map((type) => type.trim()).filter(Boolean))
  .pipe(z.array(eventType).max(50));

export const eventQuery = z.object({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('`next_after` of the previous answer. Without it the feed starts at the oldest event.'),
  types: typeList.optional().describe('Only these types, separated by commas.'),
  tag_ids: idListQuery.optional().describe('Only events of documents that have all of these tags now.'),
  prompt_id: objectId.optional().describe('Only events of results of this prompt.'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  wait: z.coerce
    .number()
    .min(0)
    .max(30)
    .default(0)
    .describe('Seconds that the request stays open until there is an event; at most 30.'),
  include: z.enum(['result']).optional(),
});
export type EventQuery = z.infer<typeof eventQuery>;

export const eventFeed = z.object({
  events: z.array(organizationEvent),
  /** Pass it as `after` of the next request. It also passes what a filter leaves out. */
  next_after: z.number().int(),
  /** The first event that is still there, or the next one if there is none. */
  oldest: z.number().int(),
});
export type EventFeed = z.infer<typeof eventFeed>;
