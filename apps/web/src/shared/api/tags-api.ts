import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { createTagBody, Tag } from '@docwright/contract';
import type { z } from 'zod';
import { requestJson, send } from '../http/http.ts';
import type { ListSearch } from './schemas-api.ts';

const path = (orgId: string) => `/v0/orgs/${orgId}/tags` as const;

/** Prefix of all query keys about an organization's tags. */
export const tagsKey = (orgId: string) => ['tags', orgId];

export function tagListQuery(orgId: string, search: ListSearch) {
  return queryOptions({
    queryKey: [...tagsKey(orgId), 'list', search],
    queryFn: ({ signal }) => requestJson(path(orgId), { query: search, signal }),
    placeholderData: keepPreviousData,
  });
}

type TagBody = z.input<typeof createTagBody>;

/** Creates a tag, or changes the one with this id. */
export function saveTag(orgId: string, tagId: string | undefined, body: TagBody): Promise<Tag> {
  return tagId === undefined
    ? requestJson(path(orgId), { method: 'POST', body })
    : requestJson(`${path(orgId)}/${tagId}`, { method: 'PUT', body });
}

export async function deleteTag(orgId: string, tagId: string): Promise<void> {
  await send(`${path(orgId)}/${tagId}`, { method: 'DELETE' });
}
