import { expect, it } from 'vitest';
import { checkAtOnce } from './testing/check-at-once.ts';
import type { Evidence } from './evidence.ts';

// Sentences as a strong model wrote them about leases and invoices, and lies with the same words.
const lease = (city: string, unit: number, rules: string) =>
  `Lease agreement, ${city}, unit ${unit}\n\n1. The lease begins on 1 March 2026 and ends on 28 February 2027.\n${rules}\n3. The tenant pays a deposit of two monthly rents.\n4. Pets are not allowed.\n5. The tenant insures the contents of the unit.\n`;
const renews = '2. The lease renews for one year unless a party gives notice 6 months before it ends.';
const passage = (id: string, document_id: string, text: string): Evidence => ({
  kind: 'passage',
  id,
  document_id,
  page_num: 1,
  text,
});
const cell = (id: string, document_id: string, path: string, value: unknown, currency?: string): Evidence => ({
  kind: 'cell',
  id,
  document_id,
  path,
  value,
  currency,
});
const evidence: Evidence[] = [
  passage('p5', 'd5', `${lease('Gdansk', 5, renews)}6. Subletting is not allowed.`),
  passage('p15', 'd15', `${lease('Gdansk', 15, renews)}6. Subletting is not allowed.`),
  passage('p4', 'd4', `${lease('Graz', 4, renews)}6. Subletting is allowed for at most two months a year.`),
  cell('n1', 'i1', 'invoice_number', 'INV-2604'),
  cell('n2', 'i2', 'invoice_number', 'INV-2613'),
  cell('n3', 'i3', 'invoice_number', 'INV-2622'),
  cell('d1', 'i1', 'invoice_date', '2026-10-01'),
  cell('t1', 'i1', 'total', 7106.63, 'USD'),
  cell('t3', 'i3', 'total', 500, 'EUR'),
  {
    kind: 'aggregate',
    id: 'sum',
    op: 'sum',
    path: 'vat',
    value: 2204.55,
    currency: 'GBP',
    cells: ['i1', 'i2', 'i3'].map((document_id) => ({ document_id, value: 1 })),
    without_value: 3,
  },
  { kind: 'aggregate', id: 'one', op: 'count', path: 'total', value: 1, cells: [{ document_id: 'i1', value: 500 }] },
];
const documents = [
  ...[4, 5, 15].map((unit) => ({ id: `d${unit}`, name: `lease-${unit}.txt`, names: [] })),
  { id: 'i1', name: 'a.txt', names: ['INV-2604', 'Adatum Corporation'] },
  { id: 'i2', name: 'b.txt', names: ['INV-2613', 'Adatum Corporation'] },
  { id: 'i3', name: 'c.txt', names: ['INV-2622', 'Adatum Corporation'] },
];

const supports = (text: string, locale: string) =>
  checkAtOnce({ text, evidence, documents, locale }).map(({ support, why }) => why ?? support);

it.each([
  ['No: subletting is not allowed in the two leases in Gdansk, unit 5 [[p5]] and unit 15 [[p15]].', 'en'],
  ['No, subletting is not allowed [[p5]].', 'en'],
  ['In unit 4 in Graz, subletting is allowed for at most two months a year [[p4]].', 'en'],
  ['Three invoices lack a due date: INV-2604 [[n1]], INV-2613 [[n2]] and INV-2622 [[n3]].', 'en'],
  [
    'You paid Adatum Corporation 2,204.55 GBP of VAT [[sum]] on three invoices: INV-2604 [[n1]], INV-2613 [[n2]] and INV-2622 [[n3]].',
    'en',
  ],
  ['Their latest one is INV-2604 [[n1]] of 1 October 2026 [[d1]], over 7,106.63 USD [[t1]].', 'en'],
  ['Die Rechnung INV-2622 [[n3]] lautet über 500 EUR [[t3]].', 'de'],
  ['Three invoices state no VAT [[sum]].', 'en'],
  ['No supplier sent most of them: Adatum and its branch sent one invoice each [[one]].', 'en'],
])('supports “%s”', (text, locale) => {
  expect(supports(text, locale)).toEqual(['supported']);
});

it.each([
  ['Subletting is allowed in the lease of unit 5 in Gdansk [[p5]].', 'en'],
  ['No, subletting is allowed in Gdansk, unit 5 [[p5]].', 'en'],
  ['No subletting is allowed in the lease of unit 4 in Graz [[p4]].', 'en'],
  ['Three invoices state no total [[t1]].', 'en'],
  ['No supplier sent most of them: Adatum and its branch sent two invoices each [[one]].', 'en'],
  ['Pets are allowed in the lease of unit 4 in Graz [[p4]].', 'en'],
  ['The lease of unit 5 in Gdansk does not renew for one year [[p5]].', 'en'],
  ['Four invoices lack a due date: INV-2604 [[n1]], INV-2613 [[n2]] and INV-2622 [[n3]].', 'en'],
  ['Their latest one is INV-2604 [[n1]] of 1 October 2026 [[d1]], over 7,106.36 USD [[t1]].', 'en'],
])('does not support “%s”', (text, locale) => {
  expect(supports(text, locale)).not.toContain('supported');
});
