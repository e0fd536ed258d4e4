import { expect, it } from 'vitest';
import { playTurn } from '../testing/scripted-turn.ts';

const fields = [
  { path: 'supplier', type: 'string', values: ['Contoso GmbH'] },
  { path: 'subtotal', type: 'number', values: ['420'] },
  { path: 'tax_amount', type: 'number', values: ['80'] },
  { path: 'total', type: 'number', values: ['500'] },
  { path: 'due_date', type: 'string', values: ['2026-03-01'] },
];
const offered = ['list_fields', 'query_results', 'search_passages', 'read_pages', 'calculate', 'ask_questions'];

/** Asks over results in which only Contoso is a supplier. */
function ask(request: string) {
  return playTurn({
    request,
    offered,
    tools: {
      list_fields: () => ({ prompts: [{ prompt_id: 'p', name: 'Invoices', documents: 4, fields }] }),
      query_results: ({ where, aggregate = [], columns = [] }) => ({
        matched_documents: /~(?!Contoso)/u.test(String(where)) ? 0 : 2,
        rows:
          (columns as string[]).length === 0
            ? []
            : [{ document_name: 'a.pdf', cells: [{ id: 'c1', path: 'total', value: 700.5, currency: 'EUR' }] }],
        aggregates: (aggregate as object[]).flatMap(() => [
          { id: 'a1', path: 'total', value: 1200.5, currency: 'EUR' },
          { id: 'a2', path: 'total', value: 900, currency: 'USD' },
        ]),
      }),
      search_passages: () => ({ passages: [{ id: 'p1', text: 'Subletting is not permitted.' }], matched_documents: 1 }),
    },
  });
}

it('answers a sum by currency', () => {
  const { text, calls } = ask('What did we pay Contoso in 2026?');
  expect(text).toBe('The total is 1200.50 EUR [[a1]].\nThe total is 900 USD [[a2]].');
  expect(calls.at(-1)?.arguments).toMatchObject({
    where: 'due_date>=2026-01-01 and due_date<2027-01-01 and supplier~Contoso',
    aggregate: [{ op: 'sum', path: 'total' }],
  });
});

it.each([
  ['Which invoices are over 1,000?', { where: 'total>1000', columns: ['supplier', 'total'] }],
  ['Which invoices are due before 1 March 2026?', { where: 'due_date<2026-03-01' }],
  ['What is the largest invoice?', { sort: '-total', limit: 1 }],
  ['Welche Rechnung ist die neueste?', { sort: '-due_date', limit: 1 }],
  ['Was ist die größte Rechnung?', { sort: '-total', limit: 1 }],
  ['Welche Rechnungen sind über 9.000?', { where: 'total>9000' }],
  ['Welche Rechnungen sind vor dem 1. März 2026 fällig?', { where: 'due_date<2026-03-01' }],
])('lists: %s', (request, expected) => {
  const { text, calls } = ask(request);
  expect(calls.at(-1)?.arguments).toMatchObject(expected);
  expect(text).toBe('- a.pdf: 700.50 EUR [[c1]]');
});

it('finds a passage, and says what it cannot', () => {
  expect(ask('Is subletting permitted?').text).toBe('“Subletting is not permitted.” [[p1]]');
  expect(ask('How many employees work in Berlin?').text).toBe('I cannot answer that from these documents.');
  expect(ask('What did we pay Initech?').text).toBe('I cannot answer that from these documents.');
  // A number that it takes for no condition changes the question.
  expect(ask('Which invoices are 9,000?').text).toBe('I cannot answer that from these documents.');
  expect(ask('Combien de factures dépassent 9 000 ?').text).toBe('I cannot answer that from these documents.');
  expect(ask('¿Cuántas facturas superan 9.000?').text).toBe('I cannot answer that from these documents.');
});
