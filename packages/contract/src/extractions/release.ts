import { z } from 'zod';
import { pageInfo, recordId, timestamp } from '../base/fields.ts';

/** Why a result is not released. The first five block a user too; the others concern the policy alone. */
export const releaseReasonCode = z.enum([
  'incomplete',
  'check_failed',
  'validation_error',
  'duplicate',
  'waiting_approval',
  'needs_check',
  'sampled',
  'not_enough_evidence',
  'policy_off',
  // The file of the document has changed: a later document has its content.
  'replaced',
]);
export type ReleaseReasonCode = z.infer<typeof releaseReasonCode>;

/** The reasons that only an admin can overrule. */
export const blockingReasons: readonly ReleaseReasonCode[] = releaseReasonCode.options.slice(0, 5);

export const releaseReason = z.object({
  code: releaseReasonCode,
  /** The values that it concerns, at most 50. */
  paths: z.array(z.string()).optional(),
});
export type ReleaseReason = z.infer<typeof releaseReason>;

export const releaseState = z.enum(['open', 'released', 'withdrawn']);
export type ReleaseState = z.infer<typeof releaseState>;

export const withdrawnBecause = z.enum([
  'edited',
  're_extracted',
  'undone',
  'restored',
  'trashed',
  'found_wrong',
  // The result of a later version of the file was released.
  'replaced',
]);
export type WithdrawnBecause = z.infer<typeof withdrawnBecause>;

/** Whether a version of a result is released. */
export const release = z.object({
  state: releaseState,
  /** The version of the result. */
  version: z.number().int(),
  released_at: timestamp.optional(),
  by: z.enum(['policy', 'user']).optional(),
  policy_version: z.number().int().optional(),
  user_id: recordId.optional(),
  /** Why it is not released; of an open result. */
  reasons: z.array(releaseReason).optional(),
  /** The earlier version that was released and is withdrawn. */
  withdrawn: z.object({ version: z.number().int(), at: timestamp, because: withdrawnBecause }).optional(),
});
export type Release = z.infer<typeof release>;

/** The release of the newest result of one prompt on a document. */
export const documentRelease = z.object({
  prompt_id: recordId,
  prompt_revid: recordId,
  version: z.number().int(),
  state: releaseState,
});
export type DocumentRelease = z.infer<typeof documentRelease>;

/** When results of a prompt are released without a user. */
export const releasePolicy = z
  .strictObject({
    max_wrong: z.number().min(0.0001).max(0.5).default(0.005),
    confidence: z.number().min(0.5).max(0.999).default(0.95),
    unit: z.enum(['document', 'value']).default('document'),
    sample: z.number().min(0.001).max(1).default(0.02),
    checks_only: z.boolean().optional(),
  })
  .describe(
    'Results are released without a user if their risk is so low that, with `confidence`, at most `max_wrong` of the released documents (or values, by document) are wrong. The risk threshold is chosen from an audit sample: a share `sample` of the documents, drawn by a keyed digest, goes to Review. With `checks_only`, the risk does not count: what is complete and passes all checks is released as soon as the bound holds for all of it. The policy applies to all revisions of the prompt.',
  );
export type ReleasePolicy = z.infer<typeof releasePolicy>;

export const releaseBody = z.strictObject({
  version: z.number().int().min(1),
  override: z
    .string()
    .trim()
    .min(1)
    .max(1000)
    .optional()
    .describe('The reason why an admin releases a result that is blocked. It is stored in the audit log.'),
});

const count = z.number().int();

export const pausedBecause = z.enum(['bound_broken', 'new_revision', 'other_model', 'drift']);
export type PausedBecause = z.infer<typeof pausedBecause>;

/** One day of a policy. */
export const releaseDay = z.object({
  day: z.iso.date(),
  released: count,
  withdrawn: count,
  audited: count,
  wrong: count,
});

/** The release policy of a prompt at work. */
export const releaseStatus = z.object({
  state: z.enum(['collecting', 'active', 'paused']),
  policy: releasePolicy.required({ max_wrong: true, confidence: true, unit: true, sample: true }),
  policy_version: count,
  changed_by: recordId,
  changed_at: timestamp,
  /** Documents with this risk or a lower one are released. null unless the policy is active. */
  threshold: z.number().nullable(),
  /** With `confidence`, at most this share of what is at or below the threshold is wrong. */
  bound: z.number(),
  confidence: z.number(),
  max_wrong: z.number(),
  audited: z.object({ documents: count, values: count, wrong: count }),
  /** How many more documents must be audited, given the errors so far. 0 if the policy is active. */
  needed: z.object({ documents: count }),
  /** The share of the documents since the evidence began that the threshold releases. */
  released_share: z.number(),
  /** The share of audited documents that were decided in under two seconds. */
  hasty_share: z.number(),
  last_30_days: z.array(releaseDay),
  paused_because: pausedBecause.optional(),
  /** Open results are judged again, after a change of the policy or of its threshold: how many so far. */
  rejudging: z.object({ done: count, total: count }).optional(),
  /** The bound over the threshold. */
  curve: z.array(z.object({ threshold: z.number(), bound: z.number(), share: z.number() })),
});
export type ReleaseStatus = z.infer<typeof releaseStatus>;

export const releaseSuspect = z.object({
  document_id: recordId,
  version: count,
  released_at: timestamp,
  because: pausedBecause,
});
export type ReleaseSuspect = z.infer<typeof releaseSuspect>;

export const releaseSuspects = pageInfo.extend({ suspects: z.array(releaseSuspect) });
