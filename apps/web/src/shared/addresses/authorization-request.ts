/**
 * What a program has sent the browser with, as it came: the router reads values as JSON, and would change some. Empty
 * at any other address.
 */
export const authorizationRequest = window.location.pathname === '/authorize' ? window.location.search : '';

const names = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'state',
  'scope',
  'resource',
] as const;

type AuthorizeSearch = Partial<Record<(typeof names)[number], string>>;

/** Keeps what the page understands, for when it is loaded again. */
export function readAuthorizeSearch(search: Record<string, unknown>): AuthorizeSearch {
  const known = names.flatMap((name) => {
    const value = search[name];
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [];
  });
  return Object.fromEntries(known) as AuthorizeSearch;
}
