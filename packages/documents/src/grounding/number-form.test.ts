import { expect, it } from 'vitest';
import { groundAtOnce } from '../testing/ground-at-once.ts';
import { pageOf } from '../testing/grid-page.ts';

it.each([
  ['Tax 0%  0.00', 'Tax (0 %)  $0.00'],
  ['VAT 20 %  20.00', 'Tax 20%  20.00'],
  ['MwSt. 7 %  7,00', 'VAT (7%)  EUR 7.00'],
])('places an amount at no percentage: %s', (...lines) => {
  for (const line of lines) {
    const page = pageOf(`Net 100.00\n${line}\nRate 20% 7% 0%`);
    const value = Number(/(\d+)[.,]00$/.exec(line)?.[1]);
    const grounded = groundAtOnce({ tax_amount: value, vat_rate: value }, [page]);
    expect(grounded['tax_amount']?.quote).toMatch(/[.,]00$/);
    expect(grounded['vat_rate']?.quote).not.toMatch(/[.,]00$/);
  }
});

it('places an amount at one, and a count at a count', () => {
  const page = pageOf('Items: 3 total\nAmount 3.00\n\nTotal 3 items 3.00');
  const grounded = groundAtOnce({ total_amount: 3, item_count: 3 }, [page]);
  expect([grounded['total_amount']?.quote, grounded['item_count']?.quote]).toEqual(['3.00', '3']);
});
