import { createHash } from 'node:crypto';
import type { Extraction, ReviewPolicy, ValueReview } from '@docwright/contract';
import { reviewSteps, type ReviewedValue } from '@docwright/review';
import { eachInSteps, inTurns } from '../../platform/long-values/in-turns.ts';
import type { ReviewFacts } from './review-facts.ts';
import type { LearnedRisk } from './risk-model-repository.ts';

/** The risk model and the review policy of a prompt. */
export interface ReviewRules extends LearnedRisk {
  policy: ReviewPolicy | null;
}

type Reviewed = Pick<Extraction, 'document_id' | 'result' | 'original_result' | 'is_verified'>;

/** The values of a result with risk and state, computed between turns of other work. */
export async function reviewedValues(
  { document_id, result, original_result, is_verified }: Reviewed,
  { signals, decisions, unseen = [] }: ReviewFacts,
  { model, profiles, policy }: ReviewRules,
): Promise<ReviewedValue[]> {
  const acceptBelow = policy === null || isSampled(document_id, policy.sample) ? 0 : policy.confirm_below;
  // Every value of a sampled document is to check, which keeps the measurement honest.
  const steps = reviewSteps({
    result,
    originalResult: original_result,
    isVerified: is_verified,
    signals,
    decisions,
    model,
    profiles,
    acceptBelow,
    ...(policy !== null && { checkFrom: acceptBelow }),
    unseen,
  });
  return await inTurns(steps);
}

/** Whether a document is in the sample. It is decided by a digest of its id, so that the answer is always the same. */
export function isSampled(documentId: string, share: number): boolean {
  const number = createHash('sha256').update(documentId.toLowerCase()).digest().readUIntBE(0, 6);
  return number / 2 ** 48 < share;
}

/** The machine-readable value, for a value that differs from it. */
export function embeddedOf(
  { signals, embedded_values }: ReviewFacts,
  path: string,
): Pick<ValueReview, 'embedded_value'> {
  if (signals[path]?.embedded !== 'differs') return {};
  return { embedded_value: embedded_values?.[path] ?? null };
}

/** The review fields of an extraction in the API. */
export async function presentReview(
  extraction: Reviewed,
  facts: ReviewFacts,
  rules: ReviewRules,
): Promise<Required<Pick<Extraction, 'review' | 'calibration'>>> {
  const second = facts.second_values ?? {};
  const review: Record<string, ValueReview> = {};
  const present = ({ path, risk, reasons, state, toCheck, isUnseen }: ReviewedValue): void => {
    review[path] = {
      risk,
      reasons: [...reasons],
      state,
      to_check: toCheck,
      ...(state === 'confirmed' && { confirmed: isUnseen ? ('unseen' as const) : ('seen' as const) }),
      ...(second[path] !== undefined && { second_value: second[path] as ValueReview['second_value'] }),
      ...embeddedOf(facts, path),
    };
  };
  await inTurns(eachInSteps(await reviewedValues(extraction, facts, rules), present));
  return { review, calibration: rules.calibration };
}
