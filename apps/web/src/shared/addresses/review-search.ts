/** Reads a query string that a user may have typed; anything invalid opens the values. */
export function readReviewSearch(search: Record<string, unknown>): { tab?: 'routes' } {
  return search['tab'] === 'routes' ? { tab: 'routes' } : {};
}
