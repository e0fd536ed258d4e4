import { queryOptions } from '@tanstack/react-query';
import type { llmModelList, LlmProvider, llmProviderList, PutLlmProviderBody } from '@docwright/contract';
import type { z } from 'zod';
import { queryString, requestJson, send } from '../http/http.ts';

const path = (orgId: string) => `/v0/orgs/${orgId}/llm`;

/** Every model that may be used; those for chat alone are `chatModelsQuery`. */
export function modelsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['models', orgId, 'all'],
    queryFn: ({ signal }) => requestJson<z.infer<typeof llmModelList>>(`${path(orgId)}/models`, { signal }),
    staleTime: 60_000,
  });
}

export function providersQuery(orgId: string) {
  return queryOptions({
    queryKey: ['providers', orgId],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof llmProviderList>>(`${path(orgId)}/providers${queryString({ limit: 100 })}`, {
        signal,
      }),
  });
}

/** Adds a provider or changes one: what is left out stays. */
export function putProvider(orgId: string, name: string, body: PutLlmProviderBody): Promise<LlmProvider> {
  return requestJson(`${path(orgId)}/providers/${name}`, { method: 'PUT', body });
}

/** Removes a provider with its token; refused while a prompt names one of its models. */
export async function deleteProvider(orgId: string, name: string): Promise<void> {
  await send(`${path(orgId)}/providers/${name}`, { method: 'DELETE' });
}

/** Asks the provider's endpoint which models it has; enables none. */
export function discoverModels(orgId: string, name: string): Promise<LlmProvider> {
  return requestJson(`${path(orgId)}/providers/${name}/discover`, { method: 'POST' });
}
