import { z } from 'zod';
import { artifactName, pageInfo, pageQuery, recordId, seenFields, timestamp } from '../base/fields.ts';

export const tagColor = z.string().regex(/^#[0-9a-f]{6}$/i, 'A colour is written #rrggbb.');
const description = z.string().max(2000);

/** What starts when a document gets the tag: with its text, from a route, or from a user or a source later. */
export const onArrival = z.strictObject({
  /** Runs the newest revision of every prompt with the tag, once for each document and prompt. */
  run_prompts: z.boolean(),
  /** Makes a proposal for the document, once. */
  auto_create: z.boolean().optional(),
});
export type OnArrival = z.infer<typeof onArrival>;

export const tag = z.object({
  tag_id: recordId,
  name: z.string(),
  color: z.string(),
  description: z.string(),
  created_at: timestamp,
  created_by: z.string(),
  /** Absent for a tag that starts nothing. */
  on_arrival: onArrival.optional(),
  /** Documents with the tag are kept from all models. Absent for other tags. */
  never_to_model: z.literal(true).optional(),
});
export type Tag = z.infer<typeof tag>;

export const tagList = pageInfo.extend({ tags: z.array(tag) });
export const tagListQuery = pageQuery.extend({ name_search: z.string().max(200).optional() });
/** Of one organization. */
export const maxTags = 10_000;

export const createTagBody = z.object({
  name: artifactName,
  color: tagColor.optional(),
  description: description.optional(),
  on_arrival: onArrival.optional(),
  never_to_model: z.boolean().optional(),
});
export const updateTagBody = z.object({
  seen: seenFields,
  name: artifactName.optional(),
  color: tagColor.optional(),
  description: description.optional(),
  on_arrival: onArrival.optional(),
  /** True also keeps the documents that have the tag; false, for admins, clears none of them. */
  never_to_model: z.boolean().optional(),
});
