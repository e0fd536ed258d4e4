import { describeOperations } from '../base/describe-operations.ts';
import { objectId } from '../base/fields.ts';
import {
  createEvaluationBody,
  differenceList,
  differenceListQuery,
  evaluation,
  evaluationEstimate,
  evaluationEvent,
  evaluationList,
  evaluationListQuery,
  promptAccuracy,
} from './evaluations.ts';

const body = createEvaluationBody.meta({
  examples: [
    {
      prompt_id: '6650f1c2a4b3d2e1f0a9b8c7',
      content: 'Read the invoice. Amounts of a credit note are negative.',
      max_documents: 20,
    },
  ],
});

export const evaluationOperations = describeOperations('evaluations', {
  'GET /v0/orgs/:org_id/prompts/:id/accuracy': {
    operationId: 'getPromptAccuracy',
    summary: 'Get the accuracy of a prompt',
    description:
      'Compares the model’s original answer with the newest verified result of each document, of any revision of the prompt. `untouched` documents were verified without any correction. Values that users verified without having seen them count in `unseen`, not in `values`. It costs nothing. While many results wait to be summed, `is_partial` is `true`, and the figures are of those that were summed before. `straight_through` is the effect of the prompt’s `review_policy`: the values that it accepts now, their `share` of all values, the values of sampled documents that it would have accepted and that a user checked (`sampled`), and how many of those were wrong (`sampled_wrong`).',
    params: { id: objectId.describe('A prompt_id') },
    errors: ['prompt_not_found'],
    response: { 200: promptAccuracy },
  },
  'POST /v0/orgs/:org_id/evaluations': {
    operationId: 'createEvaluation',
    summary: 'Measure a change to a prompt',
    description:
      'For admins and members. Extracts from documents with verified results using the changed prompt, and compares the results with the verified ones and with those of the current prompt. Omitted fields keep their current values. It changes nothing and stores no extraction; every model call is charged as usual. It measures `document_ids`, or the last verified or edited `max_documents` (20). `baseline`: `auto` uses the stored original answer if it came from the current revision and the same model, and runs the current revision otherwise; `stored` and `run` do one of the two for all documents.',
    body,
    errors: [
      'nothing_verified',
      'nothing_comparable',
      'unknown_reference',
      'invalid_schema',
      'model_not_enabled',
      'budget_exhausted',
      'viewer_cannot_write',
      'too_many_evaluations',
    ],
    response: { 201: evaluation },
  },
  'POST /v0/orgs/:org_id/evaluations/estimate': {
    operationId: 'estimateEvaluation',
    summary: 'Estimate the cost of an evaluation',
    description:
      'Starts nothing. `documents` is the number of documents to measure. `spu_estimated` is the previous cost of extracting from them, doubled if the current revision must run as well, plus 1 SPU for each example.',
    body,
    errors: ['nothing_verified', 'unknown_reference', 'invalid_schema', 'model_not_enabled'],
    response: { 200: evaluationEstimate },
  },
  'GET /v0/orgs/:org_id/evaluations': {
    operationId: 'listEvaluations',
    summary: 'List evaluations',
    description: 'Newest first.',
    querystring: evaluationListQuery,
    response: { 200: evaluationList },
  },
  'GET /v0/orgs/:org_id/evaluations/:evaluation_id': {
    operationId: 'getEvaluation',
    summary: 'Get an evaluation',
    description: 'Totals and fields cover the documents that are done (`documents.done`).',
    errors: ['evaluation_not_found'],
    response: { 200: evaluation },
  },
  'GET /v0/orgs/:org_id/evaluations/:evaluation_id/differences': {
    operationId: 'listEvaluationDifferences',
    summary: 'List the values that differ after a change',
    description:
      'Broken first, then fixed, changed, spurious, unknown and removed. `grounding` is the place of the verified value on the page, `after_grounding` that of the value after the change; boxes are fractions of the page. Deleted documents are left out. At most 500 differences are stored for each document.',
    querystring: differenceListQuery,
    errors: ['evaluation_not_found'],
    response: { 200: differenceList },
  },
  'POST /v0/orgs/:org_id/evaluations/:evaluation_id/stop': {
    operationId: 'stopEvaluation',
    summary: 'Stop an evaluation',
    description:
      'For admins and the user who started it. Documents in progress are finished and no others are started; results so far are kept.',
    errors: ['evaluation_not_found', 'evaluation_ended', 'not_yours', 'viewer_cannot_write'],
    response: { 200: evaluation },
  },
  'GET /v0/orgs/:org_id/evaluations/:evaluation_id/events': {
    operationId: 'followEvaluation',
    summary: 'Follow an evaluation (SSE)',
    description:
      'Sends `evaluation` with its current state at once and whenever that changes, and `done` at its end, which closes the stream. Any process can serve it, whichever works on the evaluation.',
    errors: ['evaluation_not_found', 'too_many_streams'],
    response: {
      200: { description: 'The events.', content: { 'text/event-stream': { schema: evaluationEvent } } },
    },
  },
});
