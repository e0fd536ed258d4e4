import type { ReviewItem, ReviewReason } from '@docwright/contract';

/** What speaks against a value, in a sentence for each reason that a chip alone does not explain. */
const sentences: Partial<Record<ReviewReason, string>> = {
  unusual: 'Verified values of this field look different.',
  model_unsure: 'The model gave this value a low probability.',
  ocr_unsure: 'The scan is hard to read here.',
  schema_error: 'It does not fit the schema.',
  row_missing: 'The document has more rows than the result.',
  row_duplicate: 'The same row is in the result twice.',
  text_cut: 'The text goes on after what was read.',
  conflicting_values: 'Two parts of the document have different values.',
};

const maxSentences = 2;

/**
 * Why the current value is worth a look; empty where the chips say it all.
 *
 * @param second What the second read found, as it is shown; undefined where it found the same.
 */
export function whyLook({ reasons, grounding }: Pick<ReviewItem, 'reasons' | 'grounding'>, second?: string): string {
  const told = reasons.flatMap((reason): string[] => {
    if (reason === 'differs_from_second_read' && second !== undefined) {
      return [second === '' ? 'The second read found no value.' : `The second read found ${second}.`];
    }
    if (reason === 'fuzzy_match' && grounding?.quote) return [`The page has “${grounding.quote}”.`];
    return sentences[reason] === undefined ? [] : [sentences[reason]];
  });
  return told.slice(0, maxSentences).join(' ');
}
