import type { ReviewDecision, ReviewOutcome, ReviewQueue, ReviewQueueQuery } from '@docwright/contract';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';

/** The values that are worth a look, the riskiest first. */
export function createReview(api: OrganizationApi) {
  return {
    /** Leases the documents that it shows to the caller for two minutes, unless `lease` is false. */
    list: (query: Partial<ReviewQueueQuery> = {}, options?: CallOptions): Promise<ReviewQueue> =>
      api.get(['review'], { ...query }, options),
    /** At most 200 at once; each has an outcome of its own. */
    decide: (decisions: readonly ReviewDecision[], options?: CallOptions): Promise<{ outcomes: ReviewOutcome[] }> =>
      api.send('POST', ['review', 'decide'], { decisions }, options),
  };
}
