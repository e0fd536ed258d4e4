import { z } from 'zod';
import { jsonValue, objectId, pageInfo, pageQuery, recordId } from '../base/common.ts';
import { drawnBox, fieldPath, grounding } from './grounding.ts';

/** From this risk on an open value is worth a look; one with a reason always is. */
export const riskToCheck = 0.1;

/** Why a value is worth a look. Each is computed by the product; none is the model's claim about itself. */
export const reviewReason = z.enum([
  'not_found',
  'fuzzy_match',
  'ambiguous_place',
  'ocr_unsure',
  'schema_error',
  'check_failed',
  'row_missing',
  'row_duplicate',
  'text_cut',
  'differs_from_second_read',
  'conflicting_values',
  'unusual',
  'model_unsure',
]);
export type ReviewReason = z.infer<typeof reviewReason>;

export const reviewState = z.enum(['open', 'confirmed', 'corrected', 'accepted']);
export type ReviewState = z.infer<typeof reviewState>;

/** The review of one value. */
export const valueReview = z.object({
  /** The probability that the value is wrong, 0 to 1. */
  risk: z.number().min(0).max(1),
  reasons: z.array(reviewReason),
  /** `accepted`: by the prompt's policy, by no person. */
  state: reviewState,
  /** What the second read found in its place, where it differs. */
  second_value: jsonValue.optional(),
});
export type ValueReview = z.infer<typeof valueReview>;

/** How well the risk fits the verified values of the prompt; null below 50 of them, while defaults hold. */
export const calibration = z
  .object({
    verified_values: z.number().int(),
    /** Expected calibration error, 0 to 1, measured on documents that were not fitted to. */
    error: z.number(),
    /** The probability that a wrong value has a higher risk than a right one; null without both. */
    auroc: z.number().nullable(),
  })
  .nullable();
export type Calibration = z.infer<typeof calibration>;

export const reviewItem = z.object({
  document_id: recordId,
  document_name: z.string(),
  prompt_id: recordId,
  prompt_revid: recordId,
  path: z.string(),
  value: jsonValue,
  risk: z.number(),
  reasons: z.array(reviewReason),
  /** The messages of the failed checks that name the value's field; absent where none does. */
  failed_checks: z.array(z.string()).optional(),
  /** What the second read found in its place, where it differs. */
  second_value: jsonValue.optional(),
  grounding: grounding.nullable(),
  version: z.number().int(),
});
export type ReviewItem = z.infer<typeof reviewItem>;

export const reviewQueue = pageInfo.extend({
  items: z.array(reviewItem),
  /** Documents and values that match, those that others look at now included. */
  documents: z.number().int(),
  values: z.number().int(),
});
export type ReviewQueue = z.infer<typeof reviewQueue>;

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

export const reviewQueueQuery = pageQuery.extend({
  prompt_id: objectId.optional(),
  tag_id: objectId.optional(),
  document_id: objectId.optional(),
  reason: reviewReason.optional(),
  min_risk: z.coerce.number().min(0).max(1).optional(),
  /** The most documents of a page: a page leases each document that it shows. */
  max_documents: z.coerce.number().int().min(1).max(100).optional(),
  /** Whether the documents shown are leased to the caller. */
  lease: flag.optional(),
});
export type ReviewQueueQuery = z.infer<typeof reviewQueueQuery>;

export const reviewDecision = z.strictObject({
  document_id: objectId,
  prompt_revid: objectId,
  path: fieldPath,
  version: z.number().int().min(1),
  action: z.enum(['confirm', 'correct', 'clear']),
  value: z.unknown().optional(),
  /** Of a correction: where the value stands. It becomes its place where its words hold the value. */
  box: drawnBox.optional(),
});
export type ReviewDecision = z.infer<typeof reviewDecision>;

export const decideReviewBody = z.strictObject({ decisions: z.array(reviewDecision).min(1).max(200) });

export const reviewOutcome = z.object({
  document_id: recordId,
  prompt_revid: recordId,
  path: z.string(),
  status: z.enum(['decided', 'conflict', 'not_found', 'invalid']),
  /** The version that the result has now. */
  version: z.number().int().optional(),
  /** Whether the document is verified now, since this was the last of its values. */
  is_verified: z.boolean().optional(),
  /** For a user: why the decision did not count. */
  message: z.string().optional(),
});
export type ReviewOutcome = z.infer<typeof reviewOutcome>;
export const reviewOutcomes = z.object({ outcomes: z.array(reviewOutcome) });
