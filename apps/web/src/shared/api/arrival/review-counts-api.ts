import { queryOptions, useQuery } from '@tanstack/react-query';
import type { DocumentRouting } from '@docwright/contract';
import { requestJson } from '../../http/http.ts';

const pollAfterMs = 30_000;

/** The key of the count of documents with values to check. Invalidate it where results change. */
export const reviewCountKey = (orgId: string) => ['review', orgId, 'count'];

/** How many documents have values to check; leases none of them. */
function reviewCountQuery(orgId: string) {
  return queryOptions({
    queryKey: reviewCountKey(orgId),
    queryFn: async ({ signal }) => {
      const { documents, values } = await requestJson(`/v0/orgs/${orgId}/review`, {
        query: { limit: 1, lease: false },
        signal,
      });
      return { documents, values };
    },
    refetchInterval: pollAfterMs,
    staleTime: pollAfterMs,
  });
}

/** The states of routing in which a user decides. */
export const openRoutingStates = ['unsure', 'waiting_split'] as const satisfies DocumentRouting['state'][];

/** Prefix of the keys of queries about documents whose route waits for a user. */
export const openRoutingKey = (orgId: string) => ['open-routing', orgId];

/** How many documents wait for a user to decide their route or their split. */
function openRoutingCountQuery(orgId: string) {
  return queryOptions({
    queryKey: [...openRoutingKey(orgId), 'count'],
    queryFn: async ({ signal }) => {
      const counts = openRoutingStates.map(async (routing) => {
        return (await requestJson(`/v0/orgs/${orgId}/documents`, { query: { routing, limit: 1 }, signal })).total_count;
      });
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },
    refetchInterval: pollAfterMs,
    staleTime: pollAfterMs,
  });
}

/** The documents that wait in Review, by tab; undefined while they are counted. */
export function useReviewCounts(orgId: string): { values: number | undefined; routes: number | undefined } {
  const values = useQuery(reviewCountQuery(orgId)).data?.documents;
  const routes = useQuery(openRoutingCountQuery(orgId)).data;
  return { values, routes };
}
