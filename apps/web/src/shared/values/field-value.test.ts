import { expect, it } from 'vitest';
import { formatDay } from '../formats/locale.ts';
import { formatValue, parseValue, wrapClass } from './field-value.ts';
import { shapeOf } from './field-shape.ts';

const shown = (value: string, schema: Record<string, unknown>) =>
  formatValue({ value, shape: shapeOf(schema, value), path: 'due_date' });

it('shows days in the locale, whether or not the schema calls them dates; choices and other text stay as they are', () => {
  const day = formatDay('2013-07-04');
  expect(day).not.toBe('2013-07-04');
  expect(shown('2013-07-04', { type: 'string', format: 'date' })).toBe(day);
  expect(shown('2013-07-04', { type: ['string', 'null'] })).toBe(day);
  expect(shown('2013-07-04', { type: 'string', enum: ['2013-07-04'] })).toBe('2013-07-04');
  expect(shown('Order 2013-07-04', { type: 'string' })).toBe('Order 2013-07-04');
  expect(shown('2013-02-31', { type: 'string' })).toBe('2013-02-31');
});

it('stores a day typed as pages show it like the extracted ones', () => {
  const typed = (text: string, schema: Record<string, unknown>, before: string | null = null) =>
    parseValue(text, shapeOf(schema, before));
  const stored = { ok: true, value: '2019-12-31' };
  const shownDay = formatDay('2019-12-31');
  expect(typed(shownDay, { type: 'string', format: 'date' })).toEqual(stored);
  expect(typed(shownDay, { type: ['string', 'null'], description: 'Due date, ISO 8601 (YYYY-MM-DD)' })).toEqual(stored);
  expect(typed(shownDay, { type: 'string' }, '2019-12-15')).toEqual(stored);
  expect(typed(shownDay, { type: 'string' }, 'on demand')).toEqual({ ok: true, value: shownDay });
  expect(typed('on demand', { type: 'string' }, '2019-12-15')).toEqual({ ok: true, value: 'on demand' });
});

it('keeps every digit of a typed number', () => {
  const shape = { type: 'number', nullable: true } as const;
  const typed = (text: string) => parseValue(text, shape);
  expect(typed('12 345 678 901 234 567 890')).toEqual({ ok: true, value: '12345678901234567890' });
  expect(typed('-0.12345678901234567891')).toEqual({ ok: true, value: '-0.12345678901234567891' });
  expect(['+007', '.5', '5.', '1e3'].map((text) => typed(text))).toEqual(
    [7, 0.5, 5, 1000].map((value) => ({ ok: true, value })),
  );
});

it.each(['1,689.80', '1,689.80 EUR', '−1 689,80 €', '2026-12-01', '1 December 2026', 'INV-1042', '+49 89 1234-56'])(
  'does not break %s over two lines',
  (text) => expect(wrapClass(text)).toBe('whitespace-nowrap'),
);

it.each(['Contoso Ltd', 'Main Street 12', '12 boxes of paper, A4', `DE${'0123456789'.repeat(3)}`])(
  'breaks %s where it must',
  (text) => expect(wrapClass(text)).toContain('wrap-anywhere'),
);
