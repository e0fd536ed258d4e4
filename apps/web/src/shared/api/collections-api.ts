import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Collection, collectionList, SearchAnswer, SearchBody } from '@docwright/contract';
import type { z } from 'zod';
import { queryString, requestJson, send, type RequestOptions } from '../http/http.ts';

const path = '/api/v2/collections';

/** Everything known of an organization's collections. */
export const collectionsKey = (orgId: string) => ['collections', orgId];

/** Its addresses name no organization. */
const within = (orgId: string, options: RequestOptions = {}): RequestOptions => ({
  ...options,
  headers: { 'x-org-id': orgId },
});

export const isIndexing = ({ status }: Pick<Collection, 'status'>) => status === 'indexing';

/** Polls often while documents are indexed, otherwise now and then: others delete, update and upload too. */
const [soon, atRest] = [1000, 10_000];

/** The newest first. */
export function collectionListQuery(orgId: string, page: { skip: number; limit: number }) {
  return queryOptions({
    queryKey: [...collectionsKey(orgId), 'list', page],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof collectionList>>(path + queryString({ ...page }), within(orgId, { signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.collections.some(isIndexing) === true ? soon : atRest),
  });
}

export function collectionQuery(orgId: string, id: string) {
  return queryOptions({
    queryKey: [...collectionsKey(orgId), 'one', id],
    queryFn: ({ signal }) => requestJson<Collection>(`${path}/${id}`, within(orgId, { signal })),
    refetchInterval: ({ state }) => (state.data && isIndexing(state.data) ? soon : atRest),
  });
}

/** What was found in one collection, whatever was looked for. */
export const searchesKey = (orgId: string, id: string) => [...collectionsKey(orgId), 'search', id];

/** Somebody who goes through the hits of a search keeps their order. */
const searchStaleTime = 60_000;

export function collectionSearchQuery(orgId: string, id: string, body: Required<SearchBody>) {
  return queryOptions({
    queryKey: [...searchesKey(orgId, id), body],
    queryFn: ({ signal }) =>
      requestJson<SearchAnswer>(`${path}/${id}/search`, within(orgId, { method: 'POST', body, signal })),
    enabled: body.query !== '',
    staleTime: searchStaleTime,
    refetchOnWindowFocus: false,
  });
}

/** What has been indexed stays; 409 `not_indexing` where it has ended. */
export function stopIndexing(orgId: string, id: string): Promise<Collection> {
  return requestJson(`${path}/${id}/stop`, within(orgId, { method: 'POST' }));
}

/** Indexes new and failed documents of the source, removes departed ones; 409 `collection_indexing` while it is indexed. */
export function updateCollection(orgId: string, id: string): Promise<Collection> {
  return requestJson(`${path}/${id}/update`, within(orgId, { method: 'POST' }));
}

/** With its index, for good; documents stay. */
export async function deleteCollection(orgId: string, id: string): Promise<void> {
  await send(`${path}/${id}`, within(orgId, { method: 'DELETE' }));
}
