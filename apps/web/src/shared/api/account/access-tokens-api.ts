import { queryOptions } from '@tanstack/react-query';
import type { createAccessTokenBody } from '@docwright/contract';
import type { z } from 'zod';
import { requestJson, send } from '../../http/http.ts';

const path = (orgId: string) => `/v0/orgs/${orgId}/access_tokens` as const;

export const accessTokensKey = (orgId: string) => ['access-tokens', orgId];

export function accessTokensQuery(orgId: string) {
  return queryOptions({
    queryKey: accessTokensKey(orgId),
    queryFn: ({ signal }) => requestJson(path(orgId), { query: { limit: 100 }, signal }),
  });
}

/** Only this answer holds the token itself. */
export function createAccessToken(orgId: string, body: z.input<typeof createAccessTokenBody>) {
  return requestJson(path(orgId), { method: 'POST', body });
}

export async function deleteAccessToken(orgId: string, tokenId: string): Promise<void> {
  await send(`${path(orgId)}/${tokenId}`, { method: 'DELETE' });
}
