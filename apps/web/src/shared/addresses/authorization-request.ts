/**
 * The unparsed query string of an OAuth authorization request. The router parses values as JSON and would change some.
 * Empty at any other URL.
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

/** Reads the known parameters, so that they stay in the URL when the page reloads. */
export function readAuthorizeSearch(search: Record<string, unknown>): AuthorizeSearch {
  const parameters = names.flatMap((name) => {
    const value = search[name];
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [];
  });
  return Object.fromEntries(parameters) as AuthorizeSearch;
}
