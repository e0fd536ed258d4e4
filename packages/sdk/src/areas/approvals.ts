import type { ApprovalDecision, ApprovalQuery } from '@docwright/contract';
import { everyPage } from '../client/every-page.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';

/** Pending calls of all documents. */
export function createApprovals(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/approvals', 'query');
  return {
    /** Lists a page of calls, the first to expire first. `by: 'group'` lists one call of each group of similar calls. */
    list,
    /** Yields all pending calls that match the query. */
    listAll: (query: Partial<ApprovalQuery> = {}, options?: CallOptions) =>
      everyPage(
        query,
        (page) => list({ ...query, ...page }, options),
        ({ approvals }) => approvals,
      ),
    /**
     * Decides at most 200 calls. Each decision has its own outcome.
     *
     * @example
     * ```ts
     * import type { Docwright } from '@docwright/sdk';
     *
     * declare const docwright: Docwright;
     * const { approvals } = await docwright.approvals.list({ tool: 'create_tag' });
     * const decisions = approvals.map(({ turn_id, call_id }) => ({ turn_id, call_id, approved: true }));
     * const { outcomes } = await docwright.approvals.decide(decisions);
     * console.log(outcomes.map(({ status }) => status));
     * ```
     */
    decide: (decisions: readonly ApprovalDecision[], options?: CallOptions) =>
      api.operation('POST /v0/orgs/:org_id/approvals/decide', 'body')({ decisions: [...decisions] }, options),
  };
}
