/** The constant `k` of reciprocal rank fusion, as in its paper: a larger one reduces the weight of top ranks. */
const rankConstant = 60;

/** A hit of one or more ranked lists. */
export interface Fused<Hit> {
  hit: Hit;
  score: number;
  /** Its rank from 1 in each list; undefined if the list does not have it. */
  ranks: (number | undefined)[];
}

/** Fuses lists by reciprocal rank: hits with a high rank in one list, or in several lists, come first. */
export function fuseRanks<Hit extends { id: string }>(lists: readonly (readonly Hit[])[]): Fused<Hit>[] {
  const fused = new Map<string, Fused<Hit>>();
  for (const [listIndex, list] of lists.entries()) {
    for (const [at, hit] of list.entries()) {
      const entry = fused.get(hit.id) ?? { hit, score: 0, ranks: lists.map(() => undefined) };
      entry.score += 1 / (rankConstant + at + 1);
      entry.ranks[listIndex] = at + 1;
      fused.set(hit.id, entry);
    }
  }
  return [...fused.values()].toSorted((a, b) => b.score - a.score);
}
