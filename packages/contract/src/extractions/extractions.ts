import { z } from 'zod';
import { objectId, pageInfo, recordId, timestamp } from '../base/fields.ts';
import { writeOrigin } from '../base/write-origin.ts';
import { failedCheck, validationError } from '../schemas/schemas.ts';
import { fieldPath, grounding } from './grounding.ts';
import { release } from './release.ts';
import { calibration, valueReview } from './review.ts';

/** Tokens of the model calls behind a result; SPU is one per started 1,000 tokens. */
export const usage = z.object({
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  /** The prompt tokens that the endpoint had cached, if it reports them. */
  cached_tokens: z.number().int().optional(),
  spu: z.number().int(),
  estimated: z.boolean(),
});
export type Usage = z.infer<typeof usage>;

/**
 * Why a result is incomplete or questionable. `rows_missing`: the pages show more rows than the list
 * has, or their numbering has gaps. `rows_duplicate`: rows were read twice. `text_cut`: text that was in no request.
 * `piece_failed`: pages that the model could not read. `near_unread`: a required field has no value, and a
 * part of a page could not be read. `conflicting_values`: parts of the document differ; the result is still complete.
 */
export const extractionIssue = z.object({
  code: z.enum(['rows_missing', 'rows_duplicate', 'text_cut', 'piece_failed', 'conflicting_values', 'near_unread']),
  /** The path of the list or field; empty for the whole result. */
  path: z.string(),
  /** At most 100. */
  pages: z.array(z.number().int()),
  /** Number of rows on the pages. */
  counted: z.number().int().optional(),
  /** Number of rows in the result. */
  got: z.number().int().optional(),
  message: z.string(),
});
export type ExtractionIssue = z.infer<typeof extractionIssue>;

/** Results of a document with `is_complete: false`, the newest of each prompt: how many, and the codes of their issues. */
export const incompleteResults = z.object({
  count: z.number().int(),
  codes: z.array(extractionIssue.shape.code.exclude(['conflicting_values'])),
});
export type IncompleteResults = z.infer<typeof incompleteResults>;

export const extraction = z.object({
  document_id: recordId,
  prompt_revid: recordId,
  prompt_id: recordId,
  schema_revid: recordId.optional(),
  version: z.number().int(),
  result: z.unknown(),
  original_result: z.unknown(),
  is_edited: z.boolean(),
  is_verified: z.boolean(),
  /** Keyed by path, dotted with indexes: `line_items.0.amount`. */
  grounding: z.record(z.string(), grounding),
  /** Paths of values that the model marked as uncertain, because their recognised text looks misread. */
  uncertain: z.array(z.string()).optional(),
  validation_errors: z.array(validationError),
  issues: z.array(extractionIssue),
  /** False if rows or text are missing, or rows are duplicated. */
  is_complete: z.boolean(),
  /** Checks of the schema that the result fails. A check that cannot be computed because of a null does not fail. */
  failed_checks: z.array(failedCheck).optional(),
  /** Paths of values that a user gave under an earlier revision of the prompt. Returned by the run that carried them over. */
  carried_over: z.array(z.string()).optional(),
  /** Keyed by path: the risk of each value, and the decision on it. Returned with a single result, not in lists. */
  review: z.record(z.string(), valueReview).optional(),
  /** Present together with `review`. */
  calibration: calibration.optional(),
  /** Whether this version is released. */
  release,
  model: z.string(),
  /** An answer of the model was not plain JSON (a fence or words around it, a trailing comma, encoded twice) and has been repaired. */
  repaired: z.literal(true).optional(),
  usage,
  created_at: timestamp,
});
export type Extraction = z.infer<typeof extraction>;

export const extractionList = pageInfo.extend({ extractions: z.array(extraction) });

/**
 * Which results of users a new extraction can replace: none (`unreviewed`, the default), edited ones, or verified ones as
 * well.
 */
export const replaceLevel = z.enum(['unreviewed', 'edited', 'verified']);
export type ReplaceLevel = z.infer<typeof replaceLevel>;

export const runExtractionBody = z.object({
  prompt_revid: objectId.optional(),
  replace: replaceLevel.default('unreviewed'),
  /** The version of this prompt's result that the user saw. If the result is at another one, the answer is 409 `version_conflict`. */
  base_version: z.number().int().min(1).optional(),
});

export const restoreVersionBody = z.object({
  /** The current version that the user saw. If the result is at another one, the answer is 409 `version_conflict`. */
  base_version: z.number().int().min(1).optional(),
});

export const estimateExtractionBody = z.object({ prompt_revid: objectId.optional() });

/** The estimated cost of an extraction. `requests` is 1 for a document that fits into one request. */
export const extractionEstimate = z.object({
  prompt_revid: recordId,
  requests: z.number().int(),
  pages: z.number().int(),
  spu_estimated: z.number().int(),
});
export type ExtractionEstimate = z.infer<typeof extractionEstimate>;

export const extractionState = z.enum(['running', 'completed', 'failed', 'stopped']);

/** The progress of an extraction. A document that fits into one request is one piece. */
export const extractionProgress = z.object({
  state: extractionState,
  pieces_done: z.number().int(),
  pieces_total: z.number().int(),
});
export type ExtractionProgress = z.infer<typeof extractionProgress>;

/** The result of one piece: the pages from `from` to `to`, both included. */
export const extractedPiece = z.object({ from: z.number().int(), to: z.number().int(), result: z.unknown() });
export type ExtractedPiece = z.infer<typeof extractedPiece>;

/** Events of an extraction: `progress` while it runs, `end` once. */
export const extractionEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('progress'),
    pieces_done: z.number().int(),
    pieces_total: z.number().int(),
    /** Pieces that were read since the last event. */
    pieces: z.array(extractedPiece),
  }),
  z.object({
    type: z.literal('end'),
    state: extractionState.exclude(['running']),
    pieces_done: z.number().int(),
    pieces_total: z.number().int(),
    is_complete: z.boolean(),
    issues: z.array(extractionIssue),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  }),
]);
export type ExtractionEvent = z.infer<typeof extractionEvent>;

/** The author of a version, and the channel. `user_id` is the user, or the owner of the run that wrote it. */
export const versionAuthor = z.object({
  kind: z.enum(['person', 'chat', 'run']),
  user_id: recordId,
  origin: writeOrigin,
  thread_id: recordId.optional(),
  turn_id: recordId.optional(),
  run_id: recordId.optional(),
});
export type VersionAuthor = z.infer<typeof versionAuthor>;

/** One stored version of a result. Versions are deleted with the document. */
export const extractionVersion = extraction.extend({
  /** The origin of the version. */
  action: z.enum(['extracted', 'edited', 'restored', 'undone']),
  /** When the version was written; `created_at` is when its extraction ran. */
  written_at: timestamp,
  /** Absent for versions older than the storage of authors. */
  author: versionAuthor.optional(),
  /** The restored version, if this version restores one. */
  restored_from: z.number().int().optional(),
  /** Whether this is the current result. */
  is_current: z.boolean(),
});
export type ExtractionVersion = z.infer<typeof extractionVersion>;

/** The newest first. `grounding` is returned with a single version, not in the list. */
export const listedExtractionVersion = extractionVersion.omit({ grounding: true });
export const extractionVersionList = pageInfo.extend({ versions: z.array(listedExtractionVersion) });
export type ExtractionVersionList = z.infer<typeof extractionVersionList>;
export const patchExtractionBody = z.object({
  path: fieldPath,
  value: z.unknown(),
  base_version: z.number().int().min(1),
});
export const verificationBody = z.object({
  is_verified: z.boolean(),
  /** The version that the user saw. If the result is at another one, the answer is 409 `version_conflict`. */
  base_version: z.number().int().min(1).optional(),
  /** Whether all values were shown to the user. Default: false. */
  seen: z.boolean().optional(),
  /** The paths of the values that were shown to the user, if not all were. */
  seen_paths: z.array(fieldPath).max(10_000).optional(),
});
/** What a user who verifies a result has seen. */
export type VerificationLook = Omit<z.infer<typeof verificationBody>, 'is_verified'>;
/** Which values a user who verifies a result has seen. */
export type SeenValues = Omit<VerificationLook, 'base_version'>;
