/**
 * Splits a sample of `size` over types: first one of each type, because a rare type fails in its own ways, then in
 * proportion to `counts`, which start with the most frequent type.
 */
export function sharesOf(counts: readonly number[], size: number): number[] {
  const shares = counts.map((count, at) => (at < size && count > 0 ? 1 : 0));
  let remaining = size - shares.reduce<number>((sum, share) => sum + share, 0);
  const all = counts.reduce((sum, count) => sum + count, 0);
  while (remaining > 0) {
    // The type with the smallest sampled proportion.
    let next: number | undefined;
    for (const [at, count] of counts.entries()) {
      if (shares[at]! >= count) continue;
      if (next === undefined || shares[at]! / count < shares[next]! / counts[next]!) next = at;
    }
    if (next === undefined || all === 0) break;
    shares[next]! += 1;
    remaining -= 1;
  }
  return shares;
}
