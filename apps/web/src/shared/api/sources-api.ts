import { queryOptions } from '@tanstack/react-query';
import type { CreateSourceBody, PluginInfo, Source, sourceList } from '@docwright/contract';
import type { z } from 'zod';
import { inOrganization, queryString, requestJson, send } from '../http/http.ts';

const path = '/api/v2/sources';
export const sourcesKey = (orgId: string) => ['sources', orgId];

/** Newest first. */
export function sourceListQuery(orgId: string, page: { skip: number; limit: number }) {
  return queryOptions({
    queryKey: [...sourcesKey(orgId), 'list', page],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof sourceList>>(path + queryString({ ...page }), inOrganization(orgId, { signal })),
  });
}

export function sourceQuery(orgId: string, sourceId: string) {
  return queryOptions({
    queryKey: [...sourcesKey(orgId), 'one', sourceId],
    queryFn: ({ signal }) => requestJson<Source>(`${path}/${sourceId}`, inOrganization(orgId, { signal })),
    staleTime: 10_000,
  });
}

export function createSource(orgId: string, body: CreateSourceBody): Promise<Source> {
  return requestJson(path, inOrganization(orgId, { method: 'POST', body }));
}

/** Looks at the files of a source that fills itself now. */
export async function syncSource(orgId: string, sourceId: string): Promise<void> {
  await send(`${path}/${sourceId}/sync`, inOrganization(orgId, { method: 'POST' }));
}

export async function deleteSource(orgId: string, sourceId: string): Promise<void> {
  await send(`${path}/${sourceId}`, inOrganization(orgId, { method: 'DELETE' }));
}

/** The parsers, chunkers and indexes of pipelines; they change only with the server's version. */
export function pluginsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['plugins'],
    queryFn: ({ signal }) =>
      requestJson<{ plugins: PluginInfo[] }>('/api/v2/plugins', inOrganization(orgId, { signal })),
    staleTime: Infinity,
  });
}
