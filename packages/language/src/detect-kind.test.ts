import { describe, expect, it } from 'vitest';
import { detectKind, kindNamed, nameOfKind } from './detect-kind.ts';
import type { DocumentKind } from './kind-names.ts';
import { paperLabels } from './paper-labels.ts';
import { tradeLabels } from './trade-labels.ts';

const samples: readonly [kind: string, text: string][] = [
  [
    'invoice',
    'Harbour Supplies Ltd\n12 Quay Road\nTax Invoice                 Invoice No: 4471\nBill to: Example Works\nDue date: 4 May 2026\nVAT 20%   14.00\nTotal   84.00',
  ],
  [
    'invoice',
    'Malerbetrieb Kessler\nRechnung Nr. 2025/0311\nRechnungsdatum: 28.03.2025\nMwSt. 19 %   322,24\nGesamtbetrag   2.018,24 €\nZahlbar bis 11.04.2025',
  ],
  [
    'invoice',
    'Énergie du Rhône\nVotre facture du 12/09/2025\nTVA 20 %   26,91\nTotal TTC   161,46 €\nÀ régler avant le 02/10/2025',
  ],
  ['invoice', '<?xml version="1.0"?>\n<ubl:Invoice xmlns:ubl="urn:x">\n<cbc:ID>1</cbc:ID></ubl:Invoice>'],
  [
    'credit_note',
    'Harbour Supplies Ltd\nCREDIT NOTE\nCredit note number: C-17\nOriginal invoice: 4471\nTotal credited   84.00',
  ],
  ['credit_note', '<CreditNote xmlns="urn:x"><cbc:ID>1</cbc:ID></CreditNote>'],
  [
    'receipt',
    'BLUE HERON COFFEE\n410 Pine St\n05/18/2026 8:14 AM\nCashier: Kim\n2 Latte   9.00\nSubtotal   9.00\nTotal   9.72\nCash   10.00\nChange   0.28\nThank you!',
  ],
  [
    'receipt',
    'EDEKA Neumann\nHauptstr. 4\nBrot        2,49\nMilch       1,19\nSUMME       3,68\nGegeben bar 5,00\nRückgeld    1,32\nKassierer 7\nVielen Dank für Ihren Einkauf',
  ],
  [
    'quote',
    'Nordlicht Solar GmbH\nAngebot Nr. A-204\nAngebotsnummer: A-204\nGültig bis 30.06.2026\nSumme netto 12.400,00 €',
  ],
  [
    'purchase_order',
    'PURCHASE ORDER\nPO number: 8841\nVendor: Harbour Supplies\nShip to: Example Works\nDelivery date: 1 June 2026\nTotal 420.00',
  ],
  [
    'delivery_note',
    'Spedition Kranz\nLieferschein 55120\nLieferdatum: 12.05.2026\nLieferadresse: Beispielweg 4\nEmpfangen: ________',
  ],
  [
    'payment_reminder',
    'Harbour Supplies Ltd\nPayment reminder\nInvoice 4471 of 1 March 2026 is overdue.\nOutstanding: 84.00\nPlease pay by 12 May 2026.',
  ],
  [
    'bank_statement',
    'Northern Bank\nAccount statement            1 March to 31 March 2026\nAccount number 00123456   Sort code 20-00-00\nOpening balance   1,204.10\n02 Mar  Card payment   -14.20   1,189.90\nClosing balance   1,189.90',
  ],
  [
    'bank_statement',
    'Sparkasse Musterstadt\nKontoauszug 3/2026\nIBAN DE00 1234\nAlter Kontostand   1.204,10\nBuchung  Wertstellung  Betrag\n02.03.  Miete  -800,00\nNeuer Kontostand   404,10',
  ],
  [
    'account_statement',
    'Harbour Supplies Ltd\nSTATEMENT OF ACCOUNT\nCustomer: Example Works\nInvoice 4471   84.00\nPayment   -40.00\nOver 30 days   44.00\nBalance due   44.00',
  ],
  [
    'payslip',
    'Example Works Ltd\nPayslip                Pay period: March 2026\nEmployee: Jordan Example\nGross pay   3,100.00\nDeductions   640.00\nNet pay   2,460.00',
  ],
  [
    'expense_report',
    'EXPENSE REPORT\nReport number: 14\nEmployee: Jordan Example\nExpense   Date   Amount\nTaxi   3 May 2026   24.00\nTotal reimbursement   24.00',
  ],
  [
    'contract',
    'CONSULTING AGREEMENT\nThis Agreement is made by and between Falcon Ridge, Inc. and Mira Solberg.\n3. Governing law. This Agreement shall be governed by the laws of Colorado.',
  ],
  [
    'contract',
    'Mietvertrag\nzwischen Wohnbau Süd, nachfolgend Vermieter,\nund Kim Beispiel, nachfolgend Mieter.\n§ 1 Laufzeit\n§ 9 Gerichtsstand ist München.',
  ],
  [
    'letter',
    'Example Works Ltd\n12 Quay Road\n4 May 2026\nDear Ms Solberg,\nthank you for your letter of 2 May. I am writing to confirm our meeting; the invoice will follow.\nYours sincerely,\nJordan Example',
  ],
  [
    'letter',
    'Kanzlei Brandt\nMünchen, 4. Mai 2026\nSehr geehrte Frau Lang,\nwir nehmen Bezug auf Ihr Schreiben vom 2. Mai.\nMit freundlichen Grüßen\nBrandt',
  ],
  [
    'email',
    'From: Kim <kim@mail.example>\nTo: Jordan\nSubject: Invoice 4471\nDate: Mon, 4 May 2026\n\nHello, the invoice is attached. Total 84.00',
  ],
  [
    'lab_report',
    'Riverside Medical Laboratory\nPatient: Elena Novak   Collected: 2026-06-03\nTest   Result   Units   Reference range\nGlucose   108   mg/dL   70 - 99',
  ],
  [
    'resume',
    'Jordan Example\nCurriculum vitae\nWork experience\n2019 to 2025 Analyst\nEducation\nUniversity of Leeds\nLanguages: English, German',
  ],
  [
    'minutes',
    'Minutes of the board meeting\nPresent: A, B, C\nApologies: D\nThe motion was seconded.\nThe meeting adjourned at 18:00.',
  ],
  [
    'form',
    'APPLICATION FOR MEMBERSHIP\nFirst name: Tobias   Last name: Brandt\nDate of birth: 12.08.1991   Phone number: 1',
  ],
  [
    'certificate',
    'CERTIFICATE OF COMPLETION\nThis is to certify that Jordan Example has successfully completed the course.\nIssued on 4 May 2026',
  ],
];

describe('detectKind', () => {
  it.each(samples)('%s', (kind, text) => {
    expect(detectKind(text)?.kind).toBe(kind);
  });

  it('keeps the title of a form, in sentence case and without numbers', () => {
    expect(detectKind('MEMBERSHIP APPLICATION FORM\nFirst name: A\nLast name: B')?.title).toBe(
      'Membership application form',
    );
  });

  it('takes no caption for a title', () => {
    const card =
      'Harbour Insurance\nMember id: 4   SILVER\nEffective date 11/02/2026\nContract code   XZ\nCoinsurance   30%';
    expect(detectKind(card)?.kind).not.toBe('contract');
    const forwarded = 'Receipt:\nINVOICE 20417\nDate: 14 March 2026\nDue date: 4 April 2026\nTotal   420.00 EUR';
    expect(detectKind(forwarded)?.kind).toBe('invoice');
  });

  it('leaves what no kind clearly claims open', () => {
    for (const text of [
      '',
      'CREATURES\nWe arrived in the dead of night.',
      'Region   Q1   Q2\nNorth   1   2',
      'Contract code XZ\nPlan 050',
    ])
      expect(detectKind(text)).toBeUndefined();
  });

  it('is not slow on a text made to be', { retry: 2 }, () => {
    detectKind('invoice');
    const startedAt = performance.now();
    detectKind('change '.repeat(5_000) + 'application of '.repeat(3_000) + `${'a '.repeat(30)}\n`.repeat(2_000));
    expect(performance.now() - startedAt).toBeLessThan(1_500);
  });
});

it.each([
  ['Rechnung, Contoso 2', 'invoice'],
  ['Supplier invoices', 'invoice'],
  ['Invoice reminder', 'payment_reminder'],
  ['Kontoauszüge', 'bank_statement'],
  ['Bank statement', 'bank_statement'],
  ['Statement of account', 'account_statement'],
  ['Employment contract', 'contract'],
  ['Lab report', 'lab_report'],
  ['Expense report', 'expense_report'],
  ['Membership application', 'form'],
  ['Purchase ledger', undefined],
  ['Invoice, Letter Press Ltd', 'invoice'],
])('%s stands for %s', (name, kind) => {
  expect(kindNamed(name)).toBe(kind);
});

it('calls a kind as a person would', () => {
  expect((['invoice', 'lab_report', 'resume'] as const).map((kind) => nameOfKind({ kind }))).toEqual([
    'Invoice',
    'Laboratory report',
    'Résumé',
  ]);
  expect(nameOfKind({ kind: 'form', title: 'Membership application' })).toBe('Membership application');
});

it.each(['de', 'fr', 'it', 'es', 'nl', 'en', 'ja'])(
  'calls each kind in %s so that its name stands for it',
  (language) => {
    const kinds = Object.keys({ ...tradeLabels, ...paperLabels }) as DocumentKind[];
    const names = kinds.map((kind) => nameOfKind({ kind }, language));
    expect(names.map((name) => kindNamed(name))).toEqual(kinds);
    expect(names.filter((name) => !/^\p{Lu}/u.test(name))).toEqual([]);
    expect(nameOfKind({ kind: 'invoice' }, `${language}-XX`)).toBe(nameOfKind({ kind: 'invoice' }, language));
  },
);

it('calls kinds in the language of the person', () => {
  expect(['de-AT', 'fr', 'pl', 'en-GB'].map((language) => nameOfKind({ kind: 'invoice' }, language))).toEqual([
    'Rechnung',
    'Facture',
    'Invoice',
    'Invoice',
  ]);
});
