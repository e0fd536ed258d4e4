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

it.each([
  ['hourly_rate', 95, 'Hourly rate: 95.00\nDiscount 95 %', /^95\.00$/],
  ['rate', 50, 'Item    Qty  Rate   Amount\nDesign  2    50.00  100.00\nDeposit 50 %', /^50\.00$/],
  ['exchange_rate', 19, 'Exchange rate 19.00\nVAT 19 %', /^19\.00$/],
  ['share_price', 20, 'Price per share EUR 20.00\nDiscount 20 % of price', /20\.00$/],
  ['rate_amount', 20, 'Discount 20 %\nRate 20.00', /20\.00$/],
])('places a rate or a share that is no percentage at an amount: %s', (name, value, text, quote) => {
  expect(groundAtOnce({ [name]: value }, [pageOf(text)])[name]?.quote).toMatch(quote);
});

it.each([
  'tax_rate',
  'discountRate',
  'rate_of_interest',
  'taux_tva',
  'tax_share',
  'total_vat_rate',
  'steuersatz',
  'pct',
])('places a percentage at one: %s', (name) => {
  const page = pageOf('Amount 20.00\nof which 20%');
  expect(groundAtOnce({ [name]: 20 }, [page])[name]?.quote).not.toMatch(/\.00$/);
});

it.each([
  ['vat_breakdown', /%$/],
  ['taxes', /%$/],
  ['line_items', /\.00$/],
])('places the rate of what its object names: %s', (list, quote) => {
  const grounded = groundAtOnce({ [list]: [{ rate: 20 }] }, [pageOf('Amount 20.00\nof which 20%')]);
  expect(grounded[`${list}.0.rate`]?.quote).toMatch(quote);
});

it('places a value without another name as the object around it says', () => {
  const grounded = groundAtOnce({ tax: { value: 0 } }, [pageOf('Tax (0 %)  $0.00')]);
  expect(grounded['tax.value']?.quote).toBe('$0.00');
});

it.each([
  'mwst',
  'umsatzsteuer',
  'MwSt-Betrag',
  'steuerbetrag',
  'iva',
  'imposta',
  'impuesto',
  'tva',
  'btw',
  'momsbelopp',
])('places an amount at none under a name of another language: %s', (name) => {
  for (const tax of ['(0 %)  0,00', '(20 %)  20,00']) {
    const value = tax.startsWith('(0') ? 0 : 20;
    const page = pageOf(`Summe 100,00\n${name} ${tax}`);
    expect(groundAtOnce({ [name]: value }, [page])[name]?.quote).toMatch(/,00$/);
  }
});

it('places a rate of them at a percentage', () => {
  for (const name of ['mwst_satz', 'mwstSatz', 'umsatzsteuersatz', 'taux_tva', 'iva_percent']) {
    const page = pageOf('MwSt. (20 %)  20,00');
    expect(groundAtOnce({ [name]: 20 }, [page])[name]?.quote).not.toMatch(/,00$/);
  }
});
