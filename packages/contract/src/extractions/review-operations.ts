import { describeOperations } from '../base/describe-operations.ts';
import { decideReviewBody, reviewOutcomes, reviewQueue, reviewQueueQuery } from './review.ts';

export const reviewOperations = describeOperations('review', {
  'GET /v0/orgs/:org_id/review': {
    operationId: 'listReview',
    summary: 'List the values to review',
    description:
      'The values to check of the newest result of each prompt on each document: open values with a reason, or with a risk of at least 10 % or the `confirm_below` of the prompt’s policy. A value with a risk below 1 % is not to check; every value of a sampled document is. `all=true` lists the other open values as well. Documents of the audit sample of a release policy first, with all of their values, then the riskiest documents; a document’s values together; `skip` and `limit` count values. Listed documents are leased to the caller for two minutes and hidden from other users. Documents that the caller has leased come first; listing them again renews the lease (`document_id` selects one document). `lease=false` lists without leasing, as viewers and access tokens that can only read always do. `max_documents` limits the documents on a page, and so the leases. `total_count` counts the values that the caller can get, `documents` and `values` all that match, including those leased to others. `tag_id` is a tag of the document, `min_risk` 0 to 1. An API token acts as its user.',
    querystring: reviewQueueQuery,
    response: { 200: reviewQueue },
  },
  'POST /v0/orgs/:org_id/review/decide': {
    operationId: 'decideReview',
    summary: 'Decide about values',
    description:
      '`confirm` accepts a value; `seen` says whether it was shown to the user, which the default denies: unseen values measure and teach nothing. `correct` replaces it by `value`: a row, a list or an object as a whole. With `box`, a place on a page, the value is grounded there if the words in the box contain it; correcting to the present value confirms it. `clear` empties a value, which counts as a correction. At most 200 decisions. Decisions about one result can name the same `version` and are written together. The outcomes have the order of the decisions: `conflict` if the result has another `version` now, `not_found` if the document, the result or the value does not exist, `invalid` if the value does not match the schema. A document is verified (`is_verified`) when all of its values are confirmed or corrected.',
    body: decideReviewBody.meta({
      examples: [
        {
          decisions: [
            {
              document_id: '6650f1c2a4b3d2e1f0a9b8c7',
              prompt_revid: '6650f1c2a4b3d2e1f0a9b8c8',
              path: 'line_items.2.amount',
              version: 1,
              action: 'correct',
              value: 173,
            },
          ],
        },
      ],
    }),
    errors: ['viewer_cannot_write', 'result_too_large'],
    response: { 200: reviewOutcomes },
  },
});
