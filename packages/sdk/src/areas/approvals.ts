import type { ApprovalDecision, ApprovalList, ApprovalQuery, DecideApprovalsAnswer } from '@docwright/contract';
import { everyPage } from '../client/every-page.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';

/** The calls that wait for a decision, over all documents. */
export function createApprovals(api: OrganizationApi) {
  const list = (query: Partial<ApprovalQuery> = {}, options?: CallOptions): Promise<ApprovalList> =>
    api.get(['approvals'], { ...query }, options);
  return {
    /** The first to expire first; `by: 'group'` lists one of each that are alike. */
    list,
    listAll: (query: Partial<ApprovalQuery> = {}, options?: CallOptions) =>
      everyPage(
        query,
        (page) => list({ ...query, ...page }, options),
        ({ approvals }) => approvals,
      ),
    /** At most 200 at once; each has an outcome of its own. */
    decide: (decisions: readonly ApprovalDecision[], options?: CallOptions): Promise<DecideApprovalsAnswer> =>
      api.send('POST', ['approvals', 'decide'], { decisions }, options),
  };
}
