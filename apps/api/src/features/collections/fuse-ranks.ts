/** The constant of the paper on reciprocal rank fusion: the greater, the less the first places count. */
const flatness = 60;

export interface Fused<Hit> {
  hit: Hit;
  score: number;
  /** Its place, from 1, in each list; undefined where it is not in it. */
  ranks: (number | undefined)[];
}

/** One list of several, by reciprocal rank: what stands high in one of them, or in more than one, comes first. */
export function fuseRanks<Hit extends { id: string }>(lists: readonly (readonly Hit[])[]): Fused<Hit>[] {
  const fused = new Map<string, Fused<Hit>>();
  for (const [which, list] of lists.entries()) {
    for (const [at, hit] of list.entries()) {
      const entry = fused.get(hit.id) ?? { hit, score: 0, ranks: lists.map(() => undefined) };
      entry.score += 1 / (flatness + at + 1);
      entry.ranks[which] = at + 1;
      fused.set(hit.id, entry);
    }
  }
  return [...fused.values()].toSorted((a, b) => b.score - a.score);
}
