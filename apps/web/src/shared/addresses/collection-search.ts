/** Query string of a collection's page: the search, and how its hits are shown. */
export interface CollectionPageSearch {
  q?: string;
  /** Maximum number of hits; without it, the smallest step. */
  top?: number;
  /** Hits grouped by document. */
  by?: 'document';
}

/** "More hits" goes through these steps; the last is the server's maximum. */
const topSteps = [10, 25, 50, 100] as const;
export const maxQueryLength = 1000;

export const topOf = ({ top = topSteps[0] }: CollectionPageSearch): number => top;

/** Undefined after the last step. */
export const nextTop = (top: number): number | undefined => topSteps.find((step) => step > top);

/** Reads a query string that a user may have typed; invalid values are dropped. */
export function readCollectionSearch(search: Record<string, unknown>): CollectionPageSearch {
  const { by } = search;
  const q = textOf(search['q']);
  const top = topSteps.slice(1).find((step) => step === Number(search['top']));
  return {
    ...(q === undefined || q.trim() === '' ? {} : { q }),
    ...(top === undefined ? {} : { top }),
    ...(by === 'document' ? { by } : {}),
  };
}

/** The router parses values as JSON: a query such as `2026` arrives as a number. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || value === undefined ? value : JSON.stringify(value);
}

/** The query as the server accepts it: trimmed, at most `maxQueryLength` characters. */
export const queryOf = ({ q = '' }: CollectionPageSearch): string => q.trim().slice(0, maxQueryLength).trim();
