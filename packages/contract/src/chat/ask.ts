import { z } from 'zod';
import { objectId } from '../base/fields.ts';
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
