import { z } from 'zod';
import {
  jsonValue,
  objectId,
  pageInfo,
  pageQuery,
  recordId,
  skipPageInfo,
  skipQuery,
  timestamp,
} from '../base/fields.ts';
import { responseFormat } from '../schemas/schemas.ts';
import { grounding } from './grounding.ts';
import { promptContent, promptExamples } from './prompts.ts';

/** Maximum number of verified documents in one evaluation. */
export const maxEvaluatedDocuments = 200;
export const defaultEvaluatedDocuments = 20;

const leafCount = z.number().int().min(0);
/** 0 to 1; null if nothing was compared. */
const accuracy = z.number().min(0).max(1).nullable();

/** Counts of leaves: scalars and nulls of the verified results. */
export const evaluationTotals = z.object({
  values: leafCount,
  correct_before: leafCount,
  correct_after: leafCount,
  accuracy_before: accuracy,
  accuracy_after: accuracy,
  /** Wrong before, correct after. */
  fixed: leafCount,
  /** Correct before, wrong after. */
  broken: leafCount,
  /** Wrong before and after, with different values. */
  changed: leafCount,
  /** Values in rows that the verified result does not have. */
  spurious_before: leafCount,
  spurious_after: leafCount,
  /** Values of fields that the verified result's schema does not have. */
  unknown: leafCount,
  /** Values of fields that the candidate's schema does not have. */
  removed: leafCount,
});
export type EvaluationTotals = z.infer<typeof evaluationTotals>;

/** The counts of one field: `line_items[].amount`, or `tags[]` for a list of scalars. */
export const evaluationField = evaluationTotals.extend({ field: z.string() });
export type EvaluationField = z.infer<typeof evaluationField>;

export const evaluationState = z.enum(['queued', 'running', 'completed', 'stopped', 'failed']);
export type EvaluationState = z.infer<typeof evaluationState>;

/** `stored`: existing results; `run`: the current revision was run as well; `mixed`: some of each. */
export const baselineSource = z.enum(['stored', 'run', 'mixed']);
/** `auto` uses stored results where they exist, and runs the current revision otherwise. */
export const baselineChoice = z.enum(['stored', 'run', 'auto']);

/** Omitted parts are unchanged. */
const candidateFields = {
  content: promptContent.optional(),
  /** Another schema, in its newest version. */
  schema_id: objectId.optional(),
  /** A schema that is not saved. */
  response_format: responseFormat.optional(),
  model: z.string().trim().min(1).max(200).optional(),
  examples: promptExamples.optional(),
};
export const evaluationCandidate = z.object(candidateFields);
export type EvaluationCandidate = z.infer<typeof evaluationCandidate>;

const documentLimit = z.number().int().min(1).max(maxEvaluatedDocuments);
const oneSchema = (body: { schema_id?: unknown; response_format?: unknown }) =>
  body.schema_id === undefined || body.response_format === undefined;

export const createEvaluationBody = z
  .strictObject({
    prompt_id: objectId,
    ...candidateFields,
    document_ids: z.array(objectId).min(1).max(maxEvaluatedDocuments).optional(),
    max_documents: documentLimit.optional(),
    baseline: baselineChoice.default('auto'),
  })
  .refine(oneSchema, { message: 'Give one of schema_id and response_format.', path: ['response_format'] });
export type CreateEvaluationBody = z.infer<typeof createEvaluationBody>;

export const evaluationEstimate = z.object({
  /** Number of verified documents to measure. */
  documents: z.number().int(),
  spu_estimated: z.number().int(),
});
export type EvaluationEstimate = z.infer<typeof evaluationEstimate>;

const failure = z.object({ code: z.string(), message: z.string() });

export const evaluation = z.object({
  id: recordId,
  state: evaluationState,
  prompt_id: recordId,
  candidate: evaluationCandidate,
  baseline: z.object({ prompt_revid: recordId, source: baselineSource }),
  /** Figures cover the finished documents. */
  documents: z.object({ total: z.number().int(), done: z.number().int(), failed: z.number().int() }),
  totals: evaluationTotals,
  fields: z.array(evaluationField),
  /** The shares of the measured documents that the release policy of the prompt, as it is now, would release. Absent unless it is active. */
  release: z.object({ share_before: z.number(), share_after: z.number() }).optional(),
  /** The first hundred documents that could not be measured, with the reason. */
  failures: z.array(failure.extend({ document_id: recordId })),
  spu_used: z.number().int(),
  spu_estimated: z.number().int(),
  /** A digest of the candidate, its base revision, the model, and the verified results. */
  seal: z.string(),
  /** The agent's call whose effect is measured. */
  call: z.object({ turn_id: recordId, call_id: z.string() }).optional(),
  requested_by: z.string(),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  error: failure.optional(),
});
export type Evaluation = z.infer<typeof evaluation>;

export const evaluationList = pageInfo.extend({ evaluations: z.array(evaluation) });
export const evaluationListQuery = pageQuery.extend({ prompt_id: objectId.optional() });

export const differenceKind = z.enum(['broken', 'fixed', 'changed', 'spurious', 'unknown', 'removed']);
export type DifferenceKind = z.infer<typeof differenceKind>;

export const evaluationDifference = z.object({
  document_id: recordId,
  document_name: z.string(),
  /** Path in the verified result, or in the other result for a surplus value. */
  path: z.string(),
  field: z.string(),
  truth: jsonValue,
  before: jsonValue,
  after: jsonValue,
  /** Sides without a value: their null is not a null in the result. */
  absent: z.array(z.enum(['truth', 'before', 'after'])),
  kind: differenceKind,
  /** The verified result, which a link to the document opens. */
  prompt_revid: recordId,
  /** Places of the verified value and of the value after the change. */
  grounding: grounding.optional(),
  after_grounding: grounding.optional(),
});
export type EvaluationDifference = z.infer<typeof evaluationDifference>;

export const differenceList = skipPageInfo.extend({ differences: z.array(evaluationDifference) });
export const differenceListQuery = skipQuery.extend({
  kind: differenceKind.optional(),
  field: z.string().max(1000).optional(),
  document_id: objectId.optional(),
});
export type DifferenceListQuery = z.infer<typeof differenceListQuery>;

/** `evaluation` with the state, first and after every change; `done` when it has finished. */
export const evaluationEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('evaluation'), evaluation }),
  z.object({ type: z.literal('done'), evaluation }),
]);
export type EvaluationEvent = z.infer<typeof evaluationEvent>;

/** The accuracy of results before users corrected them. Values that users verified unseen count in `unseen` alone. */
const accuracyFigures = z.object({
  documents_verified: z.number().int(),
  values: leafCount,
  unseen: leafCount,
  correct: leafCount,
  accuracy,
  /** Documents that were verified without any correction. */
  untouched: z.number().int(),
});
export type AccuracyFigures = z.infer<typeof accuracyFigures>;

export const promptAccuracy = z.object({
  /** Present while results wait to be summed: the figures are of those that were summed before. */
  is_partial: z.literal(true).optional(),
  overall: accuracyFigures,
  /** The oldest first. */
  by_revision: z.array(accuracyFigures.extend({ prompt_revid: recordId, version: z.number().int() })),
  /** The least accurate first. */
  by_field: z.array(accuracyFigures.extend({ field: z.string() })),
  by_model: z.array(accuracyFigures.extend({ model: z.string() })),
  /** `2026-11`, the oldest first. */
  by_month: z.array(accuracyFigures.extend({ month: z.string() })),
  /** Effect of the prompt's `review_policy`; zeros without one. */
  straight_through: z.object({
    /** Values that the policy has accepted now, and their share of all values of the prompt's results. */
    accepted: z.number().int(),
    share: z.number(),
    /** Values that it would have accepted, but that a user reviewed because their documents were in the sample. */
    sampled: z.number().int(),
    sampled_wrong: z.number().int(),
  }),
});
export type PromptAccuracy = z.infer<typeof promptAccuracy>;

/** Measures a pending call of a turn. */
export const evaluateCallBody = z.strictObject({ max_documents: documentLimit.optional() });
export type EvaluateCallBody = z.infer<typeof evaluateCallBody>;

/** The evaluation of the call. If several prompts use the schema, it is that of the first prompt, and `evaluations` has all. */
export const callEvaluationStarted = evaluation.extend({
  evaluations: z.array(z.object({ prompt_id: recordId, evaluation })).optional(),
});
export type CallEvaluationStarted = z.infer<typeof callEvaluationStarted>;
