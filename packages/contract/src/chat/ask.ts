import { z } from 'zod';
import { askScope, citation } from '../ask/claims.ts';
import { recordId } from '../base/fields.ts';
import { chatBody } from './chat-body.ts';

export const askBody = chatBody
  .pick({
    messages: true,
    thread_id: true,
    model: true,
    reasoning: true,
    stream: true,
    time_zone: true,
    truncate_thread_to_message_count: true,
  })
  .extend({ scope: askScope.optional() });
export type AskBody = z.infer<typeof askBody>;

/** Rows behind a citation, page by page. */
export const askRowsQuery = z.object({
  /** The question of the conversation, from 0; the newest one without it. */
  question: z.coerce.number().int().min(0).max(10_000).optional(),
  skip: z.coerce.number().int().min(0).max(20_000).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

/** One value behind a citation, with its place. */
const askCell = citation.pick({ id: true, page_num: true, boxes: true, quote: true }).extend({
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
