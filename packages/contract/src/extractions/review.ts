import { z } from 'zod';
import { jsonValue, objectId, recordId, skipPageInfo, skipQuery } from '../base/fields.ts';
import { drawnBox, fieldPath, grounding } from './grounding.ts';

/** A reason to review a value. `model_unsure` is a statement of the model; the others are computed. */
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
  'expected_but_missing',
  'near_unread',
  'differs_from_embedded',
  'agrees_with_embedded',
  'other_label',
]);
/** Reasons that speak for a value. A value that has no other needs no check. */
export const reassuringReasons: readonly z.infer<typeof reviewReason>[] = ['agrees_with_embedded'];
export type ReviewReason = z.infer<typeof reviewReason>;

export const reviewState = z.enum(['open', 'confirmed', 'corrected', 'accepted']);
export type ReviewState = z.infer<typeof reviewState>;

/** The review of one value. */
export const valueReview = z.object({
  /** The probability that the value is wrong, 0 to 1. */
  risk: z.number().min(0).max(1),
  reasons: z.array(reviewReason),
  /** `accepted`: by the prompt's policy, not by a user. */
  state: reviewState,
  /** Whether a user should check the value: the same decision everywhere. */
  to_check: z.boolean(),
  /** Of a confirmed value: whether the user saw it. An unseen value counts as verified, but measures and teaches nothing. */
  confirmed: z.enum(['seen', 'unseen']).optional(),
  /** The value of the second read, if it differs. */
  second_value: jsonValue.optional(),
  /** What the document says for machines, if it differs. null: it has no such row. */
  embedded_value: jsonValue.optional(),
});
export type ValueReview = z.infer<typeof valueReview>;

/** How well the risk fits the prompt's verified values. null with fewer than 50 of them, when defaults apply. */
export const calibration = z
  .object({
    verified_values: z.number().int(),
    /** Expected calibration error, 0 to 1, measured on documents outside the fit. */
    error: z.number(),
    /** The probability that a wrong value has a higher risk than a correct one. null if there are no wrong or no correct values. */
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
  to_check: z.boolean(),
  /** true: nothing says that the value is wrong; it is listed because its document was drawn for an audit. */
  audit: z.literal(true).optional(),
  /** Messages of the failed checks on the value's field. Absent if there are none. */
  failed_checks: z.array(z.string()).optional(),
  /** The value of the second read, if it differs. */
  second_value: jsonValue.optional(),
  /** What the document says for machines, if it differs. null: it has no such row. */
  embedded_value: jsonValue.optional(),
  grounding: grounding.nullable(),
  version: z.number().int(),
});
export type ReviewItem = z.infer<typeof reviewItem>;

export const reviewQueue = skipPageInfo.extend({
  items: z.array(reviewItem),
  /** Number of matching documents and values, including those that others review now. */
  documents: z.number().int(),
  values: z.number().int(),
  /** Further open values, of documents that were drawn for the audit of a release policy. They are not to check: an audit looks at all values. */
  to_audit: z.number().int(),
});
export type ReviewQueue = z.infer<typeof reviewQueue>;

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

export const reviewQueueQuery = skipQuery.extend({
  prompt_id: objectId.optional(),
  tag_id: objectId.optional(),
  document_id: objectId.optional(),
  reason: reviewReason.optional(),
  min_risk: z.coerce.number().min(0).max(1).optional(),
  /** Maximum number of documents of a page. A page leases each of its documents. */
  max_documents: z.coerce.number().int().min(1).max(100).optional(),
  /** Whether open values that need no check are listed as well. */
  all: flag.optional(),
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
  /** Whether the value was shown to the user. Default: false. A correction counts as seen. */
  seen: z.boolean().optional(),
  /** For a correction: the box of the value. It becomes the value's place if its words contain the value. */
  box: drawnBox.optional(),
});
export type ReviewDecision = z.infer<typeof reviewDecision>;

export const decideReviewBody = z.strictObject({ decisions: z.array(reviewDecision).min(1).max(200) });

export const reviewOutcome = z.object({
  document_id: recordId,
  prompt_revid: recordId,
  path: z.string(),
  status: z.enum(['decided', 'conflict', 'not_found', 'invalid']),
  /** The current version of the result. */
  version: z.number().int().optional(),
  /** Whether the document is now verified, because this was its last open value. */
  is_verified: z.boolean().optional(),
  /** Tells a user why the decision had no effect. */
  message: z.string().optional(),
});
export type ReviewOutcome = z.infer<typeof reviewOutcome>;
export const reviewOutcomes = z.object({ outcomes: z.array(reviewOutcome) });
