import { largestShare, requireConfidence } from './clopper-pearson.ts';

/** Stakes of the bets, as parts of the largest possible one, with the weight of each. */
const stakes = [
  { stake: 1, weight: 0.5 },
  ...[0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05].map((stake) => ({ stake, weight: 0.05 })),
];

/**
 * The one-sided upper bound of the mean share of wrong values in a document. Values of one document are not independent, so
 * each document counts as one observation between 0 and 1. It is a betting bound for bounded observations (Waudby-Smith and
 * Ramdas 2024, "Estimating means of bounded random variables by betting", Journal of the Royal Statistical Society B 86): who
 * bets that the mean is below m can multiply the stake by 1 / (1 − `confidence`) with at most that probability if it is not.
 *
 * @param shares the share of wrong values in each audited document, 0 to 1
 * @throws RangeError for a share outside of 0 to 1
 * @example
 * ```ts
 * import { clusterUpper } from '@docwright/release';
 *
 * const shares = Array.from({ length: 1000 }, (_, index) => (index < 4 ? 0.05 : 0));
 * clusterUpper(shares, 0.95) < 0.005; // true
 * ```
 */
export function clusterUpper(shares: readonly number[], confidence: number): number {
  requireConfidence(confidence);
  if (shares.some((share) => !(share >= 0 && share <= 1))) throw new RangeError('A share is between 0 and 1.');
  const counts = new Map<number, number>();
  for (const share of shares) counts.set(share, (counts.get(share) ?? 0) + 1);
  const needed = -Math.log(1 - confidence);
  return largestShare((mean) => logWealth(counts, mean) < needed);
}

/** The logarithm of what the bets against `mean` have won, from a stake of 1. It rises with `mean`. */
function logWealth(counts: ReadonlyMap<number, number>, mean: number): number {
  if (mean >= 1) return Infinity;
  const logs = stakes.map(({ stake, weight }) => {
    let log = Math.log(weight);
    for (const [share, count] of counts) log += count * Math.log(1 + (stake * (mean - share)) / (1 - mean));
    return log;
  });
  const largest = Math.max(...logs);
  if (largest === -Infinity) return -Infinity;
  return largest + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - largest), 0));
}
