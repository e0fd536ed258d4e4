import type { AcceptKindBody, KindDecision, RejectKindBody } from '@docwright/contract';
import { queryOptions } from '@tanstack/react-query';
import { requestJson } from '../http/http.ts';

const path = (orgId: string) => `/v0/orgs/${orgId}/proposals` as const;

/** Prefix of all query keys about proposals. */
export const proposalsKey = (orgId: string) => ['proposals', orgId];

const pollAfterMs = 15_000;

/** Proposals by document kind, the kinds with most documents first; without values. */
export function proposalListQuery(orgId: string, page: { skip: number; limit: number }) {
  return queryOptions({
    queryKey: [...proposalsKey(orgId), 'list', page],
    queryFn: ({ signal }) => requestJson(path(orgId), { query: page, signal }),
    refetchInterval: pollAfterMs,
  });
}

/** The number of kinds with a pending proposal. */
export function proposalCountQuery(orgId: string) {
  return queryOptions({
    queryKey: [...proposalsKey(orgId), 'count'],
    queryFn: async ({ signal }) => (await requestJson(path(orgId), { query: { limit: 1 }, signal })).total_count,
    // Polled, since an event stream on every page would use up one of the browser's few connections.
    refetchInterval: pollAfterMs,
    staleTime: pollAfterMs,
  });
}

/** One kind, with the values of every document. */
export function proposalQuery(orgId: string, id: string) {
  return queryOptions({
    queryKey: [...proposalsKey(orgId), 'one', id],
    queryFn: ({ signal }) => requestJson(`${path(orgId)}/${id}`, { signal }),
  });
}

export function acceptKind(orgId: string, id: string, body: AcceptKindBody): Promise<KindDecision> {
  return requestJson(`${path(orgId)}/${id}/accept`, { method: 'POST', body });
}

export function rejectKind(orgId: string, id: string, body: RejectKindBody): Promise<KindDecision> {
  return requestJson(`${path(orgId)}/${id}/reject`, { method: 'POST', body });
}
