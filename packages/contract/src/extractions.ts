import { z } from 'zod';
import { objectId, pageInfo, timestamp } from './common.ts';
import { validationError } from './schemas.ts';

/** Fractions 0–1 of the page as displayed, origin top left. */
export const groundingBox = z.object({
  page_num: z.number().int(),
  x0: z.number(),
  y0: z.number(),
  x1: z.number(),
  y1: z.number(),
});

/** Where one value stands. `none`: nowhere on the pages. */
export const grounding = z.object({
  page_num: z.number().int().nullable(),
  quote: z.string().nullable(),
  boxes: z.array(groundingBox),
  match: z.enum(['exact', 'normalized', 'fuzzy', 'none']),
});
export type Grounding = z.infer<typeof grounding>;

/** Tokens of the model calls behind a result; SPU is one per started 1,000 tokens. */
export const usage = z.object({
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  spu: z.number().int(),
  estimated: z.boolean(),
});
export type Usage = z.infer<typeof usage>;

export const extraction = z.object({
  document_id: z.string(),
  prompt_revid: z.string(),
  prompt_id: z.string(),
  schema_revid: z.string().optional(),
  version: z.number().int(),
  result: z.unknown(),
  original_result: z.unknown(),
  is_edited: z.boolean(),
  is_verified: z.boolean(),
  /** Keyed by path, dotted with indexes: `line_items.0.amount`. */
  grounding: z.record(z.string(), grounding),
  validation_errors: z.array(validationError),
  model: z.string(),
  usage,
  created_at: timestamp,
});
export type Extraction = z.infer<typeof extraction>;

export const extractionList = pageInfo.extend({ extractions: z.array(extraction) });
export const runExtractionBody = z.object({ prompt_revid: objectId.optional() });
export const fieldPath = z.string().min(1).max(1000);
export const patchExtractionBody = z.object({
  path: fieldPath,
  value: z.unknown(),
  base_version: z.number().int().min(1),
});
export const verificationBody = z.object({ is_verified: z.boolean() });
