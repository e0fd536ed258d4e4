import type { AggregateEvidence, CalculationEvidence, Evidence, ScopeDocument } from '../evidence.ts';

/** A sentence, its locale, and whether what it cites holds it. */
export interface VariedSentence {
  text: string;
  locale: string;
  isTrue: boolean;
}

export const of = (locale: string, truths: readonly string[], lies: readonly string[]): VariedSentence[] => [
  ...truths.map((text) => ({ text, locale, isTrue: true })),
  ...lies.map((text) => ({ text, locale, isTrue: false })),
];

export const documents: readonly ScopeDocument[] = [
  { id: 'd1', name: 'kf-2600.txt', names: ['Kestrel Freight Ltd', 'KF-2600'] },
  { id: 'd2', name: 'bt-2601.txt', names: ['Brightwater Tools GmbH', 'BT-2601'] },
  { id: 'd3', name: 'ne-2602.txt', names: ['Nordlicht Energie AG', 'NE-2602'] },
  { id: 'd4', name: 'hc-2603.txt', names: ['Halden & Co', 'HC-2603'] },
  { id: 'd5', name: 'hl-2604.txt', names: ['Halden Logistics Ltd', 'HL-2604'] },
  { id: 'd6', name: 'op-2605.txt', names: ['Orchard Press Inc', 'OP-2605'] },
  { id: 'd7', name: 'lifts.txt', names: ['Vantage Lifts Ltd'] },
  { id: 'd8', name: 'harbour-street.txt', names: ['Larkfield Estates Ltd'] },
  { id: 'd9', name: 'software.txt', names: ['Sattler Software GmbH'] },
  { id: 'd10', name: 'insurance.txt', names: ['Meridian Insurance Ltd'] },
  { id: 'd11', name: 'bail.txt', names: ['Foncière Delorme'] },
  { id: 'd12', name: 'heizung.txt', names: ['Stadtwerke Ahlen GmbH'] },
];

const cell = (id: string, document_id: string, path: string, value: unknown, currency?: string): Evidence => ({
  kind: 'cell',
  id,
  document_id,
  path,
  value,
  currency,
});
const passage = (id: string, document_id: string, text: string): Evidence => ({
  kind: 'passage',
  id,
  document_id,
  page_num: 1,
  text,
});
const aggregate = (
  id: string,
  op: AggregateEvidence['op'],
  path: string,
  value: unknown,
  cells: Record<string, unknown>,
  rest: Partial<AggregateEvidence> = {},
): Evidence => ({
  kind: 'aggregate',
  id,
  op,
  path,
  value,
  cells: Object.entries(cells).map(([document_id, each]) => ({ document_id, value: each })),
  ...rest,
});
const calculation = (
  id: string,
  value: unknown,
  inputs: string[],
  rest: Partial<CalculationEvidence> = {},
): Evidence => ({ kind: 'calculation', id, value, inputs, ...rest });

const inEuros = { d2: 1280, d4: 640, d6: 960 };
const all = { d1: 4870.5, d2: 1280, d3: 3311.45, d4: 640, d5: 2075.1, d6: 960 };
const currency = 'EUR';

/** What the sentences cite: results of invoices and contracts, computed values, and passages in three languages. */
export const evidence: readonly Evidence[] = [
  cell('k1', 'd1', 'total', 4870.5, 'GBP'),
  cell('kd', 'd1', 'invoice_date', '2026-01-03'),
  cell('kdue', 'd1', 'due_date', '2026-02-01'),
  cell('kq', 'd1', 'pallets', 12),
  cell('kpaid', 'd1', 'is_paid', false),
  cell('b1', 'd2', 'total', 1280, currency),
  cell('bd', 'd2', 'invoice_date', '2026-02-08'),
  cell('bv', 'd2', 'vat_rate', 19),
  cell('n1', 'd3', 'total', 3311.45, 'CHF'),
  cell('nd', 'd3', 'invoice_date', '2026-03-13'),
  cell('h1', 'd4', 'total', 640, currency),
  cell('h2', 'd5', 'total', 2075.1, 'GBP'),
  cell('o1', 'd6', 'total', 960, currency),
  cell('nm', 'd7', 'notice_months', 3),
  cell('eo', 'd7', 'ends_on', '2027-01-31'),
  cell('rn', 'd7', 'renews_automatically', true),
  cell('fee', 'd7', 'monthly_fee', 410, currency),
  aggregate('sumE', 'sum', 'total', 2880, inEuros, { currency }),
  aggregate('avgE', 'avg', 'total', 960, inEuros, { currency }),
  aggregate('maxE', 'max', 'total', 1280, inEuros, { currency }),
  aggregate('minE', 'min', 'total', 640, inEuros, { currency }),
  aggregate('cnt', 'count', 'invoice_number', 6, all),
  aggregate(
    'late',
    'count',
    'invoice_number',
    2,
    { d1: 'KF-2600', d5: 'HL-2604' },
    {
      conditions: [{ path: 'due_date', op: '<', value: '2026-03-01' }],
    },
  ),
  aggregate('dist', 'distinct', 'supplier', 6, all, { without_value: 4, at_risk: 1 }),
  calculation('diff', 640, ['b1', 'h1'], { currency }),
  calculation('days', 29, ['kdue', 'kd'], { is_plain: true, unit: 'day' }),
  calculation('twice', 2, ['b1', 'h1'], { is_plain: true }),
  passage(
    'ren',
    'd7',
    'Agreement with Vantage Lifts Ltd\nIt renews for one year unless a party gives notice.\nRepairs outside of working hours cost 95 EUR an hour.',
  ),
  passage('ins', 'd10', 'Damage by flood is not covered. Damage by fire is covered up to 400,000 EUR.'),
  passage(
    'lease',
    'd8',
    'The tenant may sublet single rooms with the written consent of the landlord.\nThe deposit amounts to three monthly rents and is not interest-bearing.\nDogs are not allowed in the building.',
  ),
  passage(
    'soft',
    'd9',
    'Der Anbieter haftet nicht für entgangenen Gewinn. Die Daten werden ausschließlich in der EU gespeichert.',
  ),
  passage(
    'heat',
    'd12',
    'Ersatzteile sind nicht im Preis enthalten. Der Techniker kommt spätestens nach vier Stunden.',
  ),
  passage(
    'bail',
    'd11',
    'Le dépôt n’est remboursé qu’après la remise des clés. Le bailleur peut entrer dans les locaux avec un préavis de deux jours.',
  ),
];
