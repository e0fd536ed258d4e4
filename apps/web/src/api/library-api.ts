import { queryOptions } from '@tanstack/react-query';
import type { llmModelList, promptList, Schema, schemaList, tagList } from '@docwright/contract';
import type { z } from 'zod';
import { queryString, requestJson } from './http.ts';

/** Schemas, prompts, tags and models of an organization: what documents are read with. */
const orgPath = (orgId: string) => `/v0/orgs/${orgId}`;

export function tagsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['tags', orgId],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof tagList>>(`${orgPath(orgId)}/tags${queryString({ limit: 100 })}`, { signal }),
    staleTime: 30_000,
  });
}

export function promptsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['prompts', orgId],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof promptList>>(`${orgPath(orgId)}/prompts${queryString({ limit: 100 })}`, { signal }),
    staleTime: 30_000,
  });
}

/** The newest revision of each schema. */
export function schemasQuery(orgId: string) {
  return queryOptions({
    queryKey: ['schemas', orgId, 'newest'],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof schemaList>>(`${orgPath(orgId)}/schemas${queryString({ limit: 100 })}`, { signal }),
    staleTime: 30_000,
  });
}

/** One revision of a schema; revisions never change. */
export function schemaQuery(orgId: string, schemaRevid: string) {
  return queryOptions({
    queryKey: ['schemas', orgId, 'revision', schemaRevid],
    queryFn: ({ signal }) => requestJson<Schema>(`${orgPath(orgId)}/schemas/${schemaRevid}`, { signal }),
    staleTime: Infinity,
  });
}

export function chatModelsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['models', orgId],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof llmModelList>>(`${orgPath(orgId)}/llm/models${queryString({ chat_only: true })}`, {
        signal,
      }),
    staleTime: 60_000,
  });
}
