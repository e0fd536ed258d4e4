import type { ApprovalList } from '@docwright/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { requestJson } from '../http/http.ts';
import { useSession } from '../session/session.tsx';
import { CountBadge } from './count-badge.tsx';

export const approvalsPath = (orgId: string) => `/v0/orgs/${orgId}/approvals`;

/** Everything known of the calls that wait for a decision. */
export const approvalsKey = (orgId: string) => ['approvals', orgId];

const pollAfterMs = 15_000;

/** How many decisions wait: calls that are alike are one. */
function approvalCountQuery(orgId: string) {
  return queryOptions({
    queryKey: [...approvalsKey(orgId), 'count'],
    queryFn: async ({ signal }) => {
      const { total_count, total_groups } = await requestJson<ApprovalList>(`${approvalsPath(orgId)}?limit=1`, {
        signal,
      });
      return { total_count, total_groups };
    },
    // Polled: on every page, a stream would take one of the few connections that a browser has.
    refetchInterval: pollAfterMs,
    staleTime: pollAfterMs,
  });
}

/** The number of decisions that wait in the inbox. */
export function WaitingDecisions() {
  const { orgId } = useSession();
  return <CountBadge count={useQuery(approvalCountQuery(orgId)).data?.total_groups} />;
}
