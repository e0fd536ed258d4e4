import { reviewReason, type ReviewReason } from '@docwright/contract';
import { logOdds } from './misreading.ts';

/** Observations about one value. An absent signal counts as unsuspicious. */
export interface ValueSignals {
  /** Whether the value is null, absent or `''`. */
  readonly isEmpty: boolean;
  /** How the value was found on the pages, as in groundings. */
  readonly match?: 'exact' | 'normalized' | 'fuzzy' | 'none';
  /** Number of places on the pages with its text. */
  readonly places?: number;
  /** Whether another field has the same place on the page. */
  readonly sharesPlace?: boolean;
  /**
   * The probability that one of its words was misread, 0 to 1, if they were recognised from an image by a known engine; for a value that
   * is empty, the share of misread words on the pages, if it is high.
   */
  readonly misreading?: number;
  /** The lowest confidence of its words, 0 to 1, if it is not known which engine recognised them. */
  readonly ocrConfidence?: number;
  /** Whether the schema refuses the value. */
  readonly hasSchemaError?: boolean;
  /** The highest severity of the failed checks that name its field. */
  readonly failedCheck?: 'error' | 'warning';
  /** Whether a row is missing after the value. */
  readonly rowMissing?: boolean;
  /** Whether its row was read twice. */
  readonly rowDuplicate?: boolean;
  /** Whether text that could hold the value was in no request to the model. */
  readonly textCut?: boolean;
  /** Whether a second extraction found another value. */
  readonly differsFromSecondRead?: boolean;
  /** Whether parts of a long document have different values. */
  readonly hasConflict?: boolean;
  /** From `unusualness`, 0 to 1. */
  readonly unusualness?: number;
  /** 1 minus the lowest probability of its tokens; 1 if the model marked the value as uncertain. 0 to 1. */
  readonly modelDoubt?: number;
  /** How much speaks for a value where none is: the page has its label, or verified results usually have it. 0 to 1. */
  readonly expectation?: number;
  /** Whether a part of a page could not be read. It counts for values that are empty or not on the pages. */
  readonly nearUnread?: boolean;
  /** Whether the label beside it is that of its field; absent if labels say nothing. */
  readonly label?: 'own' | 'other';
  /** Whether the document says the same for machines; absent if it says nothing. */
  readonly embedded?: 'agrees' | 'differs';
}

/** The inputs of the risk model: the strength of each reason, 0 to 1, and 1 for an empty value. */
export type Features = Readonly<Record<ReviewReason | 'is_empty', number>>;

/** A weaker reason is not shown to users. */
const minReasonStrength = 0.25;

/** A value that is less probably misread is not shown as unsure. */
const minMisreading = 0.09;

/** Words of a good scan have a higher confidence. */
const sureConfidence = 0.92;
const unreadableConfidence = 0.5;

export function featuresOf(signals: ValueSignals): Features {
  const { isEmpty, match, places = 1 } = signals;
  const isFilled = !isEmpty;
  return {
    is_empty: isEmpty ? 1 : 0,
    not_found: isFilled && match === 'none' ? 1 : 0,
    fuzzy_match: isFilled && match === 'fuzzy' ? 1 : 0,
    // Its own label says which of the places it is.
    ambiguous_place:
      isFilled && signals.label !== 'own' ? Math.max(signals.sharesPlace ? 0.6 : 0, clamp((places - 1) / 3)) : 0,
    ocr_unsure: unsureReading(signals),
    schema_error: signals.hasSchemaError ? 1 : 0,
    check_failed: signals.failedCheck === 'error' ? 1 : signals.failedCheck === 'warning' ? 0.5 : 0,
    row_missing: signals.rowMissing ? 1 : 0,
    row_duplicate: signals.rowDuplicate ? 1 : 0,
    text_cut: signals.textCut ? 1 : 0,
    differs_from_second_read: signals.differsFromSecondRead ? 1 : 0,
    conflicting_values: signals.hasConflict ? 1 : 0,
    unusual: isFilled ? clamp(signals.unusualness ?? 0) : 0,
    model_unsure: clamp(signals.modelDoubt ?? 0),
    near_unread: signals.nearUnread && (isEmpty || match === 'none') ? 1 : 0,
    agrees_with_embedded: signals.embedded === 'agrees' ? 1 : 0,
    differs_from_embedded: signals.embedded === 'differs' ? 1 : 0,
    other_label: isFilled && signals.label === 'other' ? 1 : 0,
    // An empty value is unusual if verified results usually have one.
    expected_but_missing: isEmpty ? clamp(Math.max(signals.expectation ?? 0, signals.unusualness ?? 0)) : 0,
  };
}

/**
 * With a known engine the default weights give about the probability of a misreading: their log-odds rise by 4.2 from those of a
 * value without a reason.
 */
function unsureReading({ isEmpty, misreading, ocrConfidence = 1 }: ValueSignals): number {
  if (misreading === undefined)
    return isEmpty ? 0 : clamp((sureConfidence - ocrConfidence) / (sureConfidence - unreadableConfidence));
  const risk = usualRisk + (1 - usualRisk) * Math.min(0.99, misreading);
  return clamp((logOdds(risk) - logOdds(usualRisk)) / unreadableLogOdds);
}

/** The risk of a value without a reason, and what an unreadable one adds to its log-odds, with the default weights. */
const [usualRisk, unreadableLogOdds] = [0.0115, 4.2];

/**
 * The reasons to review a value, in the order of `reviewReason` in the contract.
 *
 * @example
 * ```ts
 * import { reasonsOf } from '@docwright/review';
 *
 * reasonsOf({ isEmpty: false, match: 'none', ocrConfidence: 0.6 }); // ['not_found', 'ocr_unsure']
 * ```
 */
export function reasonsOf(signals: ValueSignals): ReviewReason[] {
  const features = featuresOf(signals);
  const isReadSurely = signals.misreading !== undefined && signals.misreading < minMisreading;
  return reviewReason.options.filter(
    (reason) => features[reason] >= minReasonStrength && !(reason === 'ocr_unsure' && isReadSurely),
  );
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
