import { reviewReason } from '@docwright/contract';
import { type Features, featuresOf, type ValueSignals } from './value-signals.ts';

/** Weights of a logistic regression: the risk is `1 / (1 + exp(-(bias + weights · features)))`. Plain data. */
export interface RiskModel {
  readonly bias: number;
  readonly weights: Features;
}

/** A value whose truth is known, since a person verified it. */
export interface LabelledValue {
  readonly signals: ValueSignals;
  readonly isWrong: boolean;
  /** Values of one document are never both fitted to and measured on. */
  readonly documentId: string;
}

export interface Measurement {
  readonly verified_values: number;
  /** Expected calibration error, 0 to 1: how far the risk is from the share of wrong values, over ten equal parts. */
  readonly error: number;
  /** The probability that a wrong value has a higher risk than a right one; null without both. */
  readonly auroc: number | null;
}

/** With fewer verified values the default weights hold. */
export const minVerifiedValues = 50;

/**
 * The weights before an organization has verified values of its own. The bias and the first four are fitted to 32 public
 * documents (17 invoices, 10 receipts, 3 forms, a contract, an e-mail; 18 without a text layer) of known values, a twentieth made
 * wrong: digits swapped, a neighbour's value, invented, missing, another field's (`npm run bench -- review`). How unsure
 * the recognition is told nothing there, and the other signs did not occur: these weights are judgement.
 */
export const defaultModel: RiskModel = {
  bias: -4.45,
  weights: {
    is_empty: 0.36,
    not_found: 4.95,
    fuzzy_match: 2.11,
    ambiguous_place: 2.54,
    ocr_unsure: 2.2,
    schema_error: 4,
    check_failed: 2.6,
    row_missing: 1,
    row_duplicate: 2.5,
    text_cut: 0.8,
    differs_from_second_read: 3.2,
    conflicting_values: 2.8,
    unusual: 2.6,
    model_unsure: 2,
  },
};

/** The order of the parameters in a vector; the first is the bias. */
const names = ['is_empty', ...reviewReason.options] as const;

/**
 * The probability that a value is wrong.
 *
 * @example predictRisk(defaultModel, { isEmpty: false, match: 'exact' }) // about 0.02
 */
export function predictRisk(model: RiskModel, signals: ValueSignals): number {
  return sigmoid(dot(vectorOf(model), rowOf(signals)));
}

/**
 * Fits the weights to verified values, drawn towards the defaults where there are few: a logistic regression with a
 * Gaussian prior around `prior`, by Newton's method. Costs about 2 ms for each thousand values.
 */
export function fitModel(values: readonly LabelledValue[], prior: RiskModel = defaultModel): RiskModel {
  const center = vectorOf(prior);
  const rows = values.map(({ signals }) => rowOf(signals));
  const labels = values.map(({ isWrong }) => (isWrong ? 1 : 0));
  let parameters = [...center];
  for (let round = 0; round < 25; round++) {
    const { gradient, hessian } = derivatives(rows, labels, parameters, center);
    const step = solve(hessian, gradient);
    parameters = parameters.map((parameter, index) => parameter - limit(step[index]!));
    if (step.every((change) => Math.abs(change) < 1e-6)) break;
  }
  return modelOf(parameters);
}

/**
 * How well a fitted model would do on documents that it has not seen: five parts, each measured with a model fitted to
 * the other four. With `model`, that model is measured as it is.
 */
export function measureModel(values: readonly LabelledValue[], model?: RiskModel): Measurement {
  const risks =
    model === undefined ? crossValidatedRisks(values) : values.map(({ signals }) => predictRisk(model, signals));
  const predicted = values.map(({ isWrong }, index) => ({ isWrong, risk: risks[index]! }));
  return { verified_values: values.length, error: calibrationError(predicted), auroc: auroc(predicted) };
}

const parts = 5;

function crossValidatedRisks(values: readonly LabelledValue[]): number[] {
  const documents = [...new Set(values.map(({ documentId }) => documentId))];
  const partOf = new Map(documents.map((documentId, index) => [documentId, index % parts]));
  const models = Array.from({ length: parts }, (_, part) =>
    fitModel(values.filter(({ documentId }) => partOf.get(documentId) !== part)),
  );
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

/** By the rank sum; equal risks share their ranks. */
function auroc(predicted: readonly Predicted[]): number | null {
  const wrong = predicted.filter(({ isWrong }) => isWrong).length;
  const right = predicted.length - wrong;
  if (wrong === 0 || right === 0) return null;
  const sorted = predicted.toSorted((a, b) => a.risk - b.risk);
  let rankSum = 0;
  for (let start = 0; start < sorted.length;) {
    let end = start;
    while (end < sorted.length && sorted[end]!.risk === sorted[start]!.risk) end++;
    const rank = (start + 1 + end) / 2;
    rankSum += rank * sorted.slice(start, end).filter(({ isWrong }) => isWrong).length;
    start = end;
  }
  return (rankSum - (wrong * (wrong + 1)) / 2) / (wrong * right);
}

/** How strongly parameters are drawn to the defaults; the bias, which says how often values are wrong, is nearly free. */
const priorPrecision = 0.5;
const biasPrecision = 0.05;

function derivatives(
  rows: readonly (readonly number[])[],
  labels: readonly number[],
  parameters: readonly number[],
  center: readonly number[],
): { gradient: number[]; hessian: number[][] } {
  const size = parameters.length;
  const precision = (index: number) => (index === 0 ? biasPrecision : priorPrecision);
  const gradient = parameters.map((parameter, index) => precision(index) * (parameter - center[index]!));
  const hessian = parameters.map((_, row) => parameters.map((_, column) => (row === column ? precision(row) : 0)));
  for (const [index, row] of rows.entries()) {
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
  return [1, ...names.map((name) => features[name])];
}

function vectorOf({ bias, weights }: RiskModel): number[] {
  return [bias, ...names.map((name) => weights[name])];
}

function modelOf([bias = 0, ...weights]: readonly number[]): RiskModel {
  return { bias, weights: Object.fromEntries(names.map((name, index) => [name, weights[index]!])) as Features };
}

/** Newton steps far from the solution can overshoot. */
function limit(step: number): number {
  return Math.min(2, Math.max(-2, step));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
