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

const place = (match: 'exact' | 'none', x0 = 0, places = 1) => ({
  match,
  places,
  boxes: match === 'none' ? [] : [{ page_num: 1, x0, y0: 0, x1: x0 + 0.1, y1: 0.1 }],
});

it('marks a row that stands nowhere as a whole, although its short numbers are on the page', () => {
  const observed = observeValues({
    result: {
      rows: [
        { text: 'Drill', amount: 5 },
        { text: 'Invented', amount: 5 },
        { text: 'Misread', amount: 7 },
      ],
    },
    grounding: {
      'rows.0.text': place('exact', 0.1),
      'rows.0.amount': place('exact', 0.2),
      'rows.1.text': place('none'),
      'rows.1.amount': place('exact', 0.2),
      'rows.2.text': place('none'),
      'rows.2.amount': place('exact', 0.5),
    },
    pages: [],
    validationErrors: [],
    failedChecks: [],
  });
  const notFound = Object.keys(observed).filter((path) => observed[path]?.match === 'none');
  expect(notFound.toSorted()).toEqual(['rows.1.amount', 'rows.1.text', 'rows.2.text']);
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
