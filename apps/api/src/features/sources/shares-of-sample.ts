/**
 * How many of each type to take where `most` are taken of all: one of each first, since a rare type fails in ways of its
 * own, and what is left by how many there are. `counts` begins with the commonest.
 */
export function sharesOf(counts: readonly number[], most: number): number[] {
  const shares = counts.map((count, at) => (at < most && count > 0 ? 1 : 0));
  let left = most - shares.reduce<number>((sum, share) => sum + share, 0);
  const all = counts.reduce((sum, count) => sum + count, 0);
  while (left > 0) {
    // The type of which the least was taken, measured by what there is.
    let next: number | undefined;
    for (const [at, count] of counts.entries()) {
      if (shares[at]! >= count) continue;
      if (next === undefined || shares[at]! / count < shares[next]! / counts[next]!) next = at;
    }
    if (next === undefined || all === 0) break;
    shares[next]! += 1;
    left -= 1;
  }
  return shares;
}
