import { expect, it } from 'vitest';
import { reasonsOf } from '../risk/value-signals.ts';
import { labelledButEmpty } from './expected-values.ts';
import { observeValues } from './observe-values.ts';

const observation = { grounding: {}, pages: [], validationErrors: [], failedChecks: [] };

it('marks the first value of the last row of a list with missing rows, or the empty list', () => {
  const rows = [1, 2, 3].map((amount) => ({ name: `row ${amount}`, amount }));
  const issues = [{ code: 'rows_missing', path: 'rows' }];
  const observed = observeValues({ ...observation, result: { rows, total: 6 }, issues });
  expect(Object.entries(observed)).toEqual([['rows.2.name', { rowMissing: true }]]);
  expect(observeValues({ ...observation, result: { rows: [] }, issues })).toEqual({ rows: { rowMissing: true } });
});

const place = (match: 'exact' | 'none', x0 = 0, places = 1, y0 = 0) => ({
  match,
  places,
  boxes: match === 'none' ? [] : [{ page_num: 1, x0, y0, x1: x0 + 0.1, y1: y0 + 0.1 }],
});

it('marks a row that stands nowhere as a whole, although its short numbers are on the page', () => {
  const observed = observeValues({
    result: {
      rows: [
        { text: 'Drill', amount: 5 },
        { text: 'Invented', amount: 5 },
        { text: 'Misread', amount: 7 },
        { text: 'Invented, with the number of another column', amount: 2 },
        { text: 'Misread, with an amount of its own', amount: 12.5 },
      ],
    },
    grounding: {
      'rows.0.text': place('exact', 0.1),
      'rows.0.amount': place('exact', 0.2),
      'rows.1.text': place('none'),
      'rows.1.amount': place('exact', 0.2),
      'rows.2.text': place('none'),
      'rows.2.amount': place('exact', 0.2, 1, 0.5),
      'rows.3.text': place('none'),
      'rows.3.amount': place('exact', 0.6),
      'rows.4.text': place('none'),
      'rows.4.amount': place('exact', 0.7),
    },
    pages: [],
    validationErrors: [],
    failedChecks: [],
  });
  const notFound = Object.keys(observed).filter((path) => observed[path]?.match === 'none');
  const invented = ['rows.1.amount', 'rows.1.text', 'rows.3.amount', 'rows.3.text'];
  expect(notFound.toSorted()).toEqual([...invented, 'rows.2.text', 'rows.4.text'].toSorted());
});

it('expects an empty value whose label is on the page with something beside it', () => {
  const text = 'Subtotal 10.00\nTotal GBP 12.50\nInvoice number: INV-1\nThe currency of the total\nVAT ID';
  const result = {
    total: null,
    invoice_number: null,
    invoiceNumber: '',
    currency: null,
    vat_id: null,
    grand: null,
    seller: null,
    subtotal: 10,
    rows: [{ total: null }],
  };
  expect(labelledButEmpty(result, text)).toEqual(['total', 'invoice_number', 'invoiceNumber']);
  expect(
    labelledButEmpty({ seller: null }, 'Sold by: Contoso', { properties: { seller: { title: 'Sold by' } } }),
  ).toEqual(['seller']);
  // Bounded, whatever the text.
  const started = performance.now();
  labelledButEmpty(result, 'total '.repeat(50_000));
  labelledButEmpty({ ...result, subtotal: null, due_date: null }, 'Gesamtbetrag (1 '.repeat(20_000));
  labelledButEmpty({ ...result, subtotal: null, due_date: null }, 'netto  \n'.repeat(30_000));
  expect(performance.now() - started).toBeLessThan(2_000);
  const [signals] = [
    observeValues({
      result: { total: null },
      grounding: {},
      pages: [],
      validationErrors: [],
      failedChecks: [],
      expected: ['total'],
    }),
  ];
  expect(reasonsOf({ isEmpty: true, ...signals['total'] })).toEqual(['expected_but_missing']);
});

const number = { type: ['number', 'null'] };
const text = { type: ['string', 'null'] };
const invoiceSchema = {
  properties: { total: number, subtotal: number, tax_amount: number, due_date: text, invoice_number: text },
};
const empty = { total: null, subtotal: null, tax_amount: null, due_date: null, invoice_number: null };

it.each([
  ['German', 'Rechnungssumme Netto (excl. USt.)      198,00\nGesamtbetrag   235,62 EUR', ['total', 'subtotal']],
  [
    'French',
    'N° facture : FA-2017\nTotal TTC  624,90 €\nÉchéance : 05/12/2017',
    ['total', 'due_date', 'invoice_number'],
  ],
  [
    'English, far beside',
    `TOTAL${' '.repeat(60)}$875.00\nVAT 20%:  1.00\nInvoice: INV-7`,
    ['total', 'tax_amount', 'invoice_number'],
  ],
  ['in a cell on the right', 'Thank you very much            Subtotal    $1,250.00', ['subtotal']],
  [
    'headings and running text',
    'Item   Total   VAT\nThe total 12.00 is fine. Rechnungsnummer\nUSt-IdNr. 12,50',
    ['total'],
  ],
  ['numbers that are no amounts', 'Gesamtbetrag siehe Seite 2\nNettobetrag 3', []],
])('expects a value whose label has its meaning in another language: %s', (_, page, expected) => {
  expect(labelledButEmpty(empty, page, invoiceSchema)).toEqual(expected);
});

it('marks values that are empty or on no page if a part of a page could not be read', () => {
  const observation = {
    result: { total: null, number: 'A-1', seller: 'B' },
    grounding: {
      number: { match: 'none' as const, boxes: [] },
      seller: { match: 'exact' as const, boxes: [] },
    },
    pages: [],
    validationErrors: [],
    failedChecks: [],
  };
  expect(observeValues({ ...observation, hasUnread: true })).toEqual({
    total: { nearUnread: true },
    number: { match: 'none', nearUnread: true },
  });
  expect(observeValues(observation)).toEqual({ number: { match: 'none' } });
  expect(reasonsOf({ isEmpty: true, nearUnread: true })).toEqual(['near_unread']);
});
