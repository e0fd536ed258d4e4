import { queryOptions } from '@tanstack/react-query';
import type {
  ConnectorTest,
  createSourceBody,
  CreateSourceBody,
  Source,
  SourceSync,
  testConnectorBody,
  updateSourceBody,
} from '@docwright/contract';
import type { z } from 'zod';
import { requestJson, send } from '../http/http.ts';

const path = '/api/v2/sources';
export const sourcesKey = (orgId: string) => ['sources', orgId];

/** Newest first. */
export function sourceListQuery(orgId: string, page: { skip: number; limit: number }) {
  return queryOptions({
    queryKey: [...sourcesKey(orgId), 'list', page],
    queryFn: ({ signal }) => requestJson(path, { query: page, orgId, signal }),
  });
}

export function sourceQuery(orgId: string, sourceId: string) {
  return queryOptions({
    queryKey: [...sourcesKey(orgId), 'one', sourceId],
    queryFn: ({ signal }) => requestJson(`${path}/${sourceId}`, { orgId, signal }),
    staleTime: 10_000,
  });
}

export type SourceBody = z.input<typeof createSourceBody>;
/** A connector as it is sent: what is left out gets its default. */
export type ConnectorBody = NonNullable<SourceBody['connector']>;

export function createSource(orgId: string, body: CreateSourceBody | SourceBody): Promise<Source> {
  return requestJson(path, { orgId, method: 'POST', body });
}

export function changeSource(orgId: string, sourceId: string, body: z.input<typeof updateSourceBody>): Promise<Source> {
  return requestJson(`${path}/${sourceId}`, { orgId, method: 'PATCH', body });
}

/** The first files that a sync would see; with a source, its stored secrets hold where none is sent. */
export function tryConnector(orgId: string, body: z.input<typeof testConnectorBody>): Promise<ConnectorTest> {
  return requestJson(`${path}/test`, { orgId, method: 'POST', body });
}

const activeMs = 1_500;
const idleMs = 10_000;

/** The last sync, or the one that runs. */
export function sourceSyncQuery(orgId: string, sourceId: string) {
  return queryOptions({
    queryKey: [...sourcesKey(orgId), 'sync', sourceId],
    queryFn: ({ signal }) => requestJson(`${path}/${sourceId}/sync`, { orgId, signal }),
    refetchInterval: ({ state }) => (isDue(state.data) ? activeMs : idleMs),
  });
}

/** Whether it runs, or is about to. */
export const isDue = (sync: SourceSync | undefined): boolean =>
  sync !== undefined &&
  (sync.state === 'running' || (sync.next_at !== null && Date.parse(sync.next_at) <= Date.now() + activeMs));

/** Looks at the files of a source that fills itself now. */
export async function syncSource(orgId: string, sourceId: string): Promise<void> {
  await send(`${path}/${sourceId}/sync`, { orgId, method: 'POST' });
}

export async function deleteSource(orgId: string, sourceId: string): Promise<void> {
  await send(`${path}/${sourceId}`, { orgId, method: 'DELETE' });
}

/** The parsers, chunkers and indexes of pipelines; they change only with the server's version. */
export function pluginsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['plugins'],
    queryFn: ({ signal }) => requestJson('/api/v2/plugins', { orgId, signal }),
    staleTime: Infinity,
  });
}
