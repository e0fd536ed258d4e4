import { z } from 'zod';
import { objectId } from '../base/fields.ts';
import { groundingBox } from '../extractions/grounding.ts';

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

/** What a citation of an answer over many documents points to. */
export const citationKind = z.enum(['cell', 'aggregate', 'calculation', 'passage']);

/** One cited id of a sentence, with what it holds. */
export const citation = z.object({
  id: z.string(),
  kind: citationKind,
  document_id: z.string().optional(),
  page_num: z.number().int().optional(),
  boxes: z.array(groundingBox).optional(),
  /** The words of the page from which a cell was taken. A passage has them as its value. */
  quote: z.string().optional(),
  value: z.unknown().optional(),
  /** Of a cell or aggregate: the field, and the currency of an amount. */
  path: z.string().optional(),
  currency: z.string().optional(),
  /** Of an aggregate: what was computed, and from how many values. */
  op: z.enum(['sum', 'count', 'min', 'max', 'avg', 'distinct']).optional(),
  cell_count: z.number().int().optional(),
});

/** Whether the product could check a sentence, and whether what it cites holds it. */
export const claimSupport = z.enum(['supported', 'unsupported', 'not_checkable']);

/** One checked sentence of an answer. `from` and `to` are offsets in the answer's text, in UTF-16 units. */
export const claim = z.object({
  text: z.string(),
  from: z.number().int(),
  to: z.number().int(),
  support: claimSupport,
  citations: z.array(citation),
  why: z.string().optional(),
});

export type Citation = z.infer<typeof citation>;
export type ClaimSupport = z.infer<typeof claimSupport>;
export type Claim = z.infer<typeof claim>;

/** The documents that an answer is based on: all of the scope, and those missing in the prompts and fields it used. */
export const askCoverage = z.object({
  documents: z.number().int(),
  with_result: z.number().int(),
  with_value: z.number().int(),
  /** Documents that lack one of the queried fields, at most 1,000. */
  without_value: z.array(z.string()),
  at_risk: z.number().int(),
  incomplete: z.number().int(),
  /** Documents whose text has not been read or could not be. */
  unread: z.number().int(),
  /** Documents that no model may read. */
  hidden: z.number().int(),
  /** Documents of the scope in the trash, which are not counted in `documents`. Absent if there are none. */
  trashed: z.number().int().optional(),
  /** Results that were written and were not in the index yet. Absent if there are none. */
  unindexed: z.number().int().optional(),
  /** Prompts whose results are too large to be read for this question. Absent if there are none. */
  too_large: z.number().int().optional(),
});
export type AskCoverage = z.infer<typeof askCoverage>;
