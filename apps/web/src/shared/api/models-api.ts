import { queryOptions } from '@tanstack/react-query';
import type { LlmProvider, PutLlmProviderBody } from '@docwright/contract';
import { requestJson, send } from '../http/http.ts';

const path = (orgId: string) => `/v0/orgs/${orgId}/llm` as const;

/** Every enabled model; `chatModelsQuery` lists only chat models. */
export function modelsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['models', orgId, 'all'],
    queryFn: ({ signal }) => requestJson(`${path(orgId)}/models`, { signal }),
    staleTime: 60_000,
  });
}

export function providersQuery(orgId: string) {
  return queryOptions({
    queryKey: ['providers', orgId],
    queryFn: ({ signal }) => requestJson(`${path(orgId)}/providers`, { query: { limit: 100 }, signal }),
  });
}

/** Adds or changes a provider; omitted fields stay as they are. */
export function putProvider(orgId: string, name: string, body: PutLlmProviderBody): Promise<LlmProvider> {
  return requestJson(`${path(orgId)}/providers/${name}`, { method: 'PUT', body });
}

/** Removes a provider and its token; rejected while a prompt names one of its models. */
export async function deleteProvider(orgId: string, name: string): Promise<void> {
  await send(`${path(orgId)}/providers/${name}`, { method: 'DELETE' });
}

/** Reads the list of models from the provider's endpoint; enables none. */
export function discoverModels(orgId: string, name: string): Promise<LlmProvider> {
  return requestJson(`${path(orgId)}/providers/${name}/discover`, { method: 'POST' });
}
