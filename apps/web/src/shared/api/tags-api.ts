import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { createTagBody, Tag } from '@docwright/contract';
import type { z } from 'zod';
import { changedParts } from '../http/changed-parts.ts';
import { requestJson, send } from '../http/http.ts';
import { asSeen, type SeenState } from '../http/seen-state.ts';
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

/**
 * Creates a tag, or changes what differs from the tag that was opened.
 *
 * @param seen what the user has seen of the tag
 */
export async function saveTag(
  orgId: string,
  opened: Tag | undefined,
  body: TagBody,
  seen: SeenState<Tag>,
): Promise<Tag> {
  if (opened === undefined) return await requestJson(path(orgId), { method: 'POST', body });
  const tag = `${path(orgId)}/${opened.tag_id}` as const;
  const change = changedParts(body, opened);
  const now = await requestJson(tag, {});
  seen.check(change, now);
  return await requestJson(tag, { method: 'PUT', body: asSeen(change, now) });
}

export async function deleteTag(orgId: string, tagId: string): Promise<void> {
  await send(`${path(orgId)}/${tagId}`, { method: 'DELETE' });
}
