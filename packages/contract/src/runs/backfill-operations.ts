import { describeOperations } from '../base/describe-operations.ts';
import { backfillBody, backfillReport, startedBackfill } from './backfill.ts';

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
