import { z } from 'zod';
import { citation } from '../ask/claims.ts';
import { objectId, recordId } from '../base/fields.ts';
import { chatBody } from './chat-body.ts';

/** The documents that a question is about. Without a field, all that the user may see. */
export const askScope = z.strictObject({
  collection_id: objectId.optional(),
  document_ids: z.array(objectId).min(1).max(1000).optional(),
  /** Documents with at least one of the tags. */
  tag_ids: z.array(objectId).min(1).max(100).optional(),
  /** Documents with a result of this prompt. */
  prompt_id: objectId.optional(),
  /** Documents that were uploaded on this day or later, and on this day or earlier. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
});
export type AskScope = z.infer<typeof askScope>;

export const askBody = chatBody
  .pick({ messages: true, thread_id: true, model: true, stream: true, time_zone: true })
  .extend({ scope: askScope.optional() });
export type AskBody = z.infer<typeof askBody>;

/** Rows behind a citation, page by page. */
export const askRowsQuery = z.object({
  id: z.string().min(1).max(40),
  /** The question of the conversation, from 0; the newest one without it. */
  question: z.coerce.number().int().min(0).max(10_000).optional(),
  skip: z.coerce.number().int().min(0).max(20_000).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

/** One value behind a citation, with its place. */
const askCell = citation.pick({ id: true, page_num: true, boxes: true }).extend({
  path: z.string(),
  value: z.unknown(),
  currency: z.string().optional(),
});

/** The documents that a cited value was computed from, as they are now. */
export const askRows = z.object({
  rows: z.array(z.object({ document_id: recordId, document_name: z.string(), cells: z.array(askCell) })),
  /** The fields of the rows, in order. */
  columns: z.array(z.string()),
  total_count: z.number().int(),
});
export type AskRows = z.infer<typeof askRows>;
