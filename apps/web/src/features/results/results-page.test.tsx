import type { Prompt, ResultPage, ResultRow, ResultSummary, SavedView } from '@docwright/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readResultSearch } from '../../shared/addresses/result-search.ts';
import { ResultsPage } from './results-page.tsx';
import { renderPage } from '../../shared/testing/render-page.tsx';

const promptId = '652f1c0a9d3e4b5f6a7b8c9d';
const prompts = [{ prompt_id: promptId, name: 'Invoice' }] as Prompt[];
const total = 100_000;

const rowAt = (index: number): ResultRow => ({
  document_id: String(index).padStart(24, '0'),
  document_name: `invoice-${index}.pdf`,
  prompt_revid: 'rev',
  version: 1,
  release: 'open',
  is_verified: index === 0,
  changed_at: '2026-11-27T12:00:00.000Z',
  to_check: index === 1 ? 3 : 0,
  fields: { supplier: `Supplier ${index}`, total: index + 0.5, currency: 'EUR' },
});

let asked: URL[];
let views: SavedView[];
let saved: unknown[];

beforeEach(() => {
  asked = [];
  views = [];
  saved = [];
  localStorage.clear();
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
    const url = new URL(path, 'http://x');
    asked.push(url);
    return Promise.resolve(answerOf(url, init));
  });
});
afterEach(() => void vi.unstubAllGlobals());

function answerOf(url: URL, { method, body, headers }: RequestInit): Response {
  const { pathname, searchParams } = url;
  if (pathname.endsWith('/results/summary')) {
    const isGrouped = searchParams.get('group_by')?.startsWith('supplier') === true;
    const summary: ResultSummary = {
      totals: isGrouped
        ? [{ key: ['Acme', 'EUR'], sum: 12, count: 3, without_value: 1 }]
        : [
            { key: ['EUR'], sum: 1234.5, count: 9, without_value: 1 },
            { key: ['USD'], sum: 7, count: 1, without_value: 0 },
          ],
      total_count: 2,
    };
    return Response.json(summary);
  }
  if (pathname.endsWith('/views')) {
    if (method === 'POST') saved.push(JSON.parse(body as string));
    return Response.json({ views, total_count: views.length });
  }
  if (pathname.endsWith('/results')) {
    if (new Headers(headers).get('accept') === 'text/csv') return new Response('a\r\n1\r\n');
    const matching = searchParams.get('where') === 'supplier~nobody' ? 0 : total;
    const at = Number(searchParams.get('position'));
    const page: ResultPage = {
      rows: Array.from({ length: matching === 0 ? 0 : 100 }, (_, index) => rowAt(at + index)),
      columns: [
        { path: 'supplier', kind: 'text' },
        { path: 'total', kind: 'number' },
        { path: 'currency', kind: 'text' },
      ],
      tables: ['line_items'],
      next_cursor: null,
      total_count: matching,
    };
    return Response.json(page);
  }
  if (pathname.endsWith('/prompts')) return Response.json({ prompts, total_count: 1, skip: 0, limit: 100 });
  return Response.json({ tags: [], documents: 0, values: 0, total_count: 0 });
}

function open(address = '/results') {
  const router = renderPage({ '/results': <ResultsPage /> }, { address, search: { '/results': readResultSearch } });
  return { router, user: userEvent.setup() };
}

const rowsAsked = () => asked.filter(({ pathname }) => pathname.endsWith('/results'));
const lastQuery = (name: string) => rowsAsked().at(-1)?.searchParams.get(name);
const cell = async (text: string) => (await screen.findByText(text)).closest('a')!;

describe('the page Results', () => {
  it('shows some of 100,000 rows, each cell a link to its value, and of all cells one in the order of Tab', async () => {
    open();
    const link = await cell('Supplier 0');
    expect(link.getAttribute('href')).toContain(`/documents/${rowAt(0).document_id}`);
    expect(link.getAttribute('href')).toContain('field=supplier');
    const grid = screen.getByRole('table', { name: 'Results of Invoice' });
    expect(grid.getAttribute('aria-rowcount')).toBe('100001');
    const rendered = within(grid).getAllByRole('row').length;
    expect(rendered).toBeGreaterThan(3);
    expect(rendered).toBeLessThan(100);
    expect(grid.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
    expect(screen.getByText('100,000 rows')).toBeTruthy();
    expect(screen.getByText('3 to check')).toBeTruthy();
  });

  it('counts no rows while they load', async () => {
    const loaded = globalThis.fetch;
    vi.stubGlobal('fetch', (path: string, init?: RequestInit) =>
      new URL(path, 'http://x').pathname.endsWith('/results') ? new Promise(() => {}) : loaded(path, init),
    );
    open();
    expect(await screen.findByRole('link', { name: 'Open the prompt' })).toBeTruthy();
    expect(screen.queryByText('0 rows')).toBeNull();
  });

  it('moves in the table with the arrow keys, sorts with Enter in its head', async () => {
    const { user } = open();
    (await cell('invoice-0.pdf')).focus();
    await user.keyboard('{ArrowDown}{ArrowRight}{ArrowRight}');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Supplier 1'));
    await user.keyboard('{ArrowUp}{ArrowUp}');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Supplier'));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(lastQuery('sort')).toBe('supplier'));
    expect(screen.getByRole('columnheader', { name: /Supplier/ }).getAttribute('aria-sort')).toBe('ascending');
    await user.click(screen.getByRole('button', { name: 'Supplier' }));
    await waitFor(() => expect(lastQuery('sort')).toBe('-supplier'));
  });

  it('filters in words, changes and removes a filter', async () => {
    const { user } = open();
    await cell('Supplier 0');
    await user.click(screen.getByRole('button', { name: 'Add filter' }));
    await user.selectOptions(screen.getByLabelText('Column'), 'total');
    await user.selectOptions(screen.getByLabelText('Condition'), '>=');
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    expect(screen.getByText('Enter a value.')).toBeTruthy();
    await user.type(screen.getByLabelText('Value'), '1000{Enter}');
    await waitFor(() => expect(lastQuery('where')).toBe('total>=1000'));
    const chip = screen.getByRole('button', { name: 'Total is at least 1,000' });
    await user.click(chip);
    await user.selectOptions(screen.getByLabelText('Condition'), 'empty');
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    await waitFor(() => expect(lastQuery('where')).toBe('total=null'));
    await user.click(screen.getByRole('button', { name: 'Remove the filter: Total is empty' }));
    await waitFor(() => expect(lastQuery('where')).toBeNull());
  });

  it('says that nothing matches, and shows all again', async () => {
    const { user } = open(`/results?prompt=${promptId}&where=supplier~nobody`);
    expect(await screen.findByText('Nothing matches')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Show all results' }));
    expect(await cell('Supplier 0')).toBeTruthy();
  });

  it('keeps the sums of currencies apart, groups, and narrows the rows to a group', async () => {
    const { user } = open(`/results?prompt=${promptId}&sum=total`);
    const sum = await screen.findByLabelText('Sum of Total');
    await waitFor(() => expect(sum.textContent).toBe('EUR 1,234.50USD 7.001 without a value'));
    await user.click(screen.getByRole('button', { name: 'Group: No groups' }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'By Supplier' }));
    const group = await screen.findByRole('button', { name: 'Acme' });
    await user.click(group);
    await waitFor(() => expect(lastQuery('where')).toBe('supplier=Acme'));
  });

  it('saves a view and applies one', async () => {
    const view = { id: 'v', name: 'Large', columns: ['total'], where: 'total>=1000', sort: '-total', is_shared: true };
    views = [{ ...view, created_by: 'u' } as SavedView];
    const { user } = open();
    await cell('Supplier 0');
    await user.click(screen.getByRole('button', { name: 'Views' }));
    await user.click(await screen.findByRole('menuitem', { name: /Large/ }));
    await waitFor(() => expect(lastQuery('where')).toBe('total>=1000'));
    expect([lastQuery('columns'), lastQuery('sort')]).toEqual(['total', '-total']);
    await user.click(await screen.findByRole('button', { name: 'Large: views' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Save this view…' }));
    await user.clear(await screen.findByLabelText('Name'));
    await user.type(screen.getByLabelText('Name'), 'Mine{Enter}');
    await waitFor(() =>
      expect(saved).toEqual([
        { name: 'Mine', columns: ['total'], where: 'total>=1000', sort: '-total', is_shared: true },
      ]),
    );
  });

  it('exports what it shows', async () => {
    const saveObject = vi.fn<(blob: Blob) => string>(() => 'blob:x');
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: saveObject, revokeObjectURL: () => undefined }));
    const { user } = open(`/results?prompt=${promptId}&sort=-total&columns=["total"]&documents=["${promptId}"]`);
    await cell('invoice-0.pdf');
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name: 'CSV' }));
    await waitFor(() => expect(saveObject).toHaveBeenCalledOnce());
    expect(await saveObject.mock.calls[0]![0].text()).toBe('a\r\n1\r\n');
    const query = Object.fromEntries(rowsAsked().at(-1)!.searchParams);
    expect(query).toEqual({ sort: '-total', columns: 'total', document_ids: promptId });
    expect(screen.getByText('1 chosen document')).toBeTruthy();
  });
});
