/** The tabs of Review: values to check, and documents whose route or split waits for a user. */
export type ReviewTab = 'values' | 'routes';

/** Reads a query string that a user may have typed; anything invalid opens the values. */
export function readReviewSearch(search: Record<string, unknown>): { tab?: 'routes' } {
  return search['tab'] === 'routes' ? { tab: 'routes' } : {};
}
