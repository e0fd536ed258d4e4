import { reviewReason, type ReviewReason } from '@docwright/contract';

/** What is known about one value. Everything that is left out is unknown, and counts as unsuspicious. */
export interface ValueSignals {
  /** Null, absent or `""`. */
  readonly isEmpty: boolean;
  /** How the value was found on the pages. */
  readonly match?: 'exact' | 'normalized' | 'fuzzy' | 'none';
  /** At how many places of the pages its text stands. */
  readonly places?: number;
  /** Another field was given the same place on the page. */
  readonly sharesPlace?: boolean;
  /** The lowest confidence of its words where they were recognised from an image, 0 to 1. */
  readonly ocrConfidence?: number;
  readonly hasSchemaError?: boolean;
  /** The gravest of the failed checks that name its field. */
  readonly failedCheck?: 'error' | 'warning';
  readonly rowMissing?: boolean;
  readonly rowDuplicate?: boolean;
  readonly textCut?: boolean;
  readonly differsFromSecondRead?: boolean;
  readonly hasConflict?: boolean;
  /** From `unusualness`, 0 to 1. */
  readonly unusualness?: number;
  /** 1 minus the lowest probability of its tokens, or 1 where the model named the path as uncertain. */
  readonly modelDoubt?: number;
}

/** What the risk model multiplies with its weights: a strength from 0 to 1 for each reason, and whether the value is empty. */
export type Features = Readonly<Record<ReviewReason | 'is_empty', number>>;

/** Strengths below this are no reason to name to a person. */
const minReasonStrength = 0.25;

/** Words of a good scan are recognised with more confidence than this. */
const sureConfidence = 0.92;
const unreadableConfidence = 0.5;

export function featuresOf(signals: ValueSignals): Features {
  const { isEmpty, match, places = 1, ocrConfidence = 1 } = signals;
  const isFilled = !isEmpty;
  return {
    is_empty: isEmpty ? 1 : 0,
    not_found: isFilled && match === 'none' ? 1 : 0,
    fuzzy_match: isFilled && match === 'fuzzy' ? 1 : 0,
    ambiguous_place: isFilled ? Math.max(signals.sharesPlace ? 0.6 : 0, clamp((places - 1) / 3)) : 0,
    ocr_unsure: isFilled ? clamp((sureConfidence - ocrConfidence) / (sureConfidence - unreadableConfidence)) : 0,
    schema_error: signals.hasSchemaError ? 1 : 0,
    check_failed: signals.failedCheck === 'error' ? 1 : signals.failedCheck === 'warning' ? 0.5 : 0,
    row_missing: signals.rowMissing ? 1 : 0,
    row_duplicate: signals.rowDuplicate ? 1 : 0,
    text_cut: signals.textCut ? 1 : 0,
    differs_from_second_read: signals.differsFromSecondRead ? 1 : 0,
    conflicting_values: signals.hasConflict ? 1 : 0,
    unusual: clamp(signals.unusualness ?? 0),
    model_unsure: clamp(signals.modelDoubt ?? 0),
  };
}

/**
 * The reasons to look at a value, in the order of `reviewReason` of the contract.
 *
 * @example reasonsOf({ isEmpty: false, match: 'none', ocrConfidence: 0.6 }) // ['not_found', 'ocr_unsure']
 */
export function reasonsOf(signals: ValueSignals): ReviewReason[] {
  const features = featuresOf(signals);
  return reviewReason.options.filter((reason) => features[reason] >= minReasonStrength);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
