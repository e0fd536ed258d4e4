import { expect, it } from 'vitest';
import { stateLabel } from './document-state-labels.ts';

it('names the page that is being read', () => {
  const ocr = (pages_done: number) =>
    stateLabel({ state: 'ocr_processing', ocr: { pages_done, page_count: 12 } }).label;
  expect([ocr(2), ocr(12)]).toEqual(['Reading page 3 of 12', 'Reading page 12 of 12']);
  expect(stateLabel({ state: 'ocr_processing' }).label).toBe('Reading pages');
});
