import type { ReviewItem, ReviewReason } from '@docwright/contract';

/** A sentence for each reason that its chip does not explain. */
const sentences: Partial<Record<ReviewReason, string>> = {
  unusual: 'Verified values of this field look different.',
  model_unsure: 'The model gave this value a low probability.',
  ocr_unsure: 'The scan is hard to read here.',
  schema_error: 'It does not fit the schema.',
  row_missing: 'The document has more rows than the result.',
  row_duplicate: 'The same row is in the result twice.',
  text_cut: 'The text continues after the part that was read.',
  expected_but_missing: 'The page seems to have it, or documents like this one usually do.',
  near_unread: 'A part of a page could not be read; it can stand there.',
  conflicting_values: 'Two parts of the document have different values.',
};

const maxSentences = 2;

/**
 * Explains why the current value should be checked; empty if the chips explain it.
 *
 * @param other The formatted value for machines or, without one that differs, of the second read; empty for none. Undefined if
 * both say the same.
 */
export function reviewExplanation(
  { reasons, grounding }: Pick<ReviewItem, 'reasons' | 'grounding'>,
  other?: string,
): string {
  const explanations = reasons.flatMap((reason): string[] => {
    if (reason === 'differs_from_embedded' && other !== undefined) {
      return [other === '' ? 'The data for machines has no such row.' : `The data for machines says ${other}.`];
    }
    const isOfSecondRead = reason === 'differs_from_second_read' && !reasons.includes('differs_from_embedded');
    if (isOfSecondRead && other !== undefined) {
      return [other === '' ? 'The second read found no value.' : `The second read found ${other}.`];
    }
    if (reason === 'fuzzy_match' && grounding?.quote) return [`The page has “${grounding.quote}”.`];
    return sentences[reason] === undefined ? [] : [sentences[reason]];
  });
  return explanations.slice(0, maxSentences).join(' ');
}
