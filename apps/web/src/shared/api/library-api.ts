import { queryOptions } from '@tanstack/react-query';

import { requestJson } from '../http/http.ts';

/** Schemas, prompts, tags and models of an organization. */
const orgPath = (orgId: string) => `/v0/orgs/${orgId}` as const;

export function tagsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['tags', orgId],
    queryFn: ({ signal }) => requestJson(`${orgPath(orgId)}/tags`, { query: { limit: 100 }, signal }),
    staleTime: 30_000,
  });
}

export function promptsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['prompts', orgId],
    queryFn: ({ signal }) => requestJson(`${orgPath(orgId)}/prompts`, { query: { limit: 100 }, signal }),
    staleTime: 30_000,
  });
}

/** The newest revision of each schema. */
export function schemasQuery(orgId: string) {
  return queryOptions({
    queryKey: ['schemas', orgId, 'newest'],
    queryFn: ({ signal }) => requestJson(`${orgPath(orgId)}/schemas`, { query: { limit: 100 }, signal }),
    staleTime: 30_000,
  });
}

/** One revision of a schema; revisions never change. */
export function schemaQuery(orgId: string, schemaRevid: string) {
  return queryOptions({
    queryKey: ['schemas', orgId, 'revision', schemaRevid],
    queryFn: ({ signal }) => requestJson(`${orgPath(orgId)}/schemas/${schemaRevid}`, { signal }),
    staleTime: Infinity,
  });
}

/** One revision of a prompt. */
export function promptQuery(orgId: string, promptRevid: string) {
  return queryOptions({
    queryKey: ['prompts', orgId, 'revision', promptRevid],
    queryFn: ({ signal }) => requestJson(`${orgPath(orgId)}/prompts/${promptRevid}`, { signal }),
    staleTime: Infinity,
  });
}

/** The newest revision of a prompt, also of one that is not in the list. */
export function newestPromptQuery(orgId: string, promptId: string) {
  return queryOptions({
    queryKey: ['prompts', orgId, 'newest', promptId],
    queryFn: async ({ signal }) => {
      const path = `${orgPath(orgId)}/prompts/${promptId}/versions` as const;
      return (await requestJson(path, { query: { limit: 1 }, signal })).prompts[0] ?? null;
    },
    staleTime: 30_000,
  });
}

export function tagQuery(orgId: string, tagId: string) {
  return queryOptions({
    queryKey: ['tags', orgId, 'one', tagId],
    queryFn: ({ signal }) => requestJson(`${orgPath(orgId)}/tags/${tagId}`, { signal }),
    staleTime: 30_000,
  });
}

export function chatModelsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['models', orgId],
    queryFn: ({ signal }) => requestJson(`${orgPath(orgId)}/llm/models`, { query: { chat_only: true }, signal }),
    staleTime: 60_000,
  });
}
