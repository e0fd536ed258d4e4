import { queryOptions } from '@tanstack/react-query';
import type { OAuthRequest, TokenScope } from '@docwright/contract';
import { requestJson } from '../../shared/http/http.ts';

/** What a program asks for; `search` is the query that it sent the browser with. */
export const oauthRequestQuery = (search: string) =>
  queryOptions({
    queryKey: ['oauth-request', search],
    queryFn: ({ signal }) => requestJson<OAuthRequest>(`/v0/oauth/request${search}`, { signal }),
    retry: false,
  });

/** Lets the program in; answers the address to continue at. */
export function grantOAuthRequest(
  orgId: string,
  search: string,
  scopes: readonly TokenScope[],
): Promise<{ redirect_to: string }> {
  const body = { ...Object.fromEntries(new URLSearchParams(search)), scopes };
  return requestJson(`/v0/orgs/${orgId}/oauth_grants`, { method: 'POST', body });
}
