import type { ReviewQueue } from '@docwright/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { requestJson } from '../http/http.ts';
import { useSession } from '../session/session.tsx';
import { CountBadge } from './count-badge.tsx';

const pollAfterMs = 30_000;

/** How many documents have values to check; looking leases none of them. */
export function reviewCountQuery(orgId: string) {
  return queryOptions({
    queryKey: ['review', orgId, 'count'],
    queryFn: async ({ signal }) => {
      const path = `/v0/orgs/${orgId}/review?limit=1&lease=false`;
      const { documents, values } = await requestJson<ReviewQueue>(path, { signal });
      return { documents, values };
    },
    refetchInterval: pollAfterMs,
    staleTime: pollAfterMs,
  });
}

/** The number of documents with values to check. */
export function WaitingValues() {
  const { orgId } = useSession();
  return <CountBadge count={useQuery(reviewCountQuery(orgId)).data?.documents} />;
}
