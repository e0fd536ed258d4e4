import { queryOptions, useQuery } from '@tanstack/react-query';
import { requestJson } from '../http/http.ts';
import { useSession } from '../session/session.tsx';
import { CountBadge } from './count-badge.tsx';

export const approvalsPath = (orgId: string) => `/v0/orgs/${orgId}/approvals` as const;

/** Prefix of all query keys about pending approvals. */
export const approvalsKey = (orgId: string) => ['approvals', orgId];

const pollAfterMs = 15_000;

/** Counts pending approvals; similar calls form one group. */
function approvalCountQuery(orgId: string) {
  return queryOptions({
    queryKey: [...approvalsKey(orgId), 'count'],
    queryFn: async ({ signal }) => {
      const { total_count, total_groups } = await requestJson(approvalsPath(orgId), { query: { limit: 1 }, signal });
      return { total_count, total_groups };
    },
    // Polled, since an event stream on every page would use up one of the browser's few connections.
    refetchInterval: pollAfterMs,
    staleTime: pollAfterMs,
  });
}

/** The number of groups of pending approvals. */
export function ApprovalCount() {
  const { orgId } = useSession();
  return <CountBadge count={useQuery(approvalCountQuery(orgId)).data?.total_groups} />;
}
