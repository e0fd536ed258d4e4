import { expect, it } from 'vitest';
import { documentOf } from '../page/document-text.ts';
import { fillSchema } from './fill-schema.ts';

const number = { type: ['number', 'null'] };
const text = { type: ['string', 'null'] };
const date = { type: ['string', 'null'], format: 'date' };

function filled(properties: Record<string, object>, page: string): unknown {
  return fillSchema({ type: 'object', properties }, documentOf('bill', [{ page: 1, text: page }])).value;
}

const sums = { subtotal: number, tax_amount: number, total: number };

it.each([
  [
    'one row for each tax rate, and their sum',
    `
  Warenwert  Zu-/Abschlag    Nettobetrag    MwSt-Betrag  MwSt-%     Endbetrag
     105,00          0,15         104,85          19,92   19,0         124,77
      52,90          0,08          52,82           3,70    7,0          56,52

     157,90          0,23         157,67          23,62    EUR         181,29`,
    { subtotal: 157.67, tax_amount: 23.62, total: 181.29 },
  ],
  [
    'a named row below those of services',
    `
                                       Montant EUR HT     Montant TVA    Montant EUR TTC
Abonnements                                     24.99            5.00              29.99
Communications                                   0.00            0.00               0.00
Total facture                                   24.99            5.00              29.99`,
    { subtotal: 24.99, tax_amount: 5, total: 29.99 },
  ],
  [
    'a single row',
    `
 Net amount      VAT amount      Total amount
     120.00           24.00            144.00`,
    { subtotal: 120, tax_amount: 24, total: 144 },
  ],
  [
    'rows without their sum',
    `
 Net amount      VAT amount      Total amount
     120.00           24.00            144.00
      10.00            1.00             11.00`,
    { subtotal: null, tax_amount: null, total: null },
  ],
])('reads sums below their headings: %s', (_, page, expected) => {
  expect(filled(sums, page)).toEqual(expected);
});

it('takes the tax after its base, and brackets around an included tax are no minus', () => {
  const page =
    'Subtotal                     $ 262.90\nTax 15% on $ 112.90           $ 16.94\nTotal               $ 279.84';
  expect(filled(sums, page)).toEqual({ subtotal: 262.9, tax_amount: 16.94, total: 279.84 });
  const included = 'enthaltene Versicherungsteuer    (35,13 €)\nzu zahlender Beitrag             220,00 €';
  expect(filled({ tax_amount: number, total: number }, included)).toEqual({
    tax_amount: 35.13,
    total: 220,
  });
});

it('reads the sums of an insurance bill', () => {
  const page =
    'Gesamtbeitrag               50,00 €\nVersicherungsteuer 19 %      9,50 €\nRechnungsbeitrag            59,50 €';
  expect(filled(sums, page)).toEqual({ subtotal: 50, tax_amount: 9.5, total: 59.5 });
});

it('reads an account at the start of the next line, and prefers it to the one that is debited', () => {
  const account = { iban: text, bic: text };
  expect(filled(account, 'Bitte an folgende Bankverbindung: IBAN\nDE75123456780000001234, BIC WELADED1MST')).toEqual({
    iban: 'DE75123456780000001234',
    bic: 'WELADED1MST',
  });
  const debit = 'Wir ziehen von Ihrem Konto mit IBAN DE21860000000086001055\nund BIC MARKDEF1860 ein.';
  expect(filled({ bic: text }, debit)).toEqual({ bic: 'MARKDEF1860' });
  expect(filled({ bic: text }, `${debit}\nBank     BIC: GENODEF1M04`)).toEqual({
    bic: 'GENODEF1M04',
  });
});

it('reads a date beside the title or by its hyphened label, and not that of a related invoice', () => {
  const asked = { invoice_date: date };
  const period = 'Zeitraum vom 06.12.2013 bis zum 06.12.2014';
  expect(filled(asked, `${period}\nBeitragsrechnung            24. Januar 2014`)).toEqual({
    invoice_date: '2014-01-24',
  });
  expect(filled(asked, 'Bestell-Datum : 01.08.2013\nBeleg-Datum   : 16.09.2013')).toEqual({
    invoice_date: '2013-09-16',
  });
  const related = 'FACTURE N° : F2     Date : 31/01/2026\nDATE DE FACTURE ASSOCIÉE : 01/01/2026';
  expect(filled(asked, related)).toEqual({ invoice_date: '2026-01-31' });
});

it('takes a name below a salutation or a caption of names, and the number of a contract', () => {
  const letter =
    'Muster Versicherung AG\n\nHerrn\nMax Mustermann\nMusterstr. 11\n12346 Bad Musterhausen\n\nBüro\nMusterstr. 12\n12345 Musterstadt';
  expect(filled({ buyer_name: text }, letter)).toEqual({ buyer_name: 'Max Mustermann' });
  const french =
    'Free Telecom SAS\n75371 Paris\n\nNom de l’abonné\nde Lattre Alexis\n35 rue du Lac\n69100 Villeurbanne';
  expect(filled({ buyer_name: text }, french)).toEqual({ buyer_name: 'de Lattre Alexis' });
  expect(filled({ contract_number: text }, 'N° CONTRAT : CT2018120802')).toEqual({
    contract_number: 'CT2018120802',
  });
});

it('reads a date beside a title with its number, and the country of a dollar', () => {
  const page =
    'Receipt 7718            May 4, 2021\n\nTotal       $30.00\n              NZD\nYour next invoice date is June 4, 2021.';
  expect(filled({ invoice_date: date, currency: text }, page)).toEqual({ invoice_date: '2021-05-04', currency: 'NZD' });
});

it('orders day and month by a date that is spelled out', () => {
  expect(filled({ invoice_date: date }, 'Sent Feb 3, 2011\nInvoice date: 02/03/2011')).toEqual({
    invoice_date: '2011-02-03',
  });
});

it('takes a printed discount as the reason why sums differ, and not a misread digit', () => {
  const page = 'Subtotal     140.00\nLoyalty\n             -20.00\nVAT 10%       12.00\nTotal        132.00';
  expect(filled(sums, page)).toEqual({ subtotal: 140, tax_amount: 12, total: 132 });
});

it('reads the rows of all sections of a table', () => {
  const page = `
  Description          Quantity   Unit price     Amount
  Tools
  Hammer                   1.00        12.00      12.00
                                   Subtotal       12.00
  Timber
  Plank                   10.00         3.00      30.00
                                   Subtotal       30.00
                                   Subtotal       42.00
                                   Total          42.00`;
  const item = { type: 'object', properties: { description: text, quantity: number, amount: number } };
  expect(filled({ items: { type: 'array', items: item } }, page)).toEqual({
    items: [
      { description: 'Hammer', quantity: 1, amount: 12 },
      { description: 'Plank', quantity: 10, amount: 30 },
    ],
  });
});

it('adds up a table of taxes with several rates, which ends the items', () => {
  const page = `
  Description          Units   Price per one   Total price   Tax   Total price with tax
  Copy editing             7          408.55      2,859.85   12%               3,203.03
  Seminar ticket           2          411.82        823.64   21%                 996.60
  VAT breakdown
  VAT rate     Tax       Without VAT    With VAT
  21.00%     172.96           823.64      996.60
  12.00%     343.18         2,859.85    3,203.03
                                  Total with tax: 4,199.63`;
  const number = { type: ['number', 'null'] };
  const item = {
    type: 'object',
    properties: { description: { type: ['string', 'null'] }, quantity: number, unit_price: number },
  };
  const properties = {
    subtotal: number,
    tax_amount: number,
    total: number,
    line_items: { type: 'array', items: item },
  };
  expect(fillSchema({ type: 'object', properties }, documentOf('a.pdf', [{ page: 1, text: page }])).value).toEqual({
    subtotal: 3683.49,
    tax_amount: 516.14,
    total: 4199.63,
    line_items: [
      { description: 'Copy editing', quantity: 7, unit_price: 408.55 },
      { description: 'Seminar ticket', quantity: 2, unit_price: 411.82 },
    ],
  });
});

it('takes a column of amounts below “Tax” for no rates', () => {
  const rowsOf = (taxes: readonly [string, string], tax = ''): unknown => {
    const page = `
  Item              Qty    Price      Tax     Total
  Copy editing        7   408.55   ${taxes[0].padStart(6)}  2,859.85
  Seminar ticket      2   411.82   ${taxes[1].padStart(6)}    823.64
  Total                                    3,683.49
  ${tax}`;
    const item = { type: 'object', properties: { description: text, quantity: number, tax_rate: number } };
    const value = filled({ line_items: { type: 'array', items: item } }, page) as {
      line_items: { tax_rate: unknown }[];
    };
    return value.line_items.map(({ tax_rate }) => tax_rate);
  };
  expect(rowsOf(['343.18', '17.29'])).toEqual([null, null]);
  expect(rowsOf(['12', '20.00'])).toEqual([12, 20]);
  expect(rowsOf(['12 %', '20 %'])).toEqual([12, 20]);
  expect(rowsOf(['$6.00', '$3.00'])).toEqual([null, null]);
  expect(rowsOf(['6.00', '3.00'], 'Sales tax      9.00')).toEqual([null, null]);
  expect(rowsOf(['6.00', '3.00'], 'Sales tax    230.00')).toEqual([6, 3]);
});
