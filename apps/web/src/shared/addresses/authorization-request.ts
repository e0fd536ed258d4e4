/**
 * What a program has sent the browser with, as it came: the router reads values as JSON, and would change some. Empty
 * at any other address.
 */
export const authorizationRequest = window.location.pathname === '/authorize' ? window.location.search : '';

/** Keeps the address as it is, for a page that is loaded again. */
export function readAuthorizeSearch(search: Record<string, unknown>): Record<string, unknown> {
  return search;
}
