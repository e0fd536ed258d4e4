import type { ReviewItem } from '@docwright/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { QueryFor } from '../../../shared/http/described-request.ts';
import { requestJson } from '../../../shared/http/http.ts';

/** Filters the queue; empty, it shows all values. */
export type QueueFilter = Pick<QueryFor<'GET /v0/orgs/:org_id/review'>, 'prompt_id' | 'tag_id' | 'reason' | 'min_risk'>;

/** Half of the lease: loading the queue renews it. */
const renewMs = 60_000;
/** How often an empty queue is read again: new values appear without a reload. */
const emptyMs = 5_000;
/** Values that one request loads. */
export const queuePageSize = 100;

export type ResultKey = Pick<ReviewItem, 'document_id' | 'prompt_revid'>;
/** The same for all values of one result. */
export const keyOf = ({ document_id, prompt_revid }: ResultKey) => `${document_id} ${prompt_revid}`;
export const valueKey = (item: ReviewItem) => `${keyOf(item)} ${item.path}`;

/** A value of the document that is shown: the query of the queue reads it here when it runs. */
export const shownKey = (orgId: string) => ['review', orgId, 'shown'];

/** The current document and the next one. */
export function queueQuery(orgId: string, filter: QueueFilter) {
  return queryOptions({
    queryKey: ['review', orgId, 'queue', filter],
    queryFn: async ({ signal, client }) => {
      const read = (of: { max_documents: number } | { document_id: string }) =>
        requestJson(`/v0/orgs/${orgId}/review`, { query: { ...filter, limit: queuePageSize, ...of }, signal });
      const queue = await read({ max_documents: 2 });
      const current = client.getQueryData<ReviewItem>(shownKey(orgId));
      const isCurrent = (item: ReviewItem) => current !== undefined && keyOf(item) === keyOf(current);
      if (current === undefined || queue.items.some(isCurrent)) return queue;
      // A document that is partly decided can leave the two for riskier ones.
      const { items } = await read({ document_id: current.document_id });
      return { ...queue, items: [...queue.items, ...items.filter(isCurrent)] };
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.length === 0 ? emptyMs : renewMs),
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    // The queue changes while the user is elsewhere: the page begins without what it showed before.
    gcTime: 0,
  });
}
