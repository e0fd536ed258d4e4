import type { Document, Route } from '@docwright/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readReviewSearch } from '../../../shared/addresses/review-search.ts';
import { renderPage } from '../../../shared/testing/render-page.tsx';
import { ReviewPage } from '../review-page.tsx';

const routes = [
  { id: 'a', name: 'Invoices' },
  { id: 'b', name: 'Letters' },
  { id: 'c', name: 'Contracts' },
] as Route[];
const document = (id: string, routing: Document['routing'], upload_date: string) =>
  ({
    id,
    document_name: `${id}.txt`,
    mime_type: 'text/plain',
    state: 'ocr_completed',
    tag_ids: [],
    metadata: {},
    upload_date,
    routing,
  }) as unknown as Document;

let open: Document[];
let sent: { method: string; path: string; body: unknown }[];
let refuses: boolean;
beforeEach(() => {
  sent = [];
  refuses = false;
  open = [
    document(
      'first',
      {
        state: 'unsure',
        route_ids: [],
        why: 'Not sure about “Letters”, “Invoices”.',
        by: 'model',
        candidates: [
          { route_id: 'b', why: 'It is a letter.', confidence: 0.62 },
          { route_id: 'a', why: 'It has “invoice”.' },
        ],
      },
      '2026-11-01T00:00:00Z',
    ),
    document('scan', { state: 'waiting_split', route_ids: ['a'], why: 'Split?', by: 'rule' }, '2026-11-02T00:00:00Z'),
  ];
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    const json: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
    if (method !== 'GET') sent.push({ method, path, body: json });
    const [, id = ''] = /documents\/(\w+)\/routing/.exec(path) ?? [];
    if (id !== '') {
      if (refuses) return Response.json({ error: { code: 'x', message: 'It was deleted.' } }, { status: 404 });
      open = open.filter((each) => each.id !== id);
      return Response.json({});
    }
    if (path.includes('/audit?')) return Response.json({ entries: [{ id: 'entry' }], total_count: 1 });
    if (path.includes('/routes')) return Response.json({ routes, total_count: 3 });
    const state = /documents\?routing=(\w+)/.exec(path)?.[1];
    if (state !== undefined) {
      const documents = open.filter(({ routing }) => routing?.state === state);
      return Response.json({ documents, total_count: documents.length });
    }
    return Response.json({ documents: [], items: [], values: 0, total_count: 0, tags: [], pages: [] });
  });
});
afterEach(() => void vi.unstubAllGlobals());

function openReview() {
  const router = renderPage(
    { '/review': <ReviewPage />, '/documents/$documentId': null, '/documents/$documentId/split': <p>Split page</p> },
    { address: '/review?tab=routes', search: { '/review': readReviewSearch } },
  );
  return { user: userEvent.setup(), router };
}

it('one key decides, and the last decision can be undone', async () => {
  const { user } = openReview();
  expect(await screen.findByRole('heading', { name: 'first.txt' })).toBeTruthy();
  const list = within(await screen.findByRole('list', { name: 'Routes' }));
  await waitFor(() =>
    expect(list.getAllByRole('button').map((each) => each.textContent)).toEqual([
      '1LettersIt is a letter.62 %',
      '2InvoicesIt has “invoice”.',
      '0No route',
    ]),
  );
  expect(screen.getByText(/Not sure about/)).toBeTruthy();
  expect(await screen.findByRole('link', { name: 'Routes 2' })).toBeTruthy();
  await user.keyboard('1');
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ method: 'PATCH', body: { route_id: 'b' } }));
  expect(await screen.findByRole('heading', { name: 'scan.txt' })).toBeTruthy();
  await screen.findByRole('button', { name: /Undo the last/ });
  await user.keyboard('z');
  await waitFor(() => expect(sent.at(-1)?.path).toBe('/v0/orgs/org/audit/entry/undo'));
});

it('0 takes no route, and another route than the candidates can be chosen', async () => {
  const { user } = openReview();
  await screen.findByRole('heading', { name: 'first.txt' });
  await user.click(await screen.findByRole('button', { name: /Another route/ }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Contracts' }));
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ route_id: 'c' }));
  await screen.findByRole('heading', { name: 'scan.txt' });
  await user.keyboard('0');
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ route_id: null }));
  expect(await screen.findByText('All are decided.')).toBeTruthy();
});

it('a scan that waits for its split is split by s', async () => {
  const { user, router } = openReview();
  await screen.findByRole('heading', { name: 'first.txt' });
  await user.keyboard('s');
  expect(router.state.location.pathname).toBe('/review');
  await user.keyboard('n');
  await screen.findByRole('heading', { name: 'scan.txt' });
  expect(await screen.findByText('Leave it whole, as Invoices')).toBeTruthy();
  await user.keyboard('s');
  await waitFor(() => expect(router.state.location.pathname).toBe('/documents/scan/split'));
});

it('a decision that fails comes back with the reason', async () => {
  refuses = true;
  const { user } = openReview();
  await screen.findByRole('heading', { name: 'first.txt' });
  await user.keyboard('0');
  expect((await screen.findByRole('alert')).textContent).toContain('first.txt: It was deleted.');
  expect(await screen.findByRole('heading', { name: 'first.txt' })).toBeTruthy();
});

it('without such documents it says what appears here', async () => {
  open = [];
  openReview();
  expect(await screen.findByText('No route waits for you')).toBeTruthy();
});
