import { reassuringReasons, type ReviewReason, type ReviewState } from '@docwright/contract';
import { unusualness, type FieldProfile } from '../risk/field-profile.ts';
import { decidingRisk, predictRisk, type RiskModel } from '../risk/risk-model.ts';
import { reasonsOf } from '../risk/value-signals.ts';
import { signalsOf, type StoredSignals } from './observe-values.ts';
import { leafPathSteps, type LeafPath } from './paths.ts';
import { eachInSteps } from '../steps/steps.ts';

/** The review of one value. */
export interface ReviewedValue {
  /** `line_items.0.amount` */
  readonly path: string;
  readonly value: string | number | boolean | null;
  /** The probability that the value is wrong, 0 to 1, in steps of 0.0001. */
  readonly risk: number;
  /** The risk that decides what is accepted, released or not to check: not lower for what the document says of itself. */
  readonly decidingRisk: number;
  readonly reasons: readonly ReviewReason[];
  readonly state: ReviewState;
  /** Whether a user should check the value. */
  readonly toCheck: boolean;
  /** Whether the value was confirmed by a user who had not seen it. */
  readonly isUnseen: boolean;
}

/** Without a policy, open values with at least this risk are to check, and open values with a reason. */
const usualThreshold = 0.1;
/** A value with a lower risk is not to check, whatever its reasons. */
const minRiskToCheck = 0.01;

/** A stored result with everything that its review depends on. */
export interface ReviewInput {
  readonly result: unknown;
  /** The result of the model, without corrections. */
  readonly originalResult: unknown;
  readonly isVerified: boolean;
  /** By path, from `observeSteps`. */
  readonly signals: Readonly<Record<string, StoredSignals>>;
  /** Decisions of users, by path. */
  readonly decisions: Readonly<Record<string, { readonly state: 'confirmed' | 'corrected' }>>;
  readonly model: RiskModel;
  /** By field: `line_items[].amount`. */
  readonly profiles: ReadonlyMap<string, FieldProfile>;
  /** Values with a lower risk are accepted without a user; 0 accepts none. */
  readonly acceptBelow: number;
  /** Open values with at least this risk are to check; 0: all of them. Default: 0.1. */
  readonly checkFrom?: number;
  /** Paths of values that a user verified without having seen them. */
  readonly unseen?: readonly string[];
}

/**
 * The risk and the state of each value of a result. A verified result has no open values: a value is `corrected` if it
 * differs from the model's, otherwise `confirmed`.
 *
 * @example
 * ```ts
 * import { defaultModel, reviewSteps, finish } from '@docwright/review';
 *
 * const result = { total: 3 };
 * const [total] = finish(reviewSteps({
 *   result,
 *   originalResult: result,
 *   isVerified: false,
 *   signals: { total: { match: 'none' } },
 *   decisions: {},
 *   model: defaultModel,
 *   profiles: new Map(),
 *   acceptBelow: 0,
 * }));
 * console.log(total?.state, total?.reasons, total?.toCheck); // open ['not_found'] true
 * ```
 */
export function* reviewSteps(input: ReviewInput): Generator<void, ReviewedValue[], undefined> {
  const { result, originalResult, isVerified, signals, decisions, model, profiles, acceptBelow } = input;
  const checkFrom = input.checkFrom ?? usualThreshold;
  const unseen = new Set(input.unseen);
  const leaves: Pick<LeafPath, 'path' | 'field' | 'value'>[] = yield* leafPathSteps(result);
  const known = new Set<string>();
  yield* eachInSteps(leaves, ({ path }) => void known.add(path));
  // An empty list with missing rows has signals, but no leaf.
  yield* eachInSteps(Object.keys(signals), (path) => {
    if (!known.has(path) && signals[path]?.rowMissing) leaves.push({ path, field: path, value: null });
  });
  const original = new Map<string, LeafPath['value']>();
  if (isVerified) {
    const answered = yield* leafPathSteps(originalResult);
    yield* eachInSteps(answered, ({ path, value }) => void original.set(path, value));
  }
  const reviewed: ReviewedValue[] = [];
  yield* eachInSteps(leaves, ({ path, field, value }) => {
    const observed = signalsOf({ value }, signals[path], unusualness(value, profiles.get(field)));
    const deciding = round(decidingRisk(model, observed));
    const decided = decisions[path]?.state;
    const verified = isVerified ? ((original.get(path) ?? null) === value ? 'confirmed' : 'corrected') : undefined;
    const state = decided ?? verified ?? (deciding < acceptBelow ? 'accepted' : 'open');
    const reasons = reasonsOf(observed);
    const isDoubted = reasons.some((reason) => !reassuringReasons.includes(reason));
    const isRisky = deciding >= minRiskToCheck && (isDoubted || deciding >= checkFrom);
    reviewed.push({
      path,
      value,
      risk: round(predictRisk(model, observed)),
      decidingRisk: deciding,
      reasons,
      state,
      toCheck: state === 'open' && (checkFrom === 0 || isRisky),
      isUnseen: state === 'confirmed' && unseen.has(path),
    });
  });
  return reviewed;
}

function round(risk: number): number {
  return Math.round(risk * 10_000) / 10_000;
}
