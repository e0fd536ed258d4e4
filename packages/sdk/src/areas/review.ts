import type { ReviewDecision, ReviewOutcome, ReviewQueue, ReviewQueueQuery } from '@docwright/contract';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';

/** Values to review, the riskiest first. */
export function createReview(api: OrganizationApi) {
  return {
    /** Lists values, and leases their documents to the caller for two minutes unless `lease` is false. */
    list: (query: Partial<ReviewQueueQuery> = {}, options?: CallOptions): Promise<ReviewQueue> =>
      api.get(['review'], { ...query }, options),
    /** Decides at most 200 values. Each has its own outcome. */
    decide: (decisions: readonly ReviewDecision[], options?: CallOptions): Promise<{ outcomes: ReviewOutcome[] }> =>
      api.send('POST', ['review', 'decide'], { decisions }, options),
  };
}
