import { nothingShown, type AskResult, type AskServices } from '@docwright/agent-core';
import { numbersFrom } from '../../../packages/claims/src/testing/world.ts';

const random = numbersFrom(42);
export const next = (below: number): number => Math.floor(random.next().value * below);
export const pick = <Each>(list: readonly Each[]): Each => list[next(list.length)]!;
export const id = (at: number): string => at.toString(16).padStart(24, '0');

export const suppliers = [
  'Contoso GmbH',
  'Fabrikam Ltd',
  'Northwind Traders',
  'Adatum Corporation',
  'Tailspin Toys',
  'Litware Inc.',
  'Proseware AG',
  'Wingtip S.A.',
];
/** Each with its German name. */
const topics = [
  'subletting',
  'insurance',
  'warranty',
  'parking',
  'confidentiality',
  'cancellation',
  'maintenance',
  'delivery',
  'training',
  'storage',
];
const inGerman = [
  'Untervermietung',
  'Versicherung',
  'Garantie',
  'Parken',
  'Vertraulichkeit',
  'Kündigung',
  'Wartung',
  'Lieferung',
  'Schulung',
  'Lagerung',
];
export const promptId = 'a'.repeat(24);
const contractsId = 'b'.repeat(24);

export interface Invoice extends Record<string, unknown> {
  supplier: string;
  total: number | null;
  currency: string;
  due_date: string;
}
export const invoices: Invoice[] = [];
for (let at = 0; at < 700; at++) {
  // Each twentieth is a twin of the one before it.
  const twin = at % 20 === 19 ? invoices[at - 1] : undefined;
  invoices.push(
    twin ?? {
      supplier: pick(suppliers),
      total: next(20) === 0 ? null : (next(1_000_000) + 5000) / 100,
      currency: pick(['EUR', 'USD', 'CHF']),
      due_date: new Date(Date.UTC(2026, next(12), 1 + next(28))).toISOString().slice(0, 10),
    },
  );
}
export const results: AskResult[] = invoices.map((result, at) => ({
  document_id: id(at),
  document_name: `invoice-${at}.pdf`,
  result,
  at_risk: [],
  is_complete: true,
}));
const contracts: AskResult[] = Array.from({ length: 100 }, (_, at) => ({
  document_id: id(2000 + at),
  document_name: `contract-${at}.pdf`,
  result: { party: pick(suppliers), monthly_fee: next(5) === 0 ? null : 100 + next(900), currency: 'EUR' },
  at_risk: [],
  is_complete: true,
}));
/** Every second one is in German. */
export const isGerman = (at: number): boolean => at % 2 === 1;
export const topicOf = (at: number): string => (isGerman(at) ? inGerman : topics)[at % topics.length]!;
export const notes = Array.from({ length: 200 }, (_, at) => {
  const isBarred = at % 3 === 0;
  const text = isGerman(at)
    ? `${topicOf(at)} ist in Gebäude ${at} ${isBarred ? 'nicht erlaubt' : 'erlaubt'}. Schlüssel werden pünktlich abgegeben.`
    : `${topicOf(at)} ${isBarred ? 'is not permitted' : 'is permitted'} in building ${at}. Keys are returned on time.`;
  return { document_id: id(1000 + at), document_name: `note-${at}.txt`, page_num: 1, text };
});
const all = [...results, ...contracts, ...notes];

export const services = (): AskServices => ({
  size: async () => ({ documents: all.length, unread: 0, hidden: 0 }),
  documents: async () => all.map(({ document_id, document_name }) => ({ id: document_id, name: document_name })),
  prompts: async () => [
    { prompt_id: promptId, name: 'Invoices' },
    { prompt_id: contractsId, name: 'Contracts' },
  ],
  results: async (of) => (of === promptId ? results : contracts),
  places: async () => new Map(),
  runs: {
    estimate: async () => ({ name: 'Invoices', requests: 1, spu: 1 }),
    start: async (_promptId, ids) => ({ run_id: 'r', documents: ids.length }),
    startedBy: async () => undefined,
  },
  views: {
    list: async () => [],
    save: async (_promptId, { name }) => ({ id: 'v', name }),
  },
  async search(query, limit) {
    const words = query.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
    const found = notes.filter(({ text }) => words.some((word) => text.toLowerCase().includes(word)));
    const score = (text: string) =>
      (query.match(/[\p{L}\d]+/gu) ?? []).filter((word) => new RegExp(`\\b${word}\\b`, 'iu').test(text)).length;
    return {
      passages: found.toSorted((one, two) => score(two.text) - score(one.text)).slice(0, limit),
      matched_documents: found.length,
    };
  },
  pages: async () => [],
  hold: (work) => work(),
  locale: 'en',
  shown: nothingShown(),
});
