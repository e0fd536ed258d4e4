/** How many documents the latest mean is of, and how many earlier ones it needs for a comparison. */
export const minDriftDocuments = 50;

const shuffles = 1000;
const confidence = 0.99;
/** A comparison blocks its process: 5,000 documents take about 50 ms. */
const maxShuffled = 5000;
/** With so many earlier documents their mean is known well enough that the latest need not be shuffled with them. */
const minEarlier = 500;
/** Limits are computed again after so much growth: they hardly change from one document to the next. */
const growth = 1.5;

/** Limits of the mean log-odds of 50 documents, and the number of documents that they come from. */
export interface DriftLimits {
  readonly low: number;
  readonly high: number;
  readonly documents: number;
}

/**
 * Whether the risk of documents has drifted: the mean risk of the last 50 documents is outside of what 1,000 shuffles give at
 * 99 %. The mean is that of the log-odds: a few risky documents hide a change of all the others in the plain mean. A shuffle
 * gives its lowest and its highest mean of 50 consecutive documents, since the mean is looked at after each document and not
 * once. The earlier documents are shuffled, fewer than 500 together with the latest. No drift with fewer than 50 earlier ones.
 *
 * @param risks the risk of each document, 0 to 1, oldest first
 * @param known the limits of an earlier call for the same documents, to save time
 * @param random numbers from 0 to below 1; a test passes its own
 * @example
 * ```ts
 * import { judgeDrift } from '@docwright/release';
 *
 * const risks = Array.from({ length: 400 }, (_, index) => (index < 350 ? 0.01 : 0.2) + (index % 7) / 1000);
 * judgeDrift(risks).hasDrifted; // true
 * ```
 */
export function judgeDrift(
  risks: readonly number[],
  known?: DriftLimits,
  random: () => number = Math.random,
): { readonly hasDrifted: boolean; readonly limits?: DriftLimits } {
  if (risks.length < 2 * minDriftDocuments) return { hasDrifted: false };
  const latest = risks.slice(-minDriftDocuments);
  if (known && isWithinLimits(latest, risks.length, known)) return { hasDrifted: false, limits: known };
  // The latest documents would widen the limits by the drift itself. Few earlier ones are shuffled with them nevertheless: only
  // then are all orders equally likely where nothing has changed.
  const earlier = risks.slice(0, -minDriftDocuments);
  const shuffled = earlier.length < minEarlier ? risks : earlier;
  const limits = { ...limitsOf(shuffled.slice(-maxShuffled).map(logOdds), random), documents: risks.length };
  return { hasDrifted: isOutside(latest, limits), limits };
}

/**
 * Whether known limits say that nothing has drifted: they are recent, and the latest documents are within them. Otherwise
 * `judgeDrift` must see all risks.
 *
 * @param latest the risks of the last 50 documents
 * @param documents how many documents there are
 * @example
 * ```ts
 * import { isWithinLimits } from '@docwright/release';
 *
 * const latest = Array.from({ length: 50 }, () => 0.01);
 * isWithinLimits(latest, 420, { low: -5, high: -4, documents: 400 }); // true
 * ```
 */
export function isWithinLimits(latest: readonly number[], documents: number, known: DriftLimits): boolean {
  const isRecent = documents >= 2 * minDriftDocuments && documents < known.documents * growth;
  return isRecent && !isOutside(latest, known);
}

function isOutside(latest: readonly number[], { low, high }: Pick<DriftLimits, 'low' | 'high'>): boolean {
  const found = mean(latest.map(logOdds));
  return found < low || found > high;
}

/** One in a hundred shuffles has a mean of 50 consecutive documents outside of the limits. */
function limitsOf(risks: readonly number[], random: () => number): Omit<DriftLimits, 'documents'> {
  const order = Float64Array.from(risks);
  const lows = new Float64Array(shuffles);
  const highs = new Float64Array(shuffles);
  for (let round = 0; round < shuffles; round++) {
    shuffle(order, random);
    let sum = 0;
    let [low, high] = [Infinity, -Infinity];
    for (let index = 0; index < order.length; index++) {
      sum += order[index]! - (index >= minDriftDocuments ? order[index - minDriftDocuments]! : 0);
      if (index < minDriftDocuments - 1) continue;
      low = Math.min(low, sum);
      high = Math.max(high, sum);
    }
    lows[round] = low;
    highs[round] = high;
  }
  const outside = Math.round((shuffles * (1 - confidence)) / 2);
  // Sums in another order differ in their last digits.
  const tolerance = 1e-9;
  return {
    low: lows.toSorted()[outside]! / minDriftDocuments - tolerance,
    high: highs.toSorted()[shuffles - 1 - outside]! / minDriftDocuments + tolerance,
  };
}

function shuffle(values: Float64Array, random: () => number): void {
  for (let last = values.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [values[last], values[other]] = [values[other]!, values[last]!];
  }
}

/** Differences between risks below a thousandth, or above 0.999, are none. */
function logOdds(risk: number): number {
  const bounded = Math.min(0.999, Math.max(0.001, risk));
  return Math.log(bounded / (1 - bounded));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
