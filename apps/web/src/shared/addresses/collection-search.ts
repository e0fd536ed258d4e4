/** What the address of a collection holds: the search, and how its hits are shown. */
export interface CollectionSearch {
  q?: string;
  /** How many hits at most; without it, the fewest. */
  top?: number;
  /** Hits grouped by document. */
  by?: 'document';
}

/** How many hits are asked for, one step after the other; the last is what the server gives at most. */
const topSteps = [10, 25, 50, 100] as const;
export const longestQuery = 1000;

export const topOf = ({ top = topSteps[0] }: CollectionSearch): number => top;

/** Undefined where there are no more to ask for. */
export const nextTop = (top: number): number | undefined => topSteps.find((step) => step > top);

/** Reads an address that anybody may have typed: what makes no sense is left out. */
export function readCollectionSearch(search: Record<string, unknown>): CollectionSearch {
  const { by } = search;
  const q = textOf(search['q']);
  const top = topSteps.slice(1).find((step) => step === Number(search['top']));
  return {
    ...(q === undefined || q.trim() === '' ? {} : { q }),
    ...(top === undefined ? {} : { top }),
    ...(by === 'document' ? { by } : {}),
  };
}

/** What the router has taken for a number or more is a text all the same. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || value === undefined ? value : JSON.stringify(value);
}

/** As the server takes it: without outer white space, and no longer than it may be. */
export const queryOf = ({ q = '' }: CollectionSearch): string => q.trim().slice(0, longestQuery).trim();
