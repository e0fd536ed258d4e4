/**
 * The one-sided upper Clopper–Pearson bound: with at least this `confidence`, the share of wrong documents is not above it.
 * It is the largest share p at which `wrong` or fewer wrong documents among `audited` still have the probability
 * 1 − `confidence` (Clopper and Pearson 1934, Biometrika 26). 1 without an audited document.
 *
 * @throws RangeError unless 0 ≤ `wrong` ≤ `audited` and 0 < `confidence` < 1.
 * @example
 * ```ts
 * import { clopperPearsonUpper } from '@docwright/release';
 *
 * clopperPearsonUpper({ wrong: 0, audited: 598, confidence: 0.95 }) <= 0.005; // true
 * ```
 */
export function clopperPearsonUpper(sample: { wrong: number; audited: number; confidence: number }): number {
  const { wrong, audited, confidence } = sample;
  if (!(wrong >= 0 && wrong <= audited)) throw new RangeError('`wrong` is between 0 and `audited`.');
  requireConfidence(confidence);
  if (wrong === audited) return 1;
  return largestShare((share) => probabilityOfAtMost(wrong, audited, share) >= 1 - confidence);
}

/**
 * How many documents an audit needs so that the bound of `clopperPearsonUpper` is at most `maxWrong`, if `wrong` of them are
 * wrong.
 *
 * @throws RangeError unless `maxWrong` and `confidence` are between 0 and 1.
 * @example
 * ```ts
 * import { documentsNeeded } from '@docwright/release';
 *
 * documentsNeeded({ wrong: 0, maxWrong: 0.005, confidence: 0.95 }); // 598
 * ```
 */
export function documentsNeeded(claim: { wrong: number; maxWrong: number; confidence: number }): number {
  const { wrong, maxWrong, confidence } = claim;
  if (!(maxWrong > 0 && maxWrong < 1)) throw new RangeError('`maxWrong` is between 0 and 1.');
  requireConfidence(confidence);
  const isEnough = (documents: number) => probabilityOfAtMost(wrong, documents, maxWrong) <= 1 - confidence;
  let [tooFew, enough] = [wrong, wrong + 1];
  while (!isEnough(enough)) [tooFew, enough] = [enough, enough * 2];
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

/** The largest share, 0 to 1, at which `isPossible` holds; it holds up to that share and not above. */
export function largestShare(isPossible: (share: number) => boolean): number {
  let [low, high] = [0, 1];
  // 60 halvings are finer than a double next to 1.
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (isPossible(middle)) low = middle;
    else high = middle;
  }
  return high;
}

export function requireConfidence(confidence: number): void {
  if (!(confidence > 0 && confidence < 1)) throw new RangeError('`confidence` is between 0 and 1.');
}

/** The probability of at most `wrong` wrong ones among `audited`, in logarithms, because (1 − p)^n can underflow. */
function probabilityOfAtMost(wrong: number, audited: number, share: number): number {
  if (share <= 0) return 1;
  if (share >= 1) return wrong >= audited ? 1 : 0;
  const odds = Math.log(share) - Math.log1p(-share);
  let term = audited * Math.log1p(-share);
  let [largest, sum] = [term, 1];
  for (let count = 1; count <= wrong; count++) {
    term += Math.log((audited - count + 1) / count) + odds;
    if (term > largest) {
      sum = sum * Math.exp(largest - term) + 1;
      largest = term;
    } else sum += Math.exp(term - largest);
  }
  return Math.min(1, Math.exp(largest) * sum);
}
