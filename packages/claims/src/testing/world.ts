import type { AggregateEvidence, CalculationEvidence, CellEvidence, Evidence, ScopeDocument } from '../evidence.ts';

/** An invented invoice, with the ids of its cells. */
export interface Invoice {
  id: string;
  at: number;
  supplier: string;
  number: string;
  total: number;
  currency: string;
  issued: string;
  due: string;
  taxRate: number;
  days: number;
  isPaid: boolean;
}

const suppliers = [
  'Contoso GmbH',
  'Fabrikam Ltd',
  'Northwind Traders',
  'Adatum Corporation',
  'Tailspin Toys',
  'Wingtip S.A.',
  'Müller & Söhne KG',
  'Société Dubois',
  'Talleres García S.L.',
  'Litware Inc.',
  'Proseware AG',
  'Lucerne Publishing',
];
const currencies = ['EUR', 'USD', 'CHF'];
/** Numbers that look random and are the same in every run. */
export function* numbersFrom(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

const day = (offset: number): string => new Date(Date.UTC(2026, 0, 1 + offset)).toISOString().slice(0, 10);

const random = numbersFrom(7);
const next = (below: number): number => Math.floor(random.next().value * below);

export const invoices: readonly Invoice[] = Array.from({ length: 60 }, (_, at) => {
  const issued = next(330);
  return {
    id: `d${at}`,
    at,
    supplier: suppliers[at % suppliers.length]!,
    number: `${['INV', 'RE', 'F'][at % 3]}-${2001 + at * 7}`,
    total: [next(9000) + 350, (next(900_000) + 25_000) / 100, next(120) * 100 + 1200][at % 3]!,
    currency: currencies[Math.floor(at / 12) % 3]!,
    issued: day(issued),
    due: day(issued + 30),
    taxRate: [19, 7, 8.1, 20, 21][at % 5]!,
    days: [14, 30, 45, 60][at % 4]!,
    isPaid: at % 3 !== 1,
  };
});

export const documents: readonly ScopeDocument[] = invoices.map(({ id, supplier, number, at }) => ({
  id,
  name: `invoice-${String(at).padStart(3, '0')}.pdf`,
  names: [supplier, number],
}));

const cell = (document_id: string, path: string, value: unknown, currency?: string): CellEvidence => ({
  kind: 'cell',
  id: `${document_id}.${path}`,
  document_id,
  path,
  value,
  currency,
});

/** The cells of an invoice. Their ids are the document's and the field's. */
export const cells: readonly CellEvidence[] = invoices.flatMap((invoice) => [
  cell(invoice.id, 'total', invoice.total, invoice.currency),
  cell(invoice.id, 'supplier', invoice.supplier),
  cell(invoice.id, 'number', invoice.number),
  cell(invoice.id, 'issued', invoice.issued),
  cell(invoice.id, 'due', invoice.due),
  cell(invoice.id, 'tax_rate', invoice.taxRate),
  cell(invoice.id, 'payment', `${invoice.days} days net`),
  cell(invoice.id, 'paid', invoice.isPaid),
]);

const cents = (value: number): number => Math.round(value * 100) / 100;

/** An aggregate over invoices. */
export function aggregate(
  id: string,
  op: AggregateEvidence['op'],
  over: readonly Invoice[],
  rest: Partial<AggregateEvidence> = {},
): AggregateEvidence {
  const totals = over.map(({ total }) => total);
  const sum = totals.reduce((one, other) => one + other, 0);
  const values = {
    sum: cents(sum),
    count: over.length,
    distinct: over.length,
    min: Math.min(...totals),
    max: Math.max(...totals),
    avg: cents(sum / over.length),
  };
  return {
    kind: 'aggregate',
    id,
    op,
    path: 'total',
    value: values[op],
    ...(op !== 'count' && op !== 'distinct' && { currency: over[0]?.currency }),
    cells: over.map(({ id: document_id, total: value }) => ({ document_id, value })),
    without_value: 2,
    at_risk: 1,
    ...rest,
  };
}

export const ofSupplier = (supplier: string, currency: string): Invoice[] =>
  invoices.filter((each) => each.supplier === supplier && each.currency === currency);
export const ofCurrency = (currency: string): Invoice[] => invoices.filter((each) => each.currency === currency);

/** A difference of two totals. */
export const difference = (one: Invoice, other: Invoice): CalculationEvidence => ({
  kind: 'calculation',
  id: `x${one.at}_${other.at}`,
  value: cents(one.total - other.total),
  inputs: [`${one.id}.total`, `${other.id}.total`],
  currency: one.currency,
});

/** All that the sentences of the cases can cite. */
export const evidenceWith = (more: readonly Evidence[]): Evidence[] => [...cells, ...more];
