import { queryOptions } from '@tanstack/react-query';
import type { CreateSourceBody, PluginInfo, Source, sourceList } from '@docwright/contract';
import type { z } from 'zod';
import { queryString, requestJson, send, type RequestOptions } from '../http/http.ts';

const path = '/api/v2/sources';
export const sourcesKey = (orgId: string) => ['sources', orgId];

/** Its addresses name no organization. */
const within = (orgId: string, options: RequestOptions = {}): RequestOptions => ({
  ...options,
  headers: { 'x-org-id': orgId },
});

/** The newest first. */
export function sourceListQuery(orgId: string, page: { skip: number; limit: number }) {
  return queryOptions({
    queryKey: [...sourcesKey(orgId), 'list', page],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof sourceList>>(path + queryString({ ...page }), within(orgId, { signal })),
  });
}

export function sourceQuery(orgId: string, sourceId: string) {
  return queryOptions({
    queryKey: [...sourcesKey(orgId), 'one', sourceId],
    queryFn: ({ signal }) => requestJson<Source>(`${path}/${sourceId}`, within(orgId, { signal })),
    staleTime: 10_000,
  });
}

export function createSource(orgId: string, body: CreateSourceBody): Promise<Source> {
  return requestJson(path, within(orgId, { method: 'POST', body }));
}

export async function deleteSource(orgId: string, sourceId: string): Promise<void> {
  await send(`${path}/${sourceId}`, within(orgId, { method: 'DELETE' }));
}

/** What pipelines are made of; it changes with the server's version alone. */
export function pluginsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['plugins'],
    queryFn: ({ signal }) => requestJson<{ plugins: PluginInfo[] }>('/api/v2/plugins', within(orgId, { signal })),
    staleTime: Infinity,
  });
}
