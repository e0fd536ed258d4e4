import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { createPromptBody, Prompt, updatePromptBody } from '@docwright/contract';
import type { z } from 'zod';
import { requestJson, send } from '../http/http.ts';
import type { ListSearch } from './schemas-api.ts';

const path = (orgId: string) => `/v0/orgs/${orgId}/prompts` as const;

/** Prefix of all query keys about an organization's prompts. */
export const promptsKey = (orgId: string) => ['prompts', orgId];

export function promptListQuery(orgId: string, search: ListSearch) {
  return queryOptions({
    queryKey: [...promptsKey(orgId), 'list', search],
    queryFn: ({ signal }) => requestJson(path(orgId), { query: search, signal }),
    placeholderData: keepPreviousData,
  });
}

/** The newest 100 revisions of a prompt, newest first. */
export function promptVersionsQuery(orgId: string, promptId: string) {
  return queryOptions({
    queryKey: [...promptsKey(orgId), 'versions', promptId],
    queryFn: ({ signal }) => requestJson(`${path(orgId)}/${promptId}/versions`, { query: { limit: 100 }, signal }),
  });
}

export function createPrompt(orgId: string, body: z.input<typeof createPromptBody>): Promise<Prompt> {
  return requestJson(path(orgId), { method: 'POST', body });
}

export function updatePrompt(orgId: string, promptId: string, body: z.input<typeof updatePromptBody>): Promise<Prompt> {
  return requestJson(`${path(orgId)}/${promptId}`, { method: 'PUT', body });
}

/** The newest version of a prompt, with the name and the policy that it has now. */
export async function presentPrompt(orgId: string, promptId: string): Promise<Prompt | undefined> {
  const { prompts } = await requestJson(`${path(orgId)}/${promptId}/versions`, { query: { limit: 1 } });
  return prompts[0];
}

export async function deletePrompt(orgId: string, promptId: string): Promise<void> {
  await send(`${path(orgId)}/${promptId}`, { method: 'DELETE' });
}
