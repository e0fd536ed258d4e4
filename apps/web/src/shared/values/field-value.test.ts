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
