import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Collection, SearchBody } from '@docwright/contract';
import { requestJson, send } from '../http/http.ts';

const path = '/api/v2/collections';

/** Prefix of all query keys about an organization's collections. */
export const collectionsKey = (orgId: string) => ['collections', orgId];

export const isIndexing = ({ status }: Pick<Collection, 'status'>) => status === 'indexing';

/** Polls slowly when nothing is indexed: other members delete, update and upload too. */
const [indexingPollMs, idlePollMs] = [1000, 10_000];

/** Newest first. */
export function collectionListQuery(orgId: string, page: { skip: number; limit: number }) {
  return queryOptions({
    queryKey: [...collectionsKey(orgId), 'list', page],
    queryFn: ({ signal }) => requestJson(path, { query: page, orgId, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.collections.some(isIndexing) === true ? indexingPollMs : idlePollMs),
  });
}

export function collectionQuery(orgId: string, id: string) {
  return queryOptions({
    queryKey: [...collectionsKey(orgId), 'one', id],
    queryFn: ({ signal }) => requestJson(`${path}/${id}`, { orgId, signal }),
    refetchInterval: ({ state }) => (state.data && isIndexing(state.data) ? indexingPollMs : idlePollMs),
  });
}

/** Prefix of the query keys of all searches in a collection. */
export const searchesKey = (orgId: string, id: string) => [...collectionsKey(orgId), 'search', id];

/** The order of hits stays stable while a user goes through them. */
const searchStaleTime = 60_000;

export function collectionSearchQuery(orgId: string, id: string, body: Required<SearchBody>) {
  return queryOptions({
    queryKey: [...searchesKey(orgId, id), body],
    queryFn: ({ signal }) => requestJson(`${path}/${id}/search`, { orgId, method: 'POST', body, signal }),
    enabled: body.query !== '',
    staleTime: searchStaleTime,
    refetchOnWindowFocus: false,
  });
}

/** Indexed documents stay; 409 `not_indexing` if indexing has finished. */
export function stopIndexing(orgId: string, id: string): Promise<Collection> {
  return requestJson(`${path}/${id}/stop`, { orgId, method: 'POST' });
}

/** Indexes the source's new and failed documents and removes deleted ones; 409 `collection_indexing` while indexing. */
export function updateCollection(orgId: string, id: string): Promise<Collection> {
  return requestJson(`${path}/${id}/update`, { orgId, method: 'POST' });
}

/** Deletes a collection and its index permanently; documents stay. */
export async function deleteCollection(orgId: string, id: string): Promise<void> {
  await send(`${path}/${id}`, { orgId, method: 'DELETE' });
}
