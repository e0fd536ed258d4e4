import { decideReviewBody, objectId, reviewOutcomes, reviewQueueQuery, reviewQueue } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Actor } from '../identity/index.ts';
import type { ReviewService } from './review-service.ts';

const tags = ['review'];
const params = z.object({ org_id: objectId });

export const reviewRoutes: FastifyPluginAsyncZod<{ services: { review: (actor: Actor) => ReviewService } }> = async (
  app,
  { services: { review } },
) => {
  app.get(
    '/v0/orgs/:org_id/review',
    {
      schema: {
        tags,
        operationId: 'listReview',
        summary: 'List the values that are worth a look',
        description:
          'Open values of the newest result of each prompt on each document, the riskiest first, a document’s values together; `skip` and `limit` count values. A document that is shown is leased to the caller for two minutes, and nobody else is shown it; documents that the caller has leased come first, and reading again renews the lease (`document_id` names one document). `lease=false` only looks, and viewers only look; `max_documents` bounds how many documents a page shows and so leases. `total_count` counts the values that the caller can get, `documents` and `values` all that match, those that others look at included. `tag_id` is a tag of the document, `min_risk` 0 to 1. An API token acts as its user.',
        params,
        querystring: reviewQueueQuery,
        response: { 200: reviewQueue },
      },
    },
    async (request) => review(request.actor).list(request.query),
  );

  app.post(
    '/v0/orgs/:org_id/review/decide',
    {
      schema: {
        tags,
        operationId: 'decideReview',
        summary: 'Decide about values',
        description:
          '`confirm` says that a value is right, `correct` sets `value` (of a row, a list or an object all of it; `box` says where on a page it stands, and becomes its place where the words there hold the value; the value that is there already is confirmed), `clear` empties it, which is a correction. At most 200 decisions; those about one result may all stand on the version that was read, and are written together. Each has an outcome in the same order: `conflict` where the result is at another `version` by now, `not_found` where the document, the result or the value is not there, `invalid` where the schema refuses the value. A document whose values are all confirmed or corrected is verified (`is_verified`).',
        params,
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
    },
    async (request) => ({ outcomes: await review(request.actor).decide(request.body.decisions) }),
  );
};
