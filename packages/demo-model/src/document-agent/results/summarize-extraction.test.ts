import { expect, it } from 'vitest';
import { summarizeExtraction } from './summarize-extraction.ts';

it('reports before the values that a result is incomplete, and why', () => {
  const incomplete = [{ code: 'rows_missing', path: 'line_items', message: '500 rows on the pages, 19 in the result' }];
  const result = { line_items: [{ amount: 5 }] };
  expect(summarizeExtraction({ is_complete: false, incomplete, result })).toMatch(
    /^\*\*This result is incomplete\.\*\*\n- 500 rows on the pages, 19 in the result\n\nFound:\n- \*\*line items\*\*: 1 row/u,
  );
});

it('lists only the values of a complete result', () => {
  expect(summarizeExtraction({ result: { total: 5 } })).toBe('Found:\n- **total**: 5');
});

it('says which values are not on the pages, and which in several places, without counting them as values to check', () => {
  const summary = summarizeExtraction({ result: { total: 5, iban: 'X' }, not_found: ['iban'], ambiguous: ['total'] });
  expect(summary).toContain('These values are not on the pages: iban.');
  expect(summary).toContain('These values are in several places: total.');
  expect(summary).not.toContain('check');
});
