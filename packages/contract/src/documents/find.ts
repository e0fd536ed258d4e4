import { z } from 'zod';
import { recordId } from '../base/fields.ts';

export const findQuery = z.object({
  /** Words that must all be in the name, on the page or in the values. */
  q: z.string().trim().min(2).max(200),
  limit: z.coerce.number().int().min(1).max(20).default(10),
});
export type FindQuery = z.infer<typeof findQuery>;

/** A document whose name, page or extracted values contain the words. */
export const foundPlace = z.object({
  document_id: recordId,
  document_name: z.string(),
  /** The places that contain the words. */
  kind: z.enum(['name', 'value', 'page']),
  /** Of a page: its number, from 1. */
  page_num: z.number().int().optional(),
  /** Of a page: the range of the first word in its text, in UTF-16 units. */
  start: z.number().int().optional(),
  end: z.number().int().optional(),
  /** Of a value: its path, and the revision of the prompt whose result has it. */
  path: z.string().optional(),
  prompt_revid: recordId.optional(),
  /** The value, or the text around the first word. */
  excerpt: z.string().optional(),
});
export type FoundPlace = z.infer<typeof foundPlace>;

/** Names first, then values, then pages. */
export const foundPlaces = z.object({ places: z.array(foundPlace) });
