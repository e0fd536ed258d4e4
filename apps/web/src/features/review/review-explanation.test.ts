import { expect, it } from 'vitest';
import { reviewExplanation } from './review-explanation.ts';

const grounding = { page_num: 1, quote: '1O402', boxes: [], match: 'fuzzy' as const };

it('quotes the second read and the page, in at most two sentences', () => {
  expect(reviewExplanation({ reasons: ['differs_from_second_read'], grounding: null }, '173.00')).toBe(
    'The second read found 173.00.',
  );
  expect(reviewExplanation({ reasons: ['differs_from_second_read'], grounding: null }, '')).toBe(
    'The second read found no value.',
  );
  expect(reviewExplanation({ reasons: ['fuzzy_match', 'unusual', 'text_cut'], grounding })).toBe(
    'The page has “1O402”. Verified values of this field look different.',
  );
});

it('says what the data for machines says, before the second read', () => {
  const reasons = ['differs_from_second_read', 'differs_from_embedded'] as const;
  expect(reviewExplanation({ reasons: [...reasons], grounding: null }, '2,380.00')).toBe(
    'The data for machines says 2,380.00.',
  );
  expect(reviewExplanation({ reasons: ['differs_from_embedded'], grounding: null }, '')).toBe(
    'The data for machines has no such row.',
  );
});

it('is empty if the chips explain the reasons', () => {
  expect(reviewExplanation({ reasons: ['not_found', 'check_failed'], grounding: null })).toBe('');
});
