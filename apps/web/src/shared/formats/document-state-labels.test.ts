import { expect, it } from 'vitest';
import { incompleteReason, stateLabel } from './document-state-labels.ts';

it('names the page in recognition', () => {
  const ocr = (pages_done: number) =>
    stateLabel({ state: 'ocr_processing', ocr: { pages_done, page_count: 12 } }).label;
  expect([ocr(2), ocr(12)]).toEqual(['Reading page 3 of 12', 'Reading page 12 of 12']);
  expect(stateLabel({ state: 'ocr_processing' }).label).toBe('Reading pages');
});

it('labels a document with an incomplete result as incomplete', () => {
  const incomplete_results = { count: 1, codes: ['rows_missing' as const, 'piece_failed' as const] };
  expect(stateLabel({ state: 'llm_completed' }).label).toBe('Extracted');
  expect(stateLabel({ state: 'llm_completed', incomplete_results })).toEqual({ label: 'Incomplete', tone: 'warn' });
  expect(stateLabel({ state: 'llm_processing', incomplete_results }).label).toBe('Extracting');
  expect(incompleteReason(incomplete_results)).toBe(
    'A result is incomplete: rows are missing, pages could not be read.',
  );
});
