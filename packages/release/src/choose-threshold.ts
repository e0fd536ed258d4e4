import { clopperPearsonUpper, documentsNeeded } from './clopper-pearson.ts';
import { clusterUpper } from './cluster-bound.ts';

/** What a bound counts: wrong documents, or wrong values as a share of their document. */
export type BoundUnit = 'document' | 'value';

/** A document of the audit sample that a user has verified. */
export interface AuditedDocument {
  /** The highest risk of its values when it was drawn, 0 to 1. */
  readonly risk: number;
  readonly values: number;
  readonly wrongValues: number;
}

/** What a policy claims: with `confidence`, at most `maxWrong` of what is released is wrong. */
export interface ReleaseClaim {
  readonly maxWrong: number;
  readonly confidence: number;
  readonly unit: BoundUnit;
}

/** The threshold that a claim allows. */
export interface Threshold {
  /** Documents with this risk or a lower one are released. Null if the audited documents prove the claim at no risk. */
  readonly threshold: number | null;
  /** The bound for the audited documents at or below the threshold; without one, the lowest bound of all thresholds. */
  readonly bound: number;
  /** How many further documents without an error prove the claim; 0 if there is a threshold. */
  readonly needed: number;
}

/** A possible threshold with its bound, and the share of audited documents at or below it. */
export interface CurvePoint {
  readonly threshold: number;
  readonly bound: number;
  readonly share: number;
}

const maxCurvePoints = 100;

/**
 * Chooses the largest threshold at which the upper bound of the share of wrong documents, or of wrong values, is at most
 * `maxWrong`. The documents at or below a threshold are those whose risk was so low when they were drawn. If the claim holds
 * for all audited documents, the threshold is 1.
 *
 * @example
 * ```ts
 * import { chooseThreshold } from '@docwright/release';
 *
 * const audited = Array.from({ length: 598 }, () => ({ risk: 0.02, values: 12, wrongValues: 0 }));
 * chooseThreshold(audited, { maxWrong: 0.005, confidence: 0.95, unit: 'document' }).threshold; // 1
 * ```
 */
export function chooseThreshold(audited: readonly AuditedDocument[], claim: ReleaseClaim): Threshold {
  const { sorted, ends, bounds } = boundsOf(audited, claim);
  const last = ends.findLast((end) => bounds.holds(end));
  if (last !== undefined) return { threshold: thresholdAt(sorted, last), bound: bounds.at(last), needed: 0 };
  const { end, needed } = bounds.nearest(ends);
  return { threshold: null, bound: bounds.at(end), needed };
}

/**
 * The bound over the threshold, at most a hundred points of it: what another `maxWrong` would release.
 *
 * @example
 * ```ts
 * import { boundCurve } from '@docwright/release';
 *
 * const audited = [0.01, 0.02].map((risk) => ({ risk, values: 12, wrongValues: 0 }));
 * boundCurve(audited, { maxWrong: 0.005, confidence: 0.95, unit: 'document' }).length; // 2
 * ```
 */
export function boundCurve(audited: readonly AuditedDocument[], claim: ReleaseClaim): CurvePoint[] {
  const { sorted, ends, bounds } = boundsOf(audited, claim);
  return spread(ends).map((end) => ({
    threshold: thresholdAt(sorted, end),
    bound: bounds.at(end),
    share: end / sorted.length,
  }));
}

function boundsOf(audited: readonly AuditedDocument[], claim: ReleaseClaim) {
  const sorted = audited.toSorted((a, b) => a.risk - b.risk);
  // Documents with the same risk are released together.
  const ends: number[] = [];
  for (let end = 1; end <= sorted.length; end++) if (sorted[end]?.risk !== sorted[end - 1]!.risk) ends.push(end);
  return {
    sorted,
    ends,
    bounds: claim.unit === 'document' ? documentBounds(sorted, claim) : valueBounds(sorted, claim),
  };
}

function thresholdAt(sorted: readonly AuditedDocument[], end: number): number {
  return end === sorted.length ? 1 : sorted[end - 1]!.risk;
}

interface Bounds {
  /** The bound of the first `count` documents. */
  at(count: number): number;
  /** Whether that bound is at most `maxWrong`. */
  holds(count: number): boolean;
  /** The threshold that needs the fewest further documents without an error. */
  nearest(ends: readonly number[]): { end: number; needed: number };
}

function documentBounds(sorted: readonly AuditedDocument[], { maxWrong, confidence }: ReleaseClaim): Bounds {
  const wrong = cumulated(sorted, ({ wrongValues }) => (wrongValues > 0 ? 1 : 0));
  const needs = needsOf(maxWrong, confidence);
  const needOf = (errors: number) => (needs[errors] ??= documentsNeeded({ wrong: errors, maxWrong, confidence }));
  return {
    at: (count) => clopperPearsonUpper({ wrong: wrong[count]!, audited: count, confidence }),
    holds: (count) => count >= needOf(wrong[count]!),
    nearest(ends) {
      let best = { end: 0, needed: needOf(0) };
      for (const end of ends) {
        const needed = needOf(wrong[end]!) - end;
        if (needed < best.needed) best = { end, needed };
      }
      return best;
    },
  };
}

/** Documents that each number of errors needs, by claim: the same for each choice, and slow for many errors. */
const knownNeeds = new Map<string, number[]>();
const maxKnownClaims = 50;

function needsOf(maxWrong: number, confidence: number): number[] {
  const key = `${maxWrong} ${confidence}`;
  const known = knownNeeds.get(key) ?? [];
  if (knownNeeds.size >= maxKnownClaims && !knownNeeds.has(key)) knownNeeds.clear();
  knownNeeds.set(key, known);
  return known;
}

function valueBounds(sorted: readonly AuditedDocument[], { maxWrong, confidence }: ReleaseClaim): Bounds {
  const shares = sorted.map(({ values, wrongValues }) => (values === 0 ? 0 : wrongValues / values));
  const at = (count: number) => clusterUpper(shares.slice(0, count), confidence);
  const holds = (count: number) => at(count) <= maxWrong;
  const withClean = (count: number, clean: number) =>
    clusterUpper([...shares.slice(0, count), ...Array.from({ length: clean }, () => 0)], confidence) <= maxWrong;
  return {
    at,
    holds,
    nearest(ends) {
      // The threshold with the lowest bound is the nearest to the claim.
      const points = spread(ends);
      const end = points.reduce((best, each) => (at(each) < at(best) ? each : best), points[0] ?? 0);
      let [tooFew, enough] = [0, 1];
      while (!withClean(end, enough) && enough < 1e6) [tooFew, enough] = [enough, enough * 2];
      while (enough - tooFew > 1) {
        const middle = Math.floor((tooFew + enough) / 2);
        if (withClean(end, middle)) enough = middle;
        else tooFew = middle;
      }
      return { end, needed: enough };
    },
  };
}

/** `sums[n]` is the sum over the first n documents. */
function cumulated(sorted: readonly AuditedDocument[], of: (document: AuditedDocument) => number): number[] {
  let sum = 0;
  return [0, ...sorted.map((document) => (sum += of(document)))];
}

/** At most a hundred of the ends, evenly, the last one included. */
function spread(ends: readonly number[]): number[] {
  if (ends.length <= maxCurvePoints) return [...ends];
  const step = ends.length / maxCurvePoints;
  return Array.from({ length: maxCurvePoints }, (_, index) => ends[Math.ceil((index + 1) * step) - 1]!);
}
