import type { ReviewDecision } from '@docwright/contract';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';

/** Values that users review. */
export function createReview(api: OrganizationApi) {
  return {
    /** Lists a page of values, the riskiest first. Leases their documents to the caller for two minutes, unless `lease` is false. */
    list: api.operation('GET /v0/orgs/:org_id/review', 'query'),
    /**
     * Decides at most 200 values. Each decision has its own outcome.
     *
     * @example
     * ```ts
     * import type { Docwright } from '@docwright/sdk';
     *
     * declare const docwright: Docwright;
     * const { items } = await docwright.review.list({ min_risk: 0.2, limit: 20 });
     * const { outcomes } = await docwright.review.decide(
     *   items.map(({ document_id, prompt_revid, path, version }) => ({
     *     document_id,
     *     prompt_revid,
     *     path,
     *     version,
     *     action: 'confirm',
     *   })),
     * );
     * console.log(outcomes.map(({ status }) => status));
     * ```
     */
    decide: (decisions: readonly ReviewDecision[], options?: CallOptions) =>
      api.operation('POST /v0/orgs/:org_id/review/decide', 'body')({ decisions: [...decisions] }, options),
  };
}
