import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { evaluation, maxEvaluatedDocuments } from '../extractions/evaluations.ts';
import { replaceLevel } from '../extractions/extractions.ts';
import { documentSelection, maxModelBulkDocuments } from './document-bulk.ts';
import { run } from './runs.ts';

/** Runs the current revision of a prompt on documents that were there before it. */
export const backfillBody = z.strictObject({
  /** Without it: the documents with a tag of the prompt, and those with a result of an earlier revision. */
  filter: documentSelection.optional(),
  /** Which edited or verified results are replaced. With `edited` or `verified`, results of the current revision are made anew. */
  replace: replaceLevel.default('unreviewed'),
  /** First measures the current revision on so many verified documents. Nothing else runs. */
  sample: z.number().int().min(1).max(maxEvaluatedDocuments).optional(),
  /** The number of extractions of the estimate. */
  confirm: z.strictObject({ extractions: z.number().int().min(1).max(maxModelBulkDocuments) }).optional(),
});
export type BackfillBody = z.infer<typeof backfillBody>;

/** The `details` of 409 `confirm_required`. */
export const backfillEstimate = z.object({
  /** Documents that the run would read. */
  extractions: z.number().int(),
  requests: z.number().int(),
  spu_estimated: z.number().int(),
  /** Documents whose result is of the current revision already. */
  up_to_date: z.number().int(),
  duplicates: z.number().int(),
});
export type BackfillEstimate = z.infer<typeof backfillEstimate>;

/** `evaluation` for `sample`, else `run`. */
export const startedBackfill = z.object({ evaluation: evaluation.optional(), run: run.optional() });
export type StartedBackfill = z.infer<typeof startedBackfill>;

const leaves = z.number().int();

/** What a back-fill changed, in leaves: single values of the results before it. */
export const backfillReport = z.object({
  run,
  difference: z.object({
    /** Documents with a result before and after. */
    documents: z.number().int(),
    /** Documents that had no result. */
    first_results: z.number().int(),
    /** Leaves of the results before, and how many of them are the same after. */
    leaves,
    same: leaves,
    different: leaves,
    /** Leaves that only the results after have. */
    added: leaves,
  }),
});
export type BackfillReport = z.infer<typeof backfillReport>;

export const backfillOperations = describeOperations('results', {
  'POST /v0/orgs/:org_id/prompts/:prompt_id/backfill': {
    operationId: 'backfillPrompt',
    summary: 'Run the current revision of a prompt on existing documents',
    description:
      'Without `filter`: the documents with a tag of the prompt, and those with a result of an earlier revision. Documents whose result is of the current revision, and duplicates, are left out. The first request answers 409 `confirm_required` with the estimate; repeat it with `confirm: { "extractions": n }`. If the number has changed meanwhile, the answer is the new estimate. `sample` first measures the revision on verified documents (`evaluation`) and runs nothing else. The run can be stopped and undone, and stops at the end of the budget; `GET …/backfill/{run_id}` counts what it changed.',
    body: backfillBody.meta({ examples: [{ sample: 20 }] }),
    errors: [
      'prompt_not_found',
      'confirm_required',
      'documents_needed',
      'too_many_documents',
      'too_many_runs',
      'viewer_cannot_write',
      'nothing_verified',
      'nothing_comparable',
      'too_many_evaluations',
      'budget_exhausted',
      'invalid_schema',
      'model_not_enabled',
      'unknown_reference',
    ],
    response: { 202: startedBackfill },
  },
  'GET /v0/orgs/:org_id/prompts/:prompt_id/backfill/:run_id': {
    operationId: 'getBackfill',
    summary: 'Show what a back-fill has changed',
    description:
      'The run, and the difference in leaves (single values) between the results before and after it; rows of lists are matched by their values. Results that were edited since count as the run wrote them.',
    errors: ['prompt_not_found', 'run_not_found'],
    response: { 200: backfillReport },
  },
});
