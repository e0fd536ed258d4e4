import { queryOptions } from '@tanstack/react-query';
import type { llmModelList, Prompt, promptList, Schema, schemaList, Tag, tagList } from '@docwright/contract';
import type { z } from 'zod';
import { queryString, requestJson } from '../http/http.ts';

/** Schemas, prompts, tags and models of an organization. */
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

/** One revision of a prompt. */
export function promptQuery(orgId: string, promptRevid: string) {
  return queryOptions({
    queryKey: ['prompts', orgId, 'revision', promptRevid],
    queryFn: ({ signal }) => requestJson<Prompt>(`${orgPath(orgId)}/prompts/${promptRevid}`, { signal }),
    staleTime: Infinity,
  });
}

/** The newest revision of a prompt, also of one that is not in the list. */
export function newestPromptQuery(orgId: string, promptId: string) {
  return queryOptions({
    queryKey: ['prompts', orgId, 'newest', promptId],
    queryFn: async ({ signal }) => {
      const path = `${orgPath(orgId)}/prompts/${promptId}/versions${queryString({ limit: 1 })}`;
      return (await requestJson<z.infer<typeof promptList>>(path, { signal })).prompts[0] ?? null;
    },
    staleTime: 30_000,
  });
}

export function tagQuery(orgId: string, tagId: string) {
  return queryOptions({
    queryKey: ['tags', orgId, 'one', tagId],
    queryFn: ({ signal }) => requestJson<Tag>(`${orgPath(orgId)}/tags/${tagId}`, { signal }),
    staleTime: 30_000,
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
