import type { ApprovalDecision, ApprovalList, ApprovalQuery, DecideApprovalsAnswer } from '@docwright/contract';
import { everyPage } from '../client/every-page.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';

/** Pending calls of all documents. */
export function createApprovals(api: OrganizationApi) {
  const list = (query: Partial<ApprovalQuery> = {}, options?: CallOptions): Promise<ApprovalList> =>
    api.get(['approvals'], { ...query }, options);
  return {
    /** The first to expire first. `by: 'group'` lists one call of each group of similar ones. */
    list,
    listAll: (query: Partial<ApprovalQuery> = {}, options?: CallOptions) =>
      everyPage(
        query,
        (page) => list({ ...query, ...page }, options),
        ({ approvals }) => approvals,
      ),
    /** Decides at most 200 calls. Each has its own outcome. */
    decide: (decisions: readonly ApprovalDecision[], options?: CallOptions): Promise<DecideApprovalsAnswer> =>
      api.send('POST', ['approvals', 'decide'], { decisions }, options),
  };
}
