import { describe, expect, it } from 'vitest';
import {
  dayAsIso,
  editableNumber,
  formatAmount,
  formatClock,
  formatDay,
  formatMonth,
  formatNumber,
  isAmount,
  parseNumber,
} from './locale.ts';

describe('a typed number', () => {
  it.each([
    ['18,09', 'de', 18.09],
    ['18.09', 'de', 18.09],
    ['1.234,50', 'de', 1234.5],
    ['1.234', 'de', 1234],
    ['-1.234.567', 'de', -1_234_567],
    ['18.09', 'en', 18.09],
    ['18,09', 'en', 18.09],
    ['1,234.50', 'en', 1234.5],
    ['1,234', 'en', 1234],
    ['1234.50', 'en', 1234.5],
    ["1'234.50", 'de-CH', 1234.5],
    ['1 234,50', 'fr', 1234.5],
    ['.5', 'en', 0.5],
    ['1e3', 'en', 1000],
    ['−5', 'en', -5],
  ])('%s in %s is %d', (text, locale, value) => {
    expect(parseNumber(text, locale)).toBe(value);
  });

  it.each(['', 'abc', '1,2,3', '1.2.3', '12,34.56.7', '1,23,456.7', '--5', '5 EUR', '1.234,5.6'])(
    '%s is rejected',
    (text) => {
      expect(parseNumber(text, 'en')).toBeUndefined();
      expect(parseNumber(text, 'de')).toBeUndefined();
    },
  );

  it('keeps every digit when formatted for editing and parsed again', () => {
    for (const value of [18.09, -0.1, 1_234_567.891, 0]) {
      for (const locale of ['de', 'en', 'fr']) expect(parseNumber(editableNumber(value, locale), locale)).toBe(value);
    }
  });
});

it('formats amounts with two decimals, other numbers with the decimals they have', () => {
  expect([formatAmount(100, 'en'), formatAmount(16.9, 'de'), formatAmount(1234.5, 'de')]).toEqual([
    '100.00',
    '16,90',
    '1.234,50',
  ]);
  expect([formatNumber(2026, 'en'), formatNumber(0.125, 'de')]).toEqual(['2026', '0,125']);
});

it('recognizes amounts by their names', () => {
  expect(['total_amount', 'unitPrice', 'Net', 'vat', 'amount_due'].every(isAmount)).toBe(true);
  expect(['quantity', 'vat_rate', 'total_count', 'tax_number', 'year', 'planet', 'credit_days'].some(isAmount)).toBe(
    false,
  );
});

it('formats dates and times in the locale', () => {
  expect([formatDay('2026-01-31', 'de'), formatDay('2026-02-31', 'de'), formatDay('soon', 'de')]).toEqual([
    '31.01.2026',
    '2026-02-31',
    'soon',
  ]);
  expect([formatMonth('2026-01', 'de'), formatMonth('2026-13', 'de')]).toEqual(['Januar 2026', '2026-13']);
  expect([formatClock(13, 7, 'de'), formatClock(13, 7, 'en-US').replace(/\s/u, ' ')]).toEqual(['13:07', '1:07 PM']);
});

it.each([
  ['12/31/2019', 'en-US', '2019-12-31'],
  ['31/12/2019', 'en-US', '2019-12-31'],
  ['3/4/2019', 'en-US', '2019-03-04'],
  ['3/4/2019', 'en-GB', '2019-04-03'],
  ['3.4.2019', 'de', '2019-04-03'],
  ['3.4.2019', 'en-US', '2019-04-03'],
  ['03-04-2019', 'nl', '2019-04-03'],
  ['Dec 5, 2019', 'en-US', '2019-12-05'],
  ['december 5 2019', 'en-US', '2019-12-05'],
  ['5. März 2019', 'de', '2019-03-05'],
  ['30/02/2019', 'en-GB', undefined],
  ['13/13/2019', 'en-US', undefined],
  ['1/2/19', 'en-US', undefined],
  ['2019', 'en-US', undefined],
  ['Dec 5, 2019 or later', 'en-US', undefined],
  ['soon', 'en-US', undefined],
])('the typed day %s is in %s %s', (text, locale, iso) => expect(dayAsIso(text, locale)).toBe(iso));
