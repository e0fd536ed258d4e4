import { leafPaths } from '../paths.ts';
import { unusualness, type FieldProfile } from '../risk/field-profile.ts';
import { predictRisk, type RiskModel } from '../risk/risk-model.ts';
import type { ReviewReason } from '@docwright/contract';
import { reasonsOf } from '../risk/value-signals.ts';
import { signalsOf, type StoredSignals } from './observe-values.ts';

export type ReviewState = 'open' | 'confirmed' | 'corrected' | 'accepted';

export interface ReviewedValue {
  readonly path: string;
  readonly value: string | number | boolean | null;
  readonly risk: number;
  readonly reasons: readonly ReviewReason[];
  readonly state: ReviewState;
}

export interface ReviewInput {
  readonly result: unknown;
  readonly originalResult: unknown;
  readonly isVerified: boolean;
  readonly signals: Readonly<Record<string, StoredSignals>>;
  /** By path, what a person decided. */
  readonly decisions: Readonly<Record<string, { readonly state: 'confirmed' | 'corrected' }>>;
  readonly model: RiskModel;
  readonly profiles: ReadonlyMap<string, FieldProfile>;
  /** Values of a lower risk are accepted by themselves; 0 accepts none. */
  readonly acceptBelow: number;
}

/**
 * The risk and the state of each value of a result. A verified result has no open value; what differs there from what
 * the model had answered is a correction.
 *
 * @example reviewValues({ result: { total: 3 }, … })[0] // { path: 'total', risk: 0.02, reasons: [], state: 'open', value: 3 }
 */
export function reviewValues(input: ReviewInput): ReviewedValue[] {
  const { result, originalResult, isVerified, signals, decisions, model, profiles, acceptBelow } = input;
  const leaves = leafPaths(result);
  const known = new Set(leaves.map(({ path }) => path));
  // An empty list of which rows are missing has signals, and no leaf.
  const lists = Object.keys(signals)
    .filter((path) => !known.has(path))
    .filter((path) => signals[path]?.rowMissing)
    .map((path) => ({ path, field: path, value: null }));
  const original = isVerified ? new Map(leafPaths(originalResult).map(({ path, value }) => [path, value])) : new Map();
  return [...leaves, ...lists].map(({ path, field, value }) => {
    const observed = signalsOf({ value }, signals[path], unusualness(value, profiles.get(field)));
    const risk = round(predictRisk(model, observed));
    const decided = decisions[path]?.state;
    const verified = isVerified ? ((original.get(path) ?? null) === value ? 'confirmed' : 'corrected') : undefined;
    const state = decided ?? verified ?? (risk < acceptBelow ? 'accepted' : 'open');
    return { path, value, risk, reasons: reasonsOf(observed), state };
  });
}

function round(risk: number): number {
  return Math.round(risk * 10_000) / 10_000;
}
