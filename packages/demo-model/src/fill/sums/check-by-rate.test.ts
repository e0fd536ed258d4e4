import { expect, it } from 'vitest';
import { documentOf } from '../../page/document-text.ts';
import { fillSchema } from '../fill-schema.ts';

const number = { type: ['number', 'null'] };

function sums(...lines: readonly string[]): unknown {
  const properties = { subtotal: number, tax_amount: number, total: number };
  return fillSchema({ type: 'object', properties }, documentOf('page', [{ page: 1, text: lines.join('\n') }])).value;
}

it('corrects the net, tax or gross that does not fit the tax rate', () => {
  const right = { subtotal: 650.02, tax_amount: 130, total: 780.02 };
  expect(sums('Subtotal      650.02', 'VAT 20 %      130.00', 'Total         780.02')).toEqual(right);
  expect(sums('Subtotal      550.02', 'VAT 20 %      130.00', 'Total         780.02')).toEqual(right);
  expect(sums('Subtotal      650.02', 'VAT 20 %      180.00', 'Total         780.02')).toEqual(right);
  expect(sums('Subtotal      650.02', 'VAT 20 %      130.00', 'Total         730.02')).toEqual(right);
});

it('restores the lost point of a net amount that fits the tax rate', () => {
  expect(sums('Subtotal      304259', 'VAT 10 %      304.26')).toMatchObject({ subtotal: 3042.59, tax_amount: 304.26 });
});

it('leaves out an unexplained tax, and keeps a gross amount that includes a fee', () => {
  expect(sums('Subtotal      100.00', 'VAT 20 %      33.17', 'Total         120.00')).toEqual({
    subtotal: 100,
    tax_amount: null,
    total: 120,
  });
  expect(sums('Subtotal      100.00', 'VAT 20 %      20.00', 'Total         134.90')).toMatchObject({ total: 134.9 });
});
