import { finish } from '../steps/steps.ts';
import { expect, it } from 'vitest';
import { reasonsOf } from '../risk/value-signals.ts';
import { PageLabels } from '../labels/page-labels.ts';
import { expectedSteps } from './expected-values.ts';
import { labelledSteps } from './labelled-by-concept.ts';
import { labelSteps } from './value-labels.ts';
import { observeSteps } from './observe-values.ts';

const observation = { grounding: {}, pages: [], validationErrors: [], failedChecks: [] };

it('marks the first value of the last row of a list with missing rows, or the empty list', () => {
  const rows = [1, 2, 3].map((amount) => ({ name: `row ${amount}`, amount }));
  const issues = [{ code: 'rows_missing', path: 'rows' }];
  const observed = finish(observeSteps({ ...observation, result: { rows, total: 6 }, issues }));
  expect(Object.entries(observed)).toEqual([['rows.2.name', { rowMissing: true }]]);
  expect(finish(observeSteps({ ...observation, result: { rows: [] }, issues }))).toEqual({
    rows: { rowMissing: true },
  });
});

const place = (match: 'exact' | 'none', x0 = 0, places = 1, y0 = 0) => ({
  match,
  places,
  boxes: match === 'none' ? [] : [{ page_num: 1, x0, y0, x1: x0 + 0.1, y1: y0 + 0.1 }],
});

it('marks a row that stands nowhere as a whole, although its short numbers are on the page', () => {
  const observed = finish(
    observeSteps({
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
    }),
  );
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
  expect(finish(labelledSteps(result, text))).toEqual(['total', 'invoice_number', 'invoiceNumber']);
  expect(
    finish(labelledSteps({ seller: null }, 'Sold by: Contoso', { properties: { seller: { title: 'Sold by' } } })),
  ).toEqual(['seller']);
  // Bounded, whatever the text.
  const started = performance.now();
  finish(labelledSteps(result, 'total '.repeat(50_000)));
  finish(labelledSteps({ ...result, subtotal: null, due_date: null }, 'Gesamtbetrag (1 '.repeat(20_000)));
  finish(labelledSteps({ ...result, subtotal: null, due_date: null }, 'netto  \n'.repeat(30_000)));
  expect(performance.now() - started).toBeLessThan(2_000);
  const [signals] = [
    finish(
      observeSteps({
        result: { total: null },
        grounding: {},
        pages: [],
        validationErrors: [],
        failedChecks: [],
        expected: { total: 1 },
      }),
    ),
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
  expect(finish(labelledSteps(empty, page, invoiceSchema))).toEqual(expected);
});

it('takes bounded time for any text and schema', () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`total number ${at} date`, null]));
  const few = { total: null, invoice_number: null, vat_id: null, seller: null };
  const started = performance.now();
  finish(expectedSteps(few, new PageLabels('total '.repeat(50_000))));
  for (const text of ['total 1.00 no 7\n', '1 2.34  a', 'x-1/', 'Jan 1', 'no  '])
    finish(expectedSteps(many, new PageLabels(text.repeat(200_000 / text.length))));
  expect(performance.now() - started).toBeLessThan(4_000);
});

const amount = { type: ['number', 'null'] };
const date = { type: ['string', 'null'], format: 'date' };
const sums = { net: amount, vat: amount, total: amount };

it.each([
  ['a label in other words', { due_date: null }, 'Zu zahlen bis  4.7.2018', { due_date: date }, { due_date: 1 }],
  ['a compound', { customer_id: null }, 'Kundennummer  12345', {}, { customer_id: 1 }],
  ['a value below its label', { customer_id: null }, '  Client no     Page\n  A-77          1', {}, { customer_id: 1 }],
  ['a text beside its label', { nationality: null }, 'Nationality  French', {}, { nationality: 1 }],
  ['an account', { iban: null }, 'GB82 WEST 1234 5698 7654 32', {}, { iban: 0.6 }],
  ['a date without a label', { date: null }, 'Shop\n12/03/2018', { date }, { date: 0.6 }],
  ['an issuer', { company: null }, 'MR D.I.Y.\nJALAN KPB 6\nTOTAL 30.90', {}, { company: 0.25 }],
  [
    'a date that another field has',
    { date: null, due_date: '2018-03-12' },
    'Due 12/03/2018',
    { date, due_date: date },
    {},
  ],
  ['the label of another field', { nationality: null, status: null }, 'Nationality  Status', {}, {}],
  ['another amount', { total: null }, 'VAT  3.00', { total: amount }, { total: 0.6 }],
  ['another number', { customer_id: null }, 'Order no  77', {}, {}],
  ['a name of one preposition', { to: null, from: null }, 'To:  Ann Low\nback to the office', {}, { to: 1 }],
  ['the number of a paper', { receipt_number: null }, 'Shop\nB77-120', {}, { receipt_number: 0.25 }],
  ['the payer of an invoice', { buyer_name: null }, 'Invoice 7\nAnn Low', {}, { buyer_name: 0.25 }],
  ['net and gross', { net: 80, vat: null, total: 92 }, 'Sum 80.00  92.00', sums, { vat: 0.6 }],
  ['net that is gross', { net: 80, vat: null, total: 80 }, 'Sum 80.00', sums, {}],
])('expects a value by %s', (_case, result, text, properties, expected) => {
  expect(finish(expectedSteps(result, new PageLabels(text), { properties }))).toEqual(expected);
});

it('reads a long text of long words in a short time', () => {
  const page = new PageLabels(`${'a'.repeat(199)}\n`.repeat(1_000));
  const start = performance.now();
  expect(finish(expectedSteps({ invoice_number: null }, page))).toEqual({});
  // It takes under 100 ms; with time that grows with the cube of a word's length, 20 s.
  expect(performance.now() - start).toBeLessThan(5_000);
});

it('searches the pages for each value in a step of its own, and reads a long text in several', () => {
  const page = new PageLabels('Total  12.50');
  const names = Array.from({ length: 20 }, (_, at) => `field_${at}`);
  const of = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
  expect([...expectedSteps(of(null), page)].length).toBeGreaterThanOrEqual(names.length);
  expect([...labelSteps(of(1), page)].length).toBeGreaterThanOrEqual(names.length);
  expect([...PageLabels.inSteps('Total  12.50\n'.repeat(1_000))].length).toBeGreaterThan(5);
});

it('knows whether a value stands beside the label of its field', () => {
  const text =
    'Netto          16,90\nzzgl. USt. 7 %  1,18\nRechnungsbetrag 18,08\nRechnung vom 30.10.2018\nzahlbar bis 29.11.2018\n5,00';
  const properties = { subtotal: amount, tax: amount, total: amount, due_date: date };
  const labels = (result: object) => finish(labelSteps(result, new PageLabels(text), { properties }));
  expect(labels({ subtotal: 16.9, tax: 1.18, total: 18.08, due_date: '2018-11-29' })).toEqual({
    subtotal: 'own',
    tax: 'own',
    total: 'own',
    due_date: 'own',
  });
  expect(labels({ subtotal: 18.08, total: 1.18, tax: 5, due_date: '2018-10-30' })).toEqual({
    subtotal: 'other',
    total: 'other',
    tax: 'other',
    due_date: 'other',
  });
  expect(labels({ tip: 5, total: null, rows: [{ total: 5 }] })).toEqual({});
  const page = new PageLabels('Buyer\nLow Ltd\nAgent:  Ann Low');
  const texts = { buyer_name: 'Buyer', seller: 'Low Ltd', broker: 'Agent', agent: 'Ann Low' };
  expect(finish(labelSteps(texts, page))).toEqual({ buyer_name: 'other', broker: 'other' });
  expect(reasonsOf({ isEmpty: false, places: 4, label: 'own' })).toEqual([]);
  expect(reasonsOf({ isEmpty: false, places: 4, label: 'other' })).toEqual(['ambiguous_place', 'other_label']);
});

it('knows how surely the words of a value were read if each has its engine, and only their lowest confidence if not', () => {
  const box = { page_num: 1, x0: 0, y0: 0, x1: 0.5, y1: 0.1 };
  const words = [
    { text: '12', x0: 0, y0: 0, x1: 20, y1: 10, confidence: 0.6 },
    { text: 'EUR', x0: 20, y0: 0, x1: 40, y1: 10, confidence: 0.9 },
    { text: 'elsewhere', x0: 80, y0: 0, x1: 90, y1: 10, confidence: 0.1 },
  ];
  const observed = (engines: ('tesseract' | 'ppocr' | undefined)[]) =>
    finish(
      observeSteps({
        result: { total: 12 },
        grounding: { total: { match: 'exact', boxes: [box] } },
        pages: [
          { page_num: 1, width: 100, height: 100, words: words.map((word, at) => ({ ...word, engine: engines[at] })) },
        ],
        validationErrors: [],
        failedChecks: [],
      }),
    )['total'];
  expect(observed([])).toEqual({ ocrConfidence: 0.6 });
  expect(observed(['tesseract'])).toEqual({ ocrConfidence: 0.6 });
  const byTesseract = observed(['tesseract', 'tesseract', 'tesseract'])!.misreading!;
  const byPpOcr = observed(['ppocr', 'ppocr', 'ppocr'])!.misreading!;
  expect(byTesseract).toBeGreaterThan(byPpOcr);
  expect(byPpOcr).toBeGreaterThan(0.2);
});

it('doubts a missing value on pages whose words are often misread', () => {
  const observed = (confidence: number) =>
    finish(
      observeSteps({
        result: { total: null },
        grounding: {},
        pages: [
          {
            page_num: 1,
            width: 100,
            height: 100,
            words: [{ text: 'Totl', x0: 0, y0: 0, x1: 20, y1: 10, confidence, engine: 'tesseract' }],
          },
        ],
        validationErrors: [],
        failedChecks: [],
      }),
    )['total'];
  expect(observed(0.96)).toBeUndefined();
  expect(observed(0.6)!.misreading).toBeGreaterThan(0.3);
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
  expect(finish(observeSteps({ ...observation, hasUnread: true }))).toEqual({
    total: { nearUnread: true },
    number: { match: 'none', nearUnread: true },
  });
  expect(finish(observeSteps(observation))).toEqual({ number: { match: 'none' } });
  expect(reasonsOf({ isEmpty: true, nearUnread: true })).toEqual(['near_unread']);
});
