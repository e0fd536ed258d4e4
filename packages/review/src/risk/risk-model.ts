import { reviewReason } from '@docwright/contract';
import type { Steps } from '../steps/steps.ts';
import { type Features, featuresOf, type ValueSignals } from './value-signals.ts';

/**
 * Weights of a logistic regression: the risk is `1 / (1 + exp(-(bias + weights · features)))`. Plain JSON data, so that
 * it can be stored.
 */
export interface RiskModel {
  readonly bias: number;
  readonly weights: Features;
}

/** A value that a user has verified, and whether it was wrong. */
export interface LabelledValue {
  readonly signals: ValueSignals;
  readonly isWrong: boolean;
  /** A measurement never uses a model that was fitted to values of the same document. */
  readonly documentId: string;
}

/** How well a model predicts wrong values. */
export interface Measurement {
  /** Number of measured values. */
  readonly verified_values: number;
  /** Expected calibration error, 0 to 1: the mean distance of risk and share of wrong values, over ten equal parts. */
  readonly error: number;
  /** The probability that a wrong value has a higher risk than a correct one. Null without wrong or without correct values. */
  readonly auroc: number | null;
}

/** With fewer verified values, the default weights apply. */
export const minVerifiedValues = 50;

/**
 * The weights for an organization with few verified values. The bias and the weights of places
 * are fitted to 32 public documents with known values, of which one in twenty was replaced by a wrong one (`npm run bench -- review`). That
 * of an empty value is from real invoices, receipts and forms: of their empty values that nothing spoke for, 5 % were on the page. The
 * weight of a misreading is that of its probability (`misreadingOf`). Those of missing values whose label is on the page and of unread
 * parts are from real and made invoices that the demo model filled: of 148 such values 144 were wrong. The other signals did not occur:
 * their weights are estimates.
 */
export const defaultModel: RiskModel = {
  bias: -4.45,
  weights: {
    is_empty: 1.3,
    not_found: 4.95,
    fuzzy_match: 2.11,
    ambiguous_place: 2.54,
    ocr_unsure: 4.2,
    schema_error: 4,
    check_failed: 2.6,
    row_missing: 1,
    row_duplicate: 2.5,
    text_cut: 0.8,
    differs_from_second_read: 3.2,
    conflicting_values: 2.8,
    unusual: 2.6,
    model_unsure: 2,
    expected_but_missing: 3.46,
    near_unread: 1.9,
    differs_from_embedded: 4.5,
    agrees_with_embedded: -2.5,
    other_label: 2.6,
  },
};

/** The order of the weights in a vector, after the bias. */
const featureNames = ['is_empty', ...reviewReason.options] as const;

/**
 * The probability that a value is wrong, 0 to 1.
 *
 * @example
 * ```ts
 * import { defaultModel, predictRisk } from '@docwright/review';
 *
 * predictRisk(defaultModel, { isEmpty: false, match: 'exact' }) < 0.05; // true
 * ```
 */
export function predictRisk(model: RiskModel, signals: ValueSignals): number {
  return sigmoid(dot(vectorOf(model), rowOf(signals)));
}

/**
 * As `predictRisk`, but no lower because the data for machines of the document agree: its sender wrote both, and would
 * vouch for itself.
 *
 * @example
 * ```ts
 * import { decidingRisk, defaultModel } from '@docwright/review';
 *
 * decidingRisk(defaultModel, { isEmpty: false, match: 'none', embedded: 'agrees' }) > 0.5; // true
 * ```
 */
export function decidingRisk(model: RiskModel, signals: ValueSignals): number {
  const risk = predictRisk(model, signals);
  if (signals.embedded !== 'agrees') return risk;
  const { embedded: _, ...others } = signals;
  return Math.max(risk, predictRisk(model, others));
}

/**
 * Fits the weights to verified values. With few values they stay near `prior`: a logistic regression with a Gaussian
 * prior, solved by Newton's method. Takes about 2 ms for each thousand values.
 *
 * @example
 * ```ts
 * import { fitSteps, finish, type LabelledValue } from '@docwright/review';
 *
 * declare const values: LabelledValue[];
 * const { bias, weights } = finish(fitSteps(values));
 * console.log(bias, weights.not_found);
 * ```
 */
export function* fitSteps(values: readonly LabelledValue[], prior: RiskModel = defaultModel): Steps<RiskModel> {
  const center = vectorOf(prior);
  const rows = values.map(({ signals }) => rowOf(signals));
  const labels = values.map(({ isWrong }) => (isWrong ? 1 : 0));
  let parameters = [...center];
  for (let round = 0; round < 25; round++) {
    const { gradient, hessian } = yield* derivatives(rows, labels, parameters, center);
    const step = solve(hessian, gradient);
    parameters = parameters.map((parameter, index) => parameter - limitStep(step[index]!));
    if (step.every((change) => Math.abs(change) < 1e-6)) break;
  }
  return modelOf(parameters);
}

/**
 * Measures a model on verified values. Without `model` it measures the fit by cross-validation: the documents form
 * five parts, and each part is measured with a model that was fitted to the other four.
 *
 * @example
 * ```ts
 * import { defaultModel, measureSteps, finish, type LabelledValue } from '@docwright/review';
 *
 * declare const values: LabelledValue[];
 * const isBetterThanDefault = finish(measureSteps(values)).error < finish(measureSteps(values, defaultModel)).error;
 * console.log(isBetterThanDefault);
 * ```
 */
export function* measureSteps(values: readonly LabelledValue[], model?: RiskModel): Steps<Measurement> {
  const risks =
    model === undefined ? yield* crossValidatedRisks(values) : values.map(({ signals }) => predictRisk(model, signals));
  yield;
  const predicted = values.map(({ isWrong }, index) => ({ isWrong, risk: risks[index]! }));
  return { verified_values: values.length, error: calibrationError(predicted), auroc: auroc(predicted) };
}

const partCount = 5;

function* crossValidatedRisks(values: readonly LabelledValue[]): Steps<number[]> {
  const documents = [...new Set(values.map(({ documentId }) => documentId))];
  const partOf = new Map(documents.map((documentId, index) => [documentId, index % partCount]));
  const models: RiskModel[] = [];
  for (let part = 0; part < partCount; part += 1) {
    models.push(yield* fitSteps(values.filter(({ documentId }) => partOf.get(documentId) !== part)));
  }
  return values.map(({ signals, documentId }) => predictRisk(models[partOf.get(documentId)!]!, signals));
}

interface Predicted {
  readonly risk: number;
  readonly isWrong: boolean;
}

function calibrationError(predicted: readonly Predicted[]): number {
  if (predicted.length === 0) return 0;
  const sorted = predicted.toSorted((a, b) => a.risk - b.risk);
  const bins = Math.min(10, sorted.length);
  let error = 0;
  for (let bin = 0; bin < bins; bin++) {
    const inside = sorted.slice(
      Math.floor((bin * sorted.length) / bins),
      Math.floor(((bin + 1) * sorted.length) / bins),
    );
    const expected = inside.reduce((sum, { risk }) => sum + risk, 0);
    const wrong = inside.filter(({ isWrong }) => isWrong).length;
    error += Math.abs(expected - wrong) / sorted.length;
  }
  return error;
}

/** Area under the ROC curve, from the rank sum. Equal risks share a rank. */
function auroc(predicted: readonly Predicted[]): number | null {
  const wrong = predicted.filter(({ isWrong }) => isWrong).length;
  const correct = predicted.length - wrong;
  if (wrong === 0 || correct === 0) return null;
  const sorted = predicted.toSorted((a, b) => a.risk - b.risk);
  let rankSum = 0;
  for (let start = 0; start < sorted.length;) {
    let end = start;
    while (end < sorted.length && sorted[end]!.risk === sorted[start]!.risk) end++;
    const rank = (start + 1 + end) / 2;
    rankSum += rank * sorted.slice(start, end).filter(({ isWrong }) => isWrong).length;
    start = end;
  }
  return (rankSum - (wrong * (wrong + 1)) / 2) / (wrong * correct);
}

/** The strength of the prior. It is weak for the bias, because organizations differ most in how often values are wrong. */
const priorPrecision = 0.5;
const biasPrecision = 0.05;

/** Values whose derivatives are added in one step. */
const rowsOfStep = 500;

function* derivatives(
  rows: readonly (readonly number[])[],
  labels: readonly number[],
  parameters: readonly number[],
  center: readonly number[],
): Steps<{ gradient: number[]; hessian: number[][] }> {
  const size = parameters.length;
  const precision = (index: number) => (index === 0 ? biasPrecision : priorPrecision);
  const gradient = parameters.map((parameter, index) => precision(index) * (parameter - center[index]!));
  const hessian = parameters.map((_, row) => parameters.map((_, column) => (row === column ? precision(row) : 0)));
  for (const [index, row] of rows.entries()) {
    if (index % rowsOfStep === 0) yield;
    const risk = sigmoid(dot(parameters, row));
    const curvature = risk * (1 - risk);
    for (let i = 0; i < size; i++) {
      const value = row[i]!;
      if (value === 0) continue;
      gradient[i]! += (risk - labels[index]!) * value;
      for (let j = 0; j <= i; j++) hessian[i]![j]! += curvature * value * row[j]!;
    }
  }
  for (let i = 0; i < size; i++) for (let j = i + 1; j < size; j++) hessian[i]![j] = hessian[j]![i]!;
  return { gradient, hessian };
}

/** Solves a symmetric positive definite system by Gaussian elimination. */
function solve(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  const rows = matrix.map((row, index) => [...row, vector[index]!]);
  for (let pivot = 0; pivot < rows.length; pivot++) {
    for (let below = pivot + 1; below < rows.length; below++) {
      const factor = rows[below]![pivot]! / rows[pivot]![pivot]!;
      for (let column = pivot; column <= rows.length; column++) rows[below]![column]! -= factor * rows[pivot]![column]!;
    }
  }
  const solution = vector.map(() => 0);
  for (let row = rows.length - 1; row >= 0; row--) {
    let value = rows[row]![rows.length]!;
    for (let column = row + 1; column < rows.length; column++) value -= rows[row]![column]! * solution[column]!;
    solution[row] = value / rows[row]![row]!;
  }
  return solution;
}

function rowOf(signals: ValueSignals): number[] {
  const features = featuresOf(signals);
  return [1, ...featureNames.map((name) => features[name])];
}

function vectorOf({ bias, weights }: RiskModel): number[] {
  // A model that was fitted before a signal existed has no weight for it.
  return [bias, ...featureNames.map((name) => weights[name] ?? defaultModel.weights[name])];
}

function modelOf([bias = 0, ...weights]: readonly number[]): RiskModel {
  return { bias, weights: Object.fromEntries(featureNames.map((name, index) => [name, weights[index]!])) as Features };
}

/** Limits a Newton step, which can overshoot far from the solution. */
function limitStep(step: number): number {
  return Math.min(2, Math.max(-2, step));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
